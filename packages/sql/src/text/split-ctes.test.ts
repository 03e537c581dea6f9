import type { CteSplit } from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { prefixQuery } from './prefix-query.ts';
import { splitCtes } from './split-ctes.ts';

const traits = { ...fixtureDialect.lexer, nameFolding: { unquoted: 'upper', comparison: 'sensitive' } as const };
const split = (sql: string): CteSplit => splitCtes(sql, traits);
const bodies = ({ ctes }: CteSplit): Record<string, string> =>
  Object.fromEntries(ctes.map(({ name, body }) => [name, body]));
const final = (sql: string): string => sql.slice(split(sql).final.start, split(sql).final.end);

describe('splitCtes', () => {
  it('names, columns, bodies, spans', () => {
    const sql = `WITH a (x, "y") AS (SELECT ')', 1), "b c" AS NOT MATERIALIZED (SELECT (1)) SELECT * FROM a`;
    const { ctes, recursive, complete } = split(sql);
    expect({ recursive, complete }).toEqual({ recursive: false, complete: true });
    expect(ctes.map(({ name, rawName, columns, materialized }) => ({ name, rawName, columns, materialized }))).toEqual([
      { name: 'A', rawName: 'a', columns: ['X', 'y'], materialized: undefined },
      { name: 'b c', rawName: '"b c"', columns: undefined, materialized: false },
    ]);
    expect(ctes.map(({ body }) => body)).toEqual(["SELECT ')', 1", 'SELECT (1)']);
    expect(ctes.map(({ bodySpan }) => sql.slice(bodySpan.start, bodySpan.end))).toEqual(ctes.map(({ body }) => body));
    expect(ctes.map(({ span }) => sql.slice(span.start, span.end))).toEqual([
      `a (x, "y") AS (SELECT ')', 1)`,
      '"b c" AS NOT MATERIALIZED (SELECT (1))',
    ]);
    expect(final(sql)).toBe('SELECT * FROM a');
  });

  it('statements in front, and comments everywhere', () => {
    const sql = 'SET x = 1; -- a;b\nSET y = 2;/* WITH */ WITH /* ( */ a -- )\n AS (SELECT 1) SELECT 2 ; -- end\n';
    const { prelude, statement } = split(sql);
    expect([...prelude, statement].map(({ start, end }) => sql.slice(start, end).split(' ')[0])).toEqual([
      'SET',
      'SET',
      'WITH',
    ]);
    expect(bodies(split(sql))).toEqual({ A: 'SELECT 1' });
    expect(final(sql)).toBe('SELECT 2');
  });

  it.each([
    '(WITH a AS (SELECT 1) SELECT 2)',
    '((WITH a AS (SELECT 1) SELECT 2))',
    'INSERT INTO t (x, y) WITH a AS (SELECT 1) SELECT 2',
    'INSERT INTO t (x, y) (WITH a AS (SELECT 1) SELECT 2)',
    'CREATE TABLE t AS WITH a AS (SELECT 1) SELECT 2',
    'CREATE VIEW t (x) AS (WITH a AS (SELECT 1) SELECT 2)',
    'EXPLAIN WITH a AS (SELECT 1) SELECT 2',
    'WITH a AS (SELECT 1) (SELECT 2)',
  ])('the WITH leads: %s', (sql) => {
    expect(bodies(split(sql))).toEqual({ A: 'SELECT 1' });
    expect(final(sql)).toMatch(/^\(?SELECT 2\)?$/);
  });

  it.each([
    'SELECT * FROM (WITH a AS (SELECT 1) SELECT 2)',
    'SELECT 1 WHERE x IN (WITH a AS (SELECT 1) SELECT 2)',
    'UPDATE t SET x = (WITH a AS (SELECT 1) SELECT 2)',
    '(WITH a AS (SELECT 1) SELECT 2) UNION SELECT 3',
    '(SELECT 3) EXCEPT (WITH a AS (SELECT 1) SELECT 2)',
  ])('the WITH is of a sub-query: %s', (sql) => {
    const { ctes, subqueries } = split(sql);
    expect(ctes).toEqual([]);
    expect(subqueries.map(bodies)).toEqual([{ A: 'SELECT 1' }]);
    expect(final(sql)).toBe(sql);
  });

  it.each([
    'SELECT * FROM UNNEST(x) AS y WITH OFFSET AS o',
    'SELECT 1 FETCH FIRST 3 ROWS WITH TIES',
    'SELECT CAST(x AS TIMESTAMP WITH TIME ZONE)',
    'SELECT x.WITH a AS (b)',
    "SELECT 'WITH a AS (SELECT 1)'",
    'SELECT 1 -- WITH a AS (SELECT 1)',
    'SELECT "WITH" a',
    'SELECT WITH(a AS 1, a + 1)',
    '',
    ';;',
  ])('there is no CTE: %s', (sql) => {
    expect(split(sql)).toMatchObject({ ctes: [], subqueries: [], recursive: false });
  });

  it('a CTE may be called recursive', () => {
    expect(split('WITH recursive AS (SELECT 1) SELECT 2')).toMatchObject({
      recursive: false,
      ctes: [{ name: 'RECURSIVE' }],
    });
    expect(split('WITH RECURSIVE a AS (SELECT 1) SELECT 2')).toMatchObject({ recursive: true, ctes: [{ name: 'A' }] });
    expect(split('WITH RECURSIVE recursive(x) AS (SELECT 1) SELECT 2')).toMatchObject({ recursive: true });
  });

  it('RECURSIVE may stand in front of a later CTE', () => {
    const sql = 'WITH a AS (SELECT 1), RECURSIVE b AS (SELECT 2) SELECT 3';
    expect(split(sql)).toMatchObject({ recursive: true, ctes: [{ name: 'A' }, { name: 'B', body: 'SELECT 2' }] });
    expect(prefixQuery(sql, split(sql), 2, { traits })).toContain(', RECURSIVE b AS (SELECT 2)\nSELECT * FROM b');
  });

  it('nested ones hang below: at the start of a body, in its sub-queries, in the rest', () => {
    const top = split(`WITH a AS ((WITH b AS (WITH c AS (SELECT 1) SELECT 2) SELECT 3)),
      d AS (SELECT * FROM (WITH e AS (SELECT 4) SELECT 5)) SELECT * FROM (WITH f AS (SELECT 6) SELECT 7)`);
    expect(Object.keys(bodies(top))).toEqual(['A', 'D']);
    expect(top.ctes[0]?.nested?.ctes[0]).toMatchObject({
      name: 'B',
      nested: { ctes: [{ name: 'C', body: 'SELECT 1' }] },
    });
    expect(top.ctes[1]?.nested).toBeUndefined();
    expect(top.subqueries.map(bodies)).toEqual([{ E: 'SELECT 4' }, { F: 'SELECT 6' }]);
  });

  it('SEARCH and CYCLE belong to the CTE', () => {
    const sql =
      'WITH RECURSIVE a AS (SELECT 1) SEARCH DEPTH FIRST BY x, y SET o CYCLE x SET c USING p, b AS (SELECT 2) SELECT 3';
    expect(bodies(split(sql))).toEqual({ A: 'SELECT 1', B: 'SELECT 2' });
    expect(final(sql)).toBe('SELECT 3');
  });

  it('a body that is never closed runs to the end', () => {
    const sql = 'WITH a AS (SELECT 1), b AS (SELECT (2, c AS (SELECT 3) SELECT 4';
    expect(split(sql)).toMatchObject({ complete: false, ctes: [{ name: 'A' }, { name: 'B' }] });
    expect(split(sql).ctes[1]?.body).toBe('SELECT (2, c AS (SELECT 3) SELECT 4');
    expect(final(sql)).toBe('');
  });
});

describe('dependsOn', () => {
  it('of a name that a WITH inside of its own body declares as well', () => {
    const sql =
      'WITH a AS (WITH a AS (SELECT 1), c AS (SELECT * FROM a) SELECT * FROM a), b AS (SELECT * FROM a) SELECT 1';
    const { ctes } = split(sql);
    expect(ctes.map(({ dependsOn }) => dependsOn)).toEqual([[], ['A']]);
    expect(ctes[0]?.nested?.ctes.map(({ dependsOn }) => dependsOn)).toEqual([[], ['A']]);
  });

  const dependencies = (sql: string): unknown =>
    Object.fromEntries(split(sql).ctes.map(({ name, dependsOn }) => [name, dependsOn]));

  it('names where relations stand, compared by the folding of the dialect', () => {
    expect(
      dependencies(`WITH a AS (SELECT 1), "a" AS (SELECT 2), b AS (SELECT * FROM A, "a" x JOIN z USING (a)),
        c AS (SELECT a, EXTRACT(YEAR FROM a), a.x FROM s.a, t.b JOIN ("a" JOIN b ON 1 = 1) ON x IS NOT DISTINCT FROM a),
        d AS (SELECT a FROM z WHERE a IN (SELECT 1 FROM c) ORDER BY a, b) SELECT 1`),
    ).toEqual({ A: [], a: [], B: ['A', 'a'], C: ['a', 'B'], D: ['C'] });
  });

  it('without RECURSIVE a name holds behind its body only', () => {
    expect(dependencies('WITH a AS (SELECT * FROM a, b), b AS (SELECT * FROM a) SELECT 1')).toEqual({
      A: [],
      B: ['A'],
    });
    expect(dependencies('WITH RECURSIVE a AS (SELECT * FROM a, b), b AS (SELECT 1) SELECT 1')).toEqual({
      A: ['A', 'B'],
      B: [],
    });
  });

  it('an inner WITH of the same name hides the outer one, inside of it alone', () => {
    expect(
      dependencies(`WITH a AS (SELECT 1), b AS (WITH a AS (SELECT 2) SELECT * FROM a),
        c AS (SELECT * FROM (WITH a AS (SELECT 3) SELECT * FROM a) JOIN a ON 1 = 1) SELECT 1`),
    ).toEqual({ A: [], B: [], C: ['A'] });
  });
});

describe('prefixQuery', () => {
  const sql =
    'SET x = 1 -- y\n; INSERT INTO t WITH RECURSIVE "a b" AS (SELECT 1 -- c\n), b AS (SELECT 2), c AS (SELECT 3) SELECT 4';

  it('slices what stands in front, and shows the CTE as it is written', () => {
    expect(prefixQuery(sql, split(sql), 1, { traits, maxRows: 7 })).toBe(
      'SET x = 1;\nWITH RECURSIVE "a b" AS (SELECT 1 -- c\n)\nSELECT * FROM "a b"\nLIMIT 7',
    );
    expect(prefixQuery(sql, split(sql), 2, { traits })).toBe(
      'SET x = 1;\nWITH RECURSIVE "a b" AS (SELECT 1 -- c\n), b AS (SELECT 2)\nSELECT * FROM b',
    );
  });

  it('keeps later CTEs that a recursive one reads', () => {
    const recursive =
      'WITH RECURSIVE a AS (SELECT * FROM c), b AS (SELECT 2), c AS (SELECT 3), d AS (SELECT 4) SELECT 5';
    expect(prefixQuery(recursive, split(recursive), 1, { traits })).toBe(
      'WITH RECURSIVE a AS (SELECT * FROM c), b AS (SELECT 2), c AS (SELECT 3)\nSELECT * FROM a',
    );
  });

  it('refuses a CTE that is not there, and odd limits', () => {
    for (const count of [0, 4, 1.5])
      expect(() => prefixQuery(sql, split(sql), count, { traits })).toThrow(/There is no CTE number .* has 3/);
    expect(() => prefixQuery(sql, split(sql), 1, { traits, maxRows: -1 })).toThrow(/`maxRows` is -1/);
  });
});
