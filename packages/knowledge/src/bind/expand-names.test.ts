import { snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { expect, it } from 'vitest';
import { bindKnowledge } from './bind-knowledge.ts';
import { expandNames } from './expand-names.ts';
import { catalogOf, dataset, field, knowledge } from './test-support/model-parts.ts';

const model = knowledge({
  datasets: [
    dataset('orders', [field('net', 'amount - tax'), field('Kind', 'kind')], { source: 'raw_orders' }),
    dataset('shops', [field('name')], { source: 'shops' }),
  ],
});
const tables = { raw_orders: ['amount INTEGER', 'tax INTEGER', 'kind TEXT'], shops: ['name TEXT'] };
const catalog = catalogOf(sqliteDialect, tables);
const bound = bindKnowledge(model, { catalog, dialect: sqliteDialect });

const ORDERS = '(SELECT t."amount" - t."tax" AS net, t."kind" AS Kind FROM raw_orders t)';
const NET = '(SELECT t."amount" - t."tax" AS net FROM raw_orders t)';
const SHOPS = '(SELECT t."name" AS name FROM shops t)';

it.each([
  ['SELECT SUM(net) FROM orders', `SELECT SUM(net) FROM ${NET} AS orders`],
  ['SELECT *, 2 * 3 FROM orders', `SELECT *, 2 * 3 FROM ${ORDERS} AS orders`],
  ['SELECT o.net FROM orders o WHERE 1 = 1', `SELECT o.net FROM ${NET} o WHERE 1 = 1`],
  ['SELECT COUNT(*) FROM orders AS "x"', 'SELECT COUNT(*) FROM (SELECT 1 FROM raw_orders t) AS "x"'],
  [
    'SELECT __orders.net FROM __orders LEFT JOIN shops ON shops.name = __orders.kind',
    `SELECT __orders.net FROM ${ORDERS} AS __orders LEFT JOIN ${SHOPS} AS shops ON shops.name = __orders.kind`,
  ],
  [
    'WITH o AS (SELECT net FROM ORDERS) SELECT * FROM o, shops ORDER BY 1',
    `WITH o AS (SELECT net FROM ${ORDERS} AS ORDERS) SELECT * FROM o, ${SHOPS} AS shops ORDER BY 1`,
  ],
  ["SELECT 'FROM orders' -- FROM orders", "SELECT 'FROM orders' -- FROM orders"],
])('%s', (sql, expanded) => {
  expect(expandNames(sql, bound)).toBe(expanded);
});

it('names fields as an unquoted name of the engine is stored', () => {
  const upper = catalogOf(snowflakeDialect, {
    RAW_ORDERS: ['AMOUNT INTEGER', 'TAX INTEGER', 'KIND TEXT'],
    SHOPS: ['NAME TEXT'],
  });
  const snowflake = bindKnowledge(model, { catalog: upper, dialect: snowflakeDialect });
  expect(expandNames('SELECT net FROM orders', snowflake)).toContain('AS NET FROM');
});

it('refuses what is no dataset, with the nearest one', () => {
  expect(() => expandNames('SELECT 1 FROM ordrs', bound)).toThrow(
    'There is no dataset `ordrs`. Did you mean `orders`?',
  );
  expect(() => expandNames('SELECT 1 FROM tenant_b.orders', bound)).toThrow('There is no dataset `tenant_b.orders`.');
});
