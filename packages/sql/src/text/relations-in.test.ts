import { fixtureDialect } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { qualifiedRelations, relationPlaces, relationsIn } from './relations-in.ts';

describe('relationsIn', () => {
  it.each([
    ['SELECT * FROM orders o JOIN "Order Items" i ON i.id = o.id', [['orders'], ['Order Items']]],
    [
      'SELECT a, b FROM sales.orders, customers WHERE x IN (SELECT y FROM regions)',
      [['sales', 'orders'], ['customers'], ['regions']],
    ],
    ['WITH big AS (SELECT * FROM orders) SELECT * FROM big JOIN orders ON 1 = 1', [['orders']]],
    ["SELECT EXTRACT(YEAR FROM placed), 'FROM x' FROM orders -- FROM y", [['orders']]],
    ['SELECT 1 WHERE a IS DISTINCT FROM b', []],
    ['SELECT * FROM generate_series(1, 3) g', []],
    ['SELECT * FROM (SELECT * FROM a UNION ALL SELECT * FROM b) x ORDER BY 1, 2', [['a'], ['b']]],
    ['SELECT m.x FROM (WITH a AS (SELECT 1 FROM t), b AS (SELECT * FROM a) SELECT * FROM b) AS m, b', [['t'], ['b']]],
    ['SELECT * FROM (with_tax) x', [['with_tax']]],
    ['SELECT 1', []],
    ['', []],
    ['FROM FROM ((', []],
  ])('%s', (sql, relations) => {
    expect(relationsIn(sql, fixtureDialect.lexer)).toEqual(relations);
  });
});

it('relationPlaces tells where a name stands, whole', () => {
  const sql = 'SELECT 1 FROM a JOIN sales."Order Items" AS i ON 1 = 1';
  const places = relationPlaces(sql, fixtureDialect.lexer);
  expect(places.map(({ start, end }) => sql.slice(start, end))).toEqual(['a', 'sales."Order Items"']);
});

it('columns of a text that a server writes back, with their database or without', () => {
  const columnsOf = (sql: string) =>
    qualifiedRelations(sql, fixtureDialect.lexer).map(({ relation, columns }) => [relation, ...columns]);
  expect(columnsOf('select "shop"."u"."id","u"."email" from "shop"."users" "u"')).toEqual([['users', 'email', 'id']]);
  expect(columnsOf('select "users"."email" from "shop"."odd" join "shop"."users"')).toEqual([
    ['odd'],
    ['users', 'email'],
  ]);
  expect(columnsOf('select "shop"."id" from "shop"."shop"')).toEqual([['shop', 'id']]);
  expect(columnsOf('select "u"."n" from (select "shop"."u"."id" AS "n" from "shop"."users" "u") "u"')).toEqual([
    ['users', 'id'],
  ]);
});
