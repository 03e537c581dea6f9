import { attributeId, relationId, type ValueMatch } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import { bindKnowledge } from '../../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import { catalogOf, dataset, field, join, knowledge, metric } from '../../bind/test-support/model-parts.ts';
import type { Knowledge } from '../../model/knowledge.ts';
import type { Field, SemanticModel } from '../../model/semantic-model.ts';

/** A wholesaler with shops: small enough to add up by eye. */
const SHOP_TABLES = {
  stores: ['store_id INTEGER', 'store_name TEXT', 'region TEXT', 'manager TEXT'],
  customers: ['customer_id INTEGER', 'name TEXT', 'city TEXT', 'tier TEXT', 'joined_at TEXT'],
  orders: [
    'order_id INTEGER',
    'store_id INTEGER',
    'customer_id INTEGER',
    'amount DECIMAL(10,2)',
    'status TEXT',
    'is_rush BOOLEAN',
    'ordered_at DATE',
    'delivered_at DATE',
  ],
  lines: ['order_id INTEGER', 'line INTEGER', 'pieces INTEGER'],
  notes: ['note_id INTEGER', 'customer_id INTEGER', 'note TEXT'],
};

export const SHOP_SQL = `
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, store_name TEXT, region TEXT, manager TEXT);
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT, tier TEXT, joined_at TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, store_id INTEGER, customer_id INTEGER, amount DECIMAL(10,2),
  status TEXT, is_rush BOOLEAN, ordered_at DATE, delivered_at DATE);
INSERT INTO stores VALUES (1, 'Old Mill', 'North', 'Ada'), (2, 'Harbour', 'North', 'Ben'), (3, 'Market', 'South', 'Ada');
INSERT INTO customers VALUES (1, 'Ada', 'Berlin', 'G', '2023-01-05'), (2, 'Ben', 'Bonn', 'B', '2023-06-01'),
  (3, 'Cleo', 'Berlin', 'B', '2024-02-01');
INSERT INTO orders VALUES
  (1, 1, 1, 100, 'D', TRUE, '2023-03-10', '2023-04-01'), (2, 1, 2, 50, 'D', FALSE, '2023-11-02', '2023-11-04'),
  (3, 2, 1, 70, 'D', FALSE, '2024-01-15', '2024-01-20'), (4, 3, 3, 30, 'C', FALSE, '2024-02-20', NULL),
  (5, 3, 2, 200, 'D', TRUE, '2024-03-05', '2024-04-02'), (6, NULL, 3, 500, 'O', FALSE, '2024-04-11', NULL),
  (7, 2, NULL, 40, 'O', FALSE, '2024-05-02', NULL);
`;

const time = (name: string): Field => field(name, name, { dimension: { isTime: true } });
const dimension = (name: string, more: Partial<Field> = {}): Field => field(name, name, { dimension: {}, ...more });
const called = (...synonyms: string[]) => ({ ai: { synonyms, examples: [] } });

export const SHOP_MODEL: Partial<SemanticModel> = {
  datasets: [
    dataset('stores', [dimension('store_name'), dimension('region')], { primaryKey: ['store_id'] }),
    dataset(
      'customers',
      [
        dimension('name'),
        dimension('city', called('town')),
        dimension('tier', {
          label: 'Loyalty tier',
          values: [
            { value: 'G', meaning: 'gold', synonyms: ['premium'] },
            { value: 'B', meaning: 'basic', synonyms: [] },
          ],
        }),
        time('joined_at'),
      ],
      { primaryKey: ['customer_id'], defaultTime: 'joined_at' },
    ),
    dataset(
      'orders',
      [
        field('amount'),
        dimension('status', {
          values: [
            { value: 'D', meaning: 'delivered', synonyms: [] },
            { value: 'O', meaning: 'open', synonyms: ['pending'] },
            { value: 'C', meaning: 'cancelled', synonyms: [] },
          ],
        }),
        dimension('is_rush', { type: 'Boolean' }),
        time('ordered_at'),
        time('delivered_at'),
      ],
      { primaryKey: ['order_id'], defaultTime: 'ordered_at' },
    ),
  ],
  relationships: [join('orders.store_id > stores.store_id'), join('orders.customer_id > customers.customer_id')],
  metrics: [
    metric('revenue', 'SUM(orders.amount)', { ...called('turnover', 'sales'), unit: 'EUR' }),
    metric('order_count', 'COUNT(orders.order_id)', { label: 'Orders' }),
    metric('orders_shipped', 'COUNT(orders.delivered_at)', { label: 'Orders shipped' }),
    metric('average_order', 'AVG(orders.amount)', { label: 'Average order value', unit: 'EUR' }),
    metric('new_customers', 'COUNT(customers.customer_id)', { label: 'New customers' }),
    metric('store_count', 'COUNT(stores.store_id)', { label: 'Number of stores' }),
    metric(
      'delivery_value',
      { ...amount('SUM(orders.amount)'), time: 'orders.delivered_at' },
      { label: 'Delivered value' },
    ),
    metric('revenue_growth', {
      kind: 'derived',
      expression: '(now - before) / before',
      inputs: [
        { metric: 'revenue', alias: 'now' },
        { metric: 'revenue', alias: 'before', offset: { count: 1, unit: 'month' } },
      ],
    }),
    metric('latest_value', {
      ...amount('SUM(orders.amount)'),
      nonAdditive: { field: 'orders.ordered_at', choice: 'last', within: [] },
    }),
    metric('running_revenue', { kind: 'cumulative', input: { metric: 'revenue' } }),
  ],
  filters: [
    {
      name: 'big orders',
      dataset: 'orders',
      condition: 'orders.amount >= 100',
      synonyms: ['large orders'],
      standing: { state: 'accepted', source: 'file', place: { file: 'models/shop.ossie.yaml' } },
    },
  ],
};

export function amount(expression: string) {
  return { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression }] } as const;
}

/** The shop's knowledge; `more` replaces parts of its model, `rest` those of the whole. */
export function shopKnowledge(more: Partial<SemanticModel> = {}, rest: Partial<Knowledge> = {}): Knowledge {
  return knowledge({ ...SHOP_MODEL, ...more }, rest);
}

export function bindShop(shop: Knowledge = shopKnowledge()): BoundKnowledge {
  return bindKnowledge(shop, { catalog: catalogOf(sqliteDialect, SHOP_TABLES), dialect: sqliteDialect });
}

export function openShop(): Database.Database {
  const database = new Database(':memory:');
  database.exec(SHOP_SQL);
  return database;
}

/** A cell as a pipeline finds it. */
export function cell(place: string, value: string, mention: string = value): ValueMatch {
  const [table = '', column = ''] = place.split('.');
  return { mention, value, score: 1, attribute: attributeId(relationId([table]), column) };
}
