import type { MetricRequest } from '../../../packages/knowledge/src/index.ts';

/** The same question to both. */
export interface Pair {
  readonly ours: MetricRequest;
  /** Names of MetricFlow, in the order of ours. `start` and `end` are days. */
  readonly by?: readonly string[];
  readonly where?: readonly string[];
  readonly start?: string;
  readonly end?: string;
  /** Why rows differ, and who is right; `in`: only there. */
  readonly differs?: { readonly why: string; readonly in?: 'files' | 'export' };
}

const pair = (metrics: string, ours: Omit<MetricRequest, 'metrics'> = {}, theirs: Omit<Pair, 'ours'> = {}): Pair => ({
  ours: { metrics: metrics.split(' '), ...ours },
  ...theirs,
});

const month = { ours: { grain: 'month' }, theirs: { by: ['metric_time__month'] } } as const;
const quarter = { ours: { grain: 'quarter' }, theirs: { by: ['metric_time__quarter'] } } as const;
const week = { ours: { grain: 'week' }, theirs: { by: ['metric_time__week'] } } as const;
const day = { ours: { grain: 'day' }, theirs: { by: ['metric_time__day'] } } as const;
const year = { ours: { grain: 'year' }, theirs: { by: ['metric_time__year'] } } as const;
const city = { ours: 'locations.location_name', theirs: 'location__location_name' };
const itemCity = { ours: 'locations.location_name', theirs: 'order_id__location__location_name' };
const kind = { ours: 'products.product_type', theirs: 'product__product_type' };

const SPINE_END = 'MetricFlow goes on to the end of the time spine, ours ends with the data';
const GROWTH = {
  why: 'ours refuses: moved by a month, a quarter is none. MetricFlow moves days, and counts some twice or not at all',
};
const AT_START = {
  why: 'dbt takes the value at the start of a period by default, ours that at its end; the import says so',
  in: 'files',
} as const;
const EMPTY_MONTH = {
  why: 'MetricFlow has a row for a month without orders, ours where `fillGaps` asks for it; the import says so',
  in: 'files',
} as const;
const NO_EMPTY_MONTH = {
  why: 'ours is asked for the empty month; `join_to_timespine` is lost since the import',
  in: 'export',
} as const;
const WINDOW_END = {
  why: 'the window at the end of April is empty; MetricFlow takes 23 April, the last day that has rows in its own',
};
/** The last day with data. */
const UNTIL = '2024-12-28';

/** Metrics of jaffle-shop, in all the ways in which both can be asked. */
export const PAIRS: readonly Pair[] = [
  // Alone.
  pair('revenue'),
  pair('order_total orders large_orders new_customer_orders food_orders drink_orders'),
  pair('median_revenue'),
  pair('customers lifetime_spend count_lifetime_orders'),
  pair('average_order_value'),
  pair('average_tax_rate'),
  pair('food_revenue_pct drink_revenue_pct'),
  pair('order_gross_profit'),
  pair('cumulative_revenue'),
  pair('revenue order_cost customers'),
  // By a field.
  pair('revenue food_revenue', { by: [kind.ours] }, { by: [kind.theirs] }),
  pair('revenue', { by: [itemCity.ours] }, { by: [itemCity.theirs] }),
  pair('orders order_total', { by: [city.ours] }, { by: [city.theirs] }),
  pair('food_revenue_pct', { by: [itemCity.ours] }, { by: [itemCity.theirs] }),
  pair('median_revenue', { by: [kind.ours] }, { by: [kind.theirs] }),
  pair('orders', { by: ['customers.customer_type'] }, { by: ['customer__customer_type'] }),
  pair('revenue', { by: ['customers.customer_name'] }, { by: ['order_id__customer__customer_name'] }),
  pair('average_order_value', { by: ['customers.customer_type'] }, { by: ['customer__customer_type'] }),
  pair('orders', { by: ['orders.is_food_order', city.ours] }, { by: ['order_id__is_food_order', city.theirs] }),
  pair('order_gross_profit', { by: ['orders.is_food_order'] }, { by: ['order_id__is_food_order'] }),
  pair('orders', { by: ['locations.opened_date:year'] }, { by: ['location__opened_date__year'] }),
  // By time.
  pair('revenue', month.ours, month.theirs),
  pair('revenue', quarter.ours, quarter.theirs),
  pair('revenue orders', week.ours, week.theirs),
  pair('revenue', day.ours, day.theirs),
  pair('orders', year.ours, year.theirs),
  pair('orders food_orders large_orders', month.ours, month.theirs),
  pair('customers', month.ours, month.theirs),
  pair('food_revenue_pct', month.ours, month.theirs),
  pair('order_gross_profit', month.ours, month.theirs),
  pair('order_gross_profit', quarter.ours, quarter.theirs),
  pair('median_revenue', quarter.ours, quarter.theirs),
  pair('revenue customers', quarter.ours, quarter.theirs),
  pair('revenue', { ...month.ours, by: [kind.ours] }, { by: [...month.theirs.by, kind.theirs] }),
  pair('orders', { by: ['orders.ordered_at:month'] }, { by: ['order_id__ordered_at__month'] }),
  // Running values.
  pair('cumulative_revenue', day.ours, { ...day.theirs, differs: { why: SPINE_END } }),
  pair('cumulative_revenue', month.ours, { ...month.theirs, differs: AT_START }),
  pair('cumulative_revenue', quarter.ours, { ...quarter.theirs, differs: AT_START }),
  pair('revenue_month_to_date', month.ours, month.theirs),
  pair('revenue_28_days', month.ours, { ...month.theirs, differs: WINDOW_END }),
  pair('cumulative_revenue', { ...day.ours, by: [kind.ours] }, { by: [...day.theirs.by, kind.theirs], end: UNTIL }),
  pair('revenue_28_days', day.ours, { ...day.theirs, end: UNTIL }),
  pair('revenue_month_to_date', day.ours, { ...day.theirs, end: UNTIL }),
  // Values of a time before.
  pair('revenue_growth_mom', month.ours, month.theirs),
  pair('revenue_growth_mom', quarter.ours, { ...quarter.theirs, differs: GROWTH }),
  pair('revenue_growth_mom', { ...month.ours, by: [kind.ours] }, { by: [...month.theirs.by, kind.theirs] }),
  pair('revenue_year_ago', month.ours, month.theirs),
  pair('revenue_at_month_start', day.ours, day.theirs),
  pair('orders_a_month_ago', month.ours, month.theirs),
  // Not to be added up over time.
  pair('last_balance'),
  pair('last_balance', { by: [city.ours] }, { by: [city.theirs] }),
  pair('last_balance', month.ours, month.theirs),
  // With conditions.
  pair(
    'revenue',
    { where: ["products.product_type = 'jaffle'"] },
    { where: ["{{ Dimension('product__product_type') }} = 'jaffle'"] },
  ),
  pair(
    'orders',
    { by: [city.ours], where: ['orders.order_total_dim > 30'] },
    { by: [city.theirs], where: ["{{ Dimension('order_id__order_total_dim') }} > 30"] },
  ),
  pair(
    'food_revenue_pct',
    { ...month.ours, where: ["locations.location_name = 'Brooklyn'"] },
    { ...month.theirs, where: ["{{ Dimension('location__location_name', entity_path=['order_id']) }} = 'Brooklyn'"] },
  ),
  pair(
    'large_orders',
    { where: ["locations.location_name <> 'Brooklyn'"] },
    { where: ["{{ Dimension('location__location_name') }} <> 'Brooklyn'"] },
  ),
  pair(
    'revenue',
    { ...month.ours, where: ["metric_time >= DATE '2024-03-01'", "metric_time <= DATE '2024-08-31'"] },
    { ...month.theirs, start: '2024-03-01', end: '2024-08-31' },
  ),
  pair(
    'cumulative_revenue',
    { ...day.ours, where: ["metric_time >= DATE '2024-03-01'", "metric_time <= DATE '2024-08-31'"] },
    { ...day.theirs, start: '2024-03-01', end: '2024-08-31' },
  ),
  pair(
    'revenue_growth_mom',
    { ...month.ours, where: ["metric_time >= DATE '2024-03-01'", "metric_time <= DATE '2024-08-31'"] },
    { ...month.theirs, start: '2024-03-01', end: '2024-08-31' },
  ),
  pair('revenue_but_food revenue', month.ours, month.theirs),
  pair('food_share large_food_share', { by: [city.ours] }, { by: [city.theirs] }),
  pair('revenue_in_brooklyn revenue_of_known revenue_of_new_places', quarter.ours, quarter.theirs),
  pair('orders_or_zero', month.ours, { ...month.theirs, differs: EMPTY_MONTH }),
  pair('orders_or_zero', { ...month.ours, fillGaps: true }, { ...month.theirs, end: UNTIL, differs: NO_EMPTY_MONTH }),
];
