import type { DataType, Row } from '@askema/core';
import {
  ACCEPTED,
  dataset,
  field,
  join,
  knowledge,
  metric,
} from '../../../packages/knowledge/src/bind/test-support/model-parts.ts';
import { resultHash } from '../../../packages/knowledge/src/check/result-hash.ts';
import type { Knowledge, VerifiedQuery } from '../../../packages/knowledge/src/index.ts';
import type { StoreTable } from '../../same-answers/store-tables.ts';

type Column = StoreTable['columns'][number];

const column = (name: string, type: Column['type'], notNull = false): Column => ({ name, type, notNull });

/** No key of `orders` and `regions` is enforced: two orders are number 2, and north has two managers. */
export const TABLES: readonly StoreTable[] = [
  {
    name: 'customers',
    columns: [column('customer_id', 'integer', true), column('region', 'text')],
    key: ['customer_id'],
    foreignKeys: [],
    rows: [
      [1, 'north'],
      [2, 'south'],
      [3, 'south'],
    ],
  },
  {
    name: 'regions',
    columns: [column('region', 'text'), column('manager', 'text')],
    key: [],
    foreignKeys: [],
    rows: [
      ['north', 'Ada'],
      ['north', 'Bo'],
      ['south', 'Cy'],
    ],
  },
  {
    name: 'orders',
    columns: [
      column('order_id', 'integer'),
      column('customer_id', 'integer'),
      column('amount', 'decimal'),
      column('status', 'text'),
      column('ordered_at', 'date'),
      column('is_open', 'boolean'),
    ],
    key: [],
    foreignKeys: [],
    rows: [
      [1, 1, 10.5, 'paid', '2024-01-05', 0],
      [2, 2, 20, 'paid', '2024-02-29', 0],
      [2, 9, 4.25, 'open', '2024-03-01', 1],
      [null, null, 7, 'open', '2024-03-31', 1],
    ],
  },
];

const dimension = { dimension: {} };
const value = (one: string | boolean) => ({ value: one, synonyms: [] });

function query(id: string, question: string, sql: string, expected?: VerifiedQuery['expected']): VerifiedQuery {
  const standing = { ...ACCEPTED, place: { file: `sql/${id}.md`, line: 1 } };
  return { id, question, sql, names: 'logical', parameters: [], tags: [], standing, expected };
}

/** As if the result had been pinned on another engine. */
function pinned(types: Readonly<Record<string, DataType>>, rows: readonly Row[]): VerifiedQuery['expected'] {
  const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
  return { columns: Object.keys(types), rows: resultHash({ columns, rows }) };
}

/** Knowledge with a defect of each kind that only the rows, or the engine, can tell. */
export const PLANTED: Knowledge = knowledge(
  {
    datasets: [
      dataset('customers', [field('region', 'region', dimension)], { primaryKey: ['customer_id'] }),
      dataset('regions', [field('manager', 'manager', dimension)]),
      dataset('west', [field('customer_id')], { source: 'customers', defaultFilter: "region = 'west'" }),
      dataset('numbers', [field('one'), field('gone')], { source: 'SELECT 1 AS one' }),
      dataset('nothing', [field('one')], { source: 'SELECT no_such_function(1) AS one' }),
      dataset(
        'orders',
        [
          field('order_id'),
          field('amount'),
          field('status', 'status', { ...dimension, values: [value('paid'), value('opened')] }),
          field('is_open', 'is_open', { type: 'Boolean', values: [value(true), value(false)] }),
          field('ordered_at', 'ordered_at', { dimension: { isTime: true } }),
        ],
        { primaryKey: ['order_id'], defaultTime: 'ordered_at' },
      ),
    ],
    relationships: [
      join('orders.customer_id > customers.customer_id'),
      join('customers.region > regions.region'),
      join('numbers.lost > customers.customer_id'),
    ],
    metrics: [
      metric('revenue', 'SUM(orders.amount)'),
      metric('customer_count', 'COUNT(customers.customer_id)'),
      metric('of_the_west', 'SUM(west.customer_id)'),
      metric('failing', 'SUM(numbers.gone)'),
    ],
    filters: [
      { name: 'settled', dataset: 'orders', condition: "status = 'settled'", synonyms: [], standing: ACCEPTED },
      { name: 'failing', dataset: 'numbers', condition: 'gone > 1', synonyms: [], standing: ACCEPTED },
    ],
  },
  {
    verifiedQueries: [
      query(
        'groups',
        'Amount by status?',
        'SELECT status, COUNT(*) AS n, SUM(amount) AS total FROM orders GROUP BY status',
        pinned({ status: 'TEXT', n: 'NUMERIC', total: 'NUMERIC' }, [
          ['paid', 2, 30.5],
          ['open', 2, 11.25],
        ]),
      ),
      query(
        'cells',
        'When was the first?',
        'SELECT ordered_at, is_open FROM orders WHERE order_id = 1',
        pinned({ ordered_at: 'DATETIME', is_open: 'BOOL' }, [['2024-01-05', false]]),
      ),
      query(
        'metric',
        'Revenue?',
        'SELECT metric(revenue) AS total, COUNT(*) AS n FROM customers',
        pinned({ total: 'NUMERIC', n: 'NUMERIC' }, [[41.75, 3]]),
      ),
      query('columns', 'What is open?', 'SELECT amount FROM orders', { columns: ['open_amount'] }),
      query('rows', 'Which regions are there?', 'SELECT region FROM customers', { columns: ['region'], rows: '0' }),
      query('none', 'Orders of nobody?', 'SELECT amount FROM orders WHERE order_id = 99'),
      query('fails', 'What fails?', 'SELECT no_such_function(amount) FROM orders'),
      query('unknown', 'What is unknown?', 'SELECT metric(revenu)'),
      query('writes', 'Remove all?', 'DELETE FROM orders'),
      query('one', 'Please show me the number of orders', 'SELECT COUNT(*) AS n FROM orders'),
      query('other', 'number of orders', 'SELECT COUNT(order_id) AS n FROM orders'),
    ],
  },
);
