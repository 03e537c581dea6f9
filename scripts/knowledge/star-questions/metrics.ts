import type {
  PlainAggregate,
  PlainCondition,
  PlainInput,
  PlainMetric,
} from '../../../packages/knowledge/src/test-support/plain-star.ts';

const of = (aggregate: PlainAggregate['aggregate'], dataset: string, field?: string): PlainAggregate => ({
  aggregate,
  dataset,
  ...(field === undefined ? {} : { field }),
});
const simple = (name: string, expression: PlainAggregate, filter?: PlainCondition): PlainMetric => ({
  name,
  kind: 'aggregate',
  expression,
  ...(filter === undefined ? {} : { filter }),
});
const is = (field: string, value: string | boolean): PlainCondition => ({ field, test: '=', values: [value] });
const ratio = (name: string, numerator: string, denominator: string): PlainMetric => ({
  name,
  kind: 'ratio',
  numerator: { metric: numerator },
  denominator: { metric: denominator },
});
const ref = (alias: string): { readonly alias: string } => ({ alias });
/** In percent of what was before. */
const growth = (name: string, metric: string, before: Pick<PlainInput, 'offset'>): PlainMetric => ({
  name,
  kind: 'derived',
  inputs: [
    { metric, alias: 'now' },
    { metric, alias: 'before', ...before },
  ],
  expression: {
    left: { left: { left: ref('now'), operator: '-', right: ref('before') }, operator: '*', right: 100 },
    operator: '/',
    right: ref('before'),
  },
});
const lastOf = (field: string): PlainAggregate => of('sum', 'stock', field);

export const METRICS: readonly PlainMetric[] = [
  simple('revenue', of('sum', 'sales', 'amount')),
  simple('cost_of_goods', of('sum', 'sales', 'cost')),
  simple('units_sold', of('sum', 'sales', 'quantity')),
  simple('sales_count', of('count', 'sales')),
  simple('buyers', of('distinct', 'sales', 'customer_id')),
  simple('discounts', of('sum', 'sales', 'discount')),
  simple('largest_sale', of('max', 'sales', 'amount')),
  simple('average_quantity', of('avg', 'sales', 'quantity')),
  {
    name: 'returns',
    kind: 'aggregate',
    expression: { aggregate: 'count', dataset: 'sales', when: is('sales.status', 'R') },
  },
  simple('web_revenue', of('sum', 'sales', 'amount'), is('sales.channel', 'WEB')),
  simple('food_revenue', of('sum', 'sales', 'amount'), is('products.category', 'Food')),
  simple('organic_revenue', of('sum', 'sales', 'amount'), is('products.organic', true)),
  simple('known_revenue', of('sum', 'sales', 'amount'), { field: 'sales.customer_id', test: 'not null', values: [] }),
  ratio('average_basket', 'revenue', 'sales_count'),
  ratio('return_rate', 'returns', 'sales_count'),
  ratio('web_share', 'web_revenue', 'revenue'),
  ratio('food_share', 'food_revenue', 'revenue'),
  ratio('organic_share', 'organic_revenue', 'revenue'),
  ratio('revenue_per_buyer', 'known_revenue', 'buyers'),
  ratio('conversion', 'sales_count', 'footfall'),
  {
    name: 'gross_profit',
    kind: 'derived',
    inputs: [{ metric: 'revenue' }, { metric: 'cost_of_goods', alias: 'cost' }],
    expression: { left: ref('revenue'), operator: '-', right: ref('cost') },
  },
  ratio('margin', 'gross_profit', 'revenue'),
  { name: 'running_revenue', kind: 'cumulative', input: { metric: 'revenue' } },
  {
    name: 'rolling_revenue',
    kind: 'cumulative',
    input: { metric: 'revenue' },
    window: { count: 3, unit: 'month' },
  },
  { name: 'revenue_ytd', kind: 'cumulative', input: { metric: 'revenue' }, grainToDate: 'year' },
  growth('revenue_growth_mom', 'revenue', { offset: { count: 1, unit: 'month' } }),
  growth('revenue_growth_yoy', 'revenue', { offset: { count: 1, unit: 'year' } }),
  {
    name: 'revenue_last_year',
    kind: 'derived',
    inputs: [{ metric: 'revenue', alias: 'before', offset: { count: 1, unit: 'year' } }],
    expression: ref('before'),
  },
  simple('footfall', of('sum', 'visits', 'visitors')),
  {
    name: 'revenue_per_visitor',
    kind: 'aggregate',
    expression: { left: of('sum', 'sales', 'amount'), operator: '/', right: of('sum', 'visits', 'visitors') },
  },
  ...(['units', 'value'] as const).map(
    (field): PlainMetric => ({
      name: field === 'units' ? 'stock_on_hand' : 'stock_worth',
      kind: 'aggregate',
      expression: lastOf(field),
      nonAdditive: { field: 'stock.stock_on', choice: 'last', within: [] },
    }),
  ),
  {
    name: 'opening_stock',
    kind: 'aggregate',
    expression: lastOf('units'),
    nonAdditive: { field: 'stock.stock_on', choice: 'first', within: [] },
  },
  simple('complaints_received', of('count', 'complaints')),
  simple('resolution_time', of('avg', 'complaints', 'days_to_close')),
  simple('open_complaints', of('count', 'complaints'), { field: 'complaints.days_to_close', test: 'null', values: [] }),
  {
    name: 'complaint_rate',
    kind: 'derived',
    inputs: [
      { metric: 'complaints_received', alias: 'complaints' },
      { metric: 'sales_count', alias: 'sales' },
    ],
    expression: {
      left: { left: ref('complaints'), operator: '*', right: 100 },
      operator: '/',
      right: ref('sales'),
    },
  },
  simple('sign_ups', of('count', 'customers', 'customer_id')),
  simple('store_count', of('count', 'stores', 'store_id')),
  simple('product_count', of('count', 'products', 'product_id')),
];
