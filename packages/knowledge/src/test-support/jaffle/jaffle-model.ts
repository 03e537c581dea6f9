import { dataset, field, join, knowledge, metric } from '../../bind/test-support/model-parts.ts';
import type { Knowledge } from '../../model/knowledge.ts';
import type { Aggregate, MetricInput } from '../../model/metric-definition.ts';
import { ansi, type Dataset, type Metric, type Relationship } from '../../model/semantic-model.ts';

const TIMES = new Set(['ordered_at', 'opened_date']);
const table = (name: string, key: string, fields: readonly string[], defaultTime?: string): Dataset =>
  dataset(
    name,
    fields.map((one) =>
      field(one, one, { dimension: { isTime: TIMES.has(one) }, ...(TIMES.has(one) && { type: 'Date' }) }),
    ),
    { primaryKey: [key], defaultTime },
  );
const toOne = (from: string, to: string, column: string): Relationship => join(`${from}.${column} > ${to}.${column}`);
const simple = (name: string, expression: string, more: Partial<Aggregate> = {}): Metric =>
  metric(name, { kind: 'aggregate', expressions: ansi(expression), ...more });
const orders = { dataset: 'orders' };
const of = (name: string, alias?: string): MetricInput => ({ metric: name, ...(alias === undefined ? {} : { alias }) });

/** The metrics of jaffle-shop, written by hand. */
export const JAFFLE_KNOWLEDGE: Knowledge = knowledge({
  name: 'jaffle_shop',
  datasets: [
    table('locations', 'location_id', ['location_name', 'tax_rate', 'opened_date'], 'opened_date'),
    table('products', 'product_id', ['product_name', 'product_type']),
    table('order_items', 'order_item_id', ['ordered_at', 'product_price', 'is_food_item', 'supply_cost'], 'ordered_at'),
    table(
      'orders',
      'order_id',
      ['ordered_at', 'order_total', 'order_cost', 'is_food_order', 'customer_order_number'],
      'ordered_at',
    ),
    table('customers', 'customer_id', [
      'customer_id',
      'customer_name',
      'customer_type',
      'lifetime_spend',
      'lifetime_spend_pretax',
      'count_lifetime_orders',
    ]),
  ],
  relationships: [
    toOne('order_items', 'orders', 'order_id'),
    toOne('order_items', 'products', 'product_id'),
    toOne('orders', 'locations', 'location_id'),
    toOne('orders', 'customers', 'customer_id'),
  ],
  metrics: [
    simple('revenue', 'SUM(order_items.product_price)'),
    simple('food_revenue', 'SUM(CASE WHEN order_items.is_food_item THEN order_items.product_price ELSE 0 END)'),
    simple('order_total', 'SUM(orders.order_total)'),
    simple('order_cost', 'SUM(orders.order_cost)'),
    simple('orders', 'COUNT(*)', orders),
    simple('new_customer_orders', 'COUNT(*)', { ...orders, filter: 'orders.customer_order_number = 1' }),
    simple('large_orders', 'COUNT(*)', { ...orders, filter: 'orders.order_total >= 20' }),
    simple('food_orders', 'COUNT(*)', { ...orders, filter: 'orders.is_food_order', empty: 'zero' }),
    simple('customers', 'COUNT(DISTINCT customers.customer_id)'),
    simple('lifetime_spend', 'SUM(customers.lifetime_spend)'),
    simple('average_tax_rate', 'AVG(locations.tax_rate)'),
    simple('average_order_value', 'SUM(lifetime_spend_pretax) / SUM(count_lifetime_orders)', {
      dataset: 'customers',
    }),
    metric('food_revenue_pct', { kind: 'ratio', numerator: of('food_revenue'), denominator: of('revenue') }),
    metric('order_gross_profit', {
      kind: 'derived',
      expression: 'revenue - cost',
      inputs: [of('revenue'), of('order_cost', 'cost')],
    }),
    metric('revenue_growth_mom', {
      kind: 'derived',
      expression: '(now - before) * 100 / before',
      inputs: [of('revenue', 'now'), { ...of('revenue', 'before'), offset: { count: 1, unit: 'month' } }],
    }),
    metric('cumulative_revenue', { kind: 'cumulative', input: of('revenue') }),
  ],
  timeSpine: { source: 'metricflow_time_spine', column: 'date_day', grain: 'day' },
});
