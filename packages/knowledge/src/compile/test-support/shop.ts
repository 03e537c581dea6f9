import type { Catalog, Dialect } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import { bindKnowledge } from '../../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import { catalogOf, dataset, field, join, knowledge, metric } from '../../bind/test-support/model-parts.ts';
import type { KnowledgeSettings } from '../../model/knowledge.ts';
import type { Metric, SemanticModel } from '../../model/semantic-model.ts';
import { compileMetrics } from '../compile-metrics.ts';
import type { MetricRequest } from '../metric-request.ts';

const TABLES = {
  stores: ['store_id INTEGER', 'city TEXT', 'opened_on DATE'],
  customers: ['customer_id INTEGER', 'name TEXT', 'region TEXT'],
  sales: [
    'sale_id INTEGER',
    'store_id INTEGER',
    'customer_id INTEGER',
    'amount INTEGER',
    'sold_at TEXT',
    'status TEXT',
    'is_food BOOLEAN',
  ],
  items: ['item_id INTEGER', 'sale_id INTEGER', 'product TEXT', 'price INTEGER'],
  visits: ['visit_id INTEGER', 'store_id INTEGER', 'visited_on DATE'],
  balances: ['account TEXT', 'store_id INTEGER', 'day DATE', 'amount INTEGER'],
};

/** Store 3 sells nothing; a sale has no store; nothing is sold in April; a test sale does not count. */
const ROWS = `
  INSERT INTO stores VALUES (1, 'Berlin', '2020-05-01'), (2, 'Rome', '2021-03-01'), (3, 'Oslo', '2022-01-01');
  INSERT INTO customers VALUES (1, 'Ann', 'north'), (2, 'Bob', 'south'), (3, 'Ann', 'south');
  INSERT INTO sales VALUES
    (1, 1, 1, 10, '2024-01-05 09:00:00', 'paid', 1), (2, 1, 2, 5, '2024-01-31 23:59:59', 'paid', 0),
    (3, 2, 2, 7, '2024-02-29 12:00:00', 'paid', 1), (4, 2, 3, 4, '2024-03-01 00:00:00', 'open', 1),
    (5, NULL, 1, 3, '2024-05-31 08:00:00', 'paid', 0), (6, 1, 3, 100, '2024-02-10 08:00:00', 'test', 1),
    (7, 1, 1, 20, '2024-05-02 08:00:00', 'paid', 0);
  INSERT INTO items VALUES
    (1, 1, 'cake', 4), (2, 1, 'cake', 4), (3, 1, 'tea', 2), (4, 2, 'tea', 5), (5, 3, 'cake', 7), (6, 7, 'tea', 20);
  INSERT INTO visits VALUES
    (1, 1, '2024-01-02'), (2, 1, '2024-01-03'), (3, 3, '2024-01-03'), (4, 2, '2024-02-01'), (5, 1, '2024-04-30');
  INSERT INTO balances VALUES
    ('a', 1, '2024-01-01', 10), ('a', 1, '2024-01-31', 30), ('b', 1, '2024-01-15', 5),
    ('c', 2, '2024-01-31', 8), ('a', 1, '2024-02-10', 50), ('c', 2, '2024-02-29', NULL);
`;

const METRICS: readonly Metric[] = [
  metric('revenue', 'SUM(sales.amount)'),
  metric('sale_count', { kind: 'aggregate', expressions: expression('COUNT(*)'), dataset: 'sales' }),
  metric('food_revenue', { kind: 'aggregate', expressions: expression('SUM(sales.amount)'), filter: 'sales.is_food' }),
  metric('buyers', 'COUNT(DISTINCT sales.customer_id)'),
  metric('item_revenue', 'SUM(items.price)'),
  metric('visits_count', { kind: 'aggregate', expressions: expression('COUNT(*)'), dataset: 'visits', empty: 'zero' }),
  metric('average_sale', 'SUM(sales.amount) / COUNT(sales.sale_id)'),
  metric('revenue_per_visit', {
    kind: 'ratio',
    numerator: { metric: 'revenue' },
    denominator: { metric: 'visits_count' },
  }),
  metric('food_share', {
    kind: 'ratio',
    numerator: { metric: 'revenue', filter: 'sales.is_food' },
    denominator: { metric: 'revenue' },
  }),
  metric('growth', {
    kind: 'derived',
    expression: '(now - before) * 100 / before',
    inputs: [
      { metric: 'revenue', alias: 'now' },
      { metric: 'revenue', alias: 'before', offset: { count: 1, unit: 'month' } },
    ],
  }),
  metric('earlier_buyers', {
    kind: 'derived',
    expression: 'before',
    inputs: [{ metric: 'buyers', alias: 'before', offset: { count: 1, unit: 'month' } }],
  }),
  metric('since_january', {
    kind: 'derived',
    expression: 'revenue - january',
    inputs: [{ metric: 'revenue' }, { metric: 'revenue', alias: 'january', offsetToGrain: 'year' }],
  }),
  metric('running_revenue', { kind: 'cumulative', input: { metric: 'revenue' } }),
  metric('running_buyers', { kind: 'cumulative', input: { metric: 'buyers' } }),
  metric('two_months', { kind: 'cumulative', input: { metric: 'revenue' }, window: { count: 2, unit: 'month' } }),
  metric('quarter_to_date', { kind: 'cumulative', input: { metric: 'revenue' }, grainToDate: 'quarter' }),
  metric('balance', {
    kind: 'aggregate',
    expressions: expression('SUM(balances.amount)'),
    nonAdditive: { field: 'balances.day', choice: 'last', within: ['balances.account'] },
  }),
  metric('first_balance', {
    kind: 'aggregate',
    expressions: expression('SUM(balances.amount)'),
    nonAdditive: { field: 'balances.day', choice: 'first', within: [] },
  }),
];

export const MODEL: Partial<SemanticModel> = {
  datasets: [
    dataset('stores', [field('city'), field('opened_on')], { primaryKey: ['store_id'] }),
    dataset('customers', [field('name'), field('region')], { primaryKey: ['customer_id'] }),
    dataset(
      'sales',
      [
        field('sale_id'),
        field('amount'),
        field('sold_at', 'sold_at', { dimension: { isTime: true } }),
        field('status'),
        field('is_food'),
      ],
      { primaryKey: ['sale_id'], defaultFilter: "status <> 'test'", defaultTime: 'sold_at' },
    ),
    dataset('items', [field('product'), field('price')], { primaryKey: ['item_id'] }),
    dataset('visits', [field('visited_on')], { primaryKey: ['visit_id'] }),
    dataset('balances', [field('account'), field('day')], { primaryKey: ['account', 'day'] }),
  ],
  relationships: [
    join('sales.store_id > stores.store_id'),
    join('sales.customer_id > customers.customer_id'),
    join('items.sale_id > sales.sale_id'),
    join('visits.store_id > stores.store_id'),
    join('balances.store_id > stores.store_id'),
  ],
  metrics: METRICS,
  filters: [
    {
      name: 'big sales',
      dataset: 'sales',
      condition: 'amount >= 7',
      synonyms: [],
      standing: { state: 'accepted', source: 'file', place: { file: 'models/shop.ossie.yaml' } },
    },
  ],
};

function expression(text: string): { dialect: string; expression: string }[] {
  return [{ dialect: 'ANSI_SQL', expression: text }];
}

/** A shop of six tables, bound for a dialect. */
export function boundShop(
  changes: Partial<SemanticModel> = {},
  settings: KnowledgeSettings = {},
  dialect: Dialect = sqliteDialect,
): BoundKnowledge {
  const catalog: Catalog = catalogOf(dialect, TABLES);
  return bindKnowledge(knowledge({ ...MODEL, ...changes }, { settings }), { catalog, dialect });
}

export type Rows = readonly (readonly unknown[])[];

/** Runs statements over the rows of the shop, in memory. */
export function openShop(): { rows(sql: string): Rows; ask(request: MetricRequest, bound?: BoundKnowledge): Rows } {
  const database = new Database(':memory:');
  for (const [table, columns] of Object.entries(TABLES)) database.exec(`CREATE TABLE ${table} (${columns.join(', ')})`);
  database.exec(ROWS);
  const shop = boundShop();
  const rows = (sql: string): Rows => database.prepare(sql).raw().all() as Rows;
  return { rows, ask: (request, bound = shop) => rows(compileMetrics(request, bound).sql) };
}
