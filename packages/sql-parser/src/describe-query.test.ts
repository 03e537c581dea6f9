import type { Dialect, Span } from '@askema/core';
import { bigqueryDialect, duckdbDialect, mysqlDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import type { QueryShape } from '@askema/sql';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { nodeSqlParser, sqlparserTs } from './index.ts';
import { slice } from './test-support/slice.ts';

vi.setConfig({ testTimeout: 60_000 });

const parser = sqlparserTs({ timeoutMs: 30_000 });
const second = nodeSqlParser({ timeoutMs: 30_000 });
afterAll(() => Promise.all([parser.close(), second.close()]));

async function shapeOf(sql: string, dialect: Dialect = snowflakeDialect): Promise<QueryShape> {
  const result = await parser.parse(sql, dialect);
  if (!result.ok) throw new Error(result.reason);
  return result.shape;
}

test('a mistake has its place in the source, behind other statements and emoji', async () => {
  const sql = "SET x = '😀😀';\n\n  SELECT '😀', a FROM t WHERE )";
  const result = await parser.parse(sql, snowflakeDialect);
  expect(result).toMatchObject({ ok: false, failure: 'syntax', position: sql.indexOf(')') });
  const other = await second.parse(sql, snowflakeDialect);
  expect(other).toMatchObject({ ok: false, failure: 'syntax', position: sql.indexOf(')') });
});

test('a comment ends where the engine ends it', async () => {
  const sql = 'SELECT a --\r, b\nFROM t # c\n';
  expect((await shapeOf(sql.replace('# c', '-- c'), duckdbDialect)).blocks[0]?.items).toHaveLength(2);
  expect((await shapeOf(sql, mysqlDialect)).blocks[0]?.items).toHaveLength(1);
});

test.each([
  ['nothing', ''],
  ['a comment', '-- SELECT 1'],
  ['a statement that is none', 'DROP TABLE t'],
])('no query: %s', async (_, sql) => {
  expect(await parser.parse(sql, snowflakeDialect)).toMatchObject({ ok: false, failure: 'no query' });
});

test('a source that is too long is refused', async () => {
  const small = sqlparserTs({ maxLength: 20 });
  const result = await small.parse("SELECT 'a long text that is too long'", snowflakeDialect);
  expect(result).toMatchObject({ ok: false, failure: 'too complex', reason: expect.stringContaining('more than 20') });
  await small.close();
});

test('the last query of a script is described, with the span and the number of its statement', async () => {
  const sql = 'DECLARE d INT64;\nSELECT 1;\nSELECT a FROM t; -- end';
  const shape = await shapeOf(sql, bigqueryDialect);
  expect(slice(sql, shape.statement)).toBe('SELECT a FROM t');
  expect(shape).toMatchObject({ statementCount: 3, parsedAs: 'bigquery' });
});

test.each([
  ['sqlparser-ts', parser],
  ['node-sql-parser', second],
])("a dialect of somebody else's name is read by the grammar that it names: %s", async (_, own) => {
  const mariadb: Dialect = { ...mysqlDialect, name: 'mariadb', displayName: 'MariaDB' };
  const sql = "SELECT `na me` FROM t WHERE city = \"Salt\" AND note = 'it\\'s'";
  const result = await own.parse(sql, mariadb);
  if (!result.ok) throw new Error(result.reason);
  const [block] = result.shape.blocks;
  expect(result.shape.parsedAs).toBe('mysql');
  expect(block?.columns.map(({ name }) => name.text)).toEqual(['na me', 'city', 'note']);
  expect(block?.filters.map(({ right }) => right[0]?.literal?.value)).toEqual([
    'Salt',
    expect.stringMatching(/^it\\?'s$/),
  ]);
});

describe.each([
  ['sqlparser-ts', parser],
  ['node-sql-parser', second],
])('operators of MySQL alone: %s', (_, own) => {
  /** The block of a statement as the grammar of MySQL reads it, with its columns and filters as texts. */
  const read = async (sql: string) => {
    const result = await own.parse(sql, mysqlDialect);
    if (!result.ok) throw new Error(result.reason);
    expect(result.shape.parsedAs).toBe('mysql');
    const block = result.shape.blocks[0];
    const text = (span: Span): string => sql.slice(span.start, span.end);
    return {
      columns: block?.columns.map(({ span }) => text(span)),
      filters: block?.filters.map(({ operator, negated, span, left, right }) => [
        negated ? `not ${operator}` : operator,
        ...(right.length === 0 ? [text(span)] : [left, ...right].map((operand) => text(operand.span))),
      ]),
      where: block?.conditions.where?.kind,
      joins: block?.joins.map(({ condition }) => condition?.kind),
    };
  };

  test('DIV is an operator between two columns', async () => {
    expect(await read('SELECT a DIV b, c div 2 AS half, t.`DIV` FROM t WHERE d DIV 10 = 3 AND e > 1')).toMatchObject({
      columns: ['a', 'b', 'c', 't.`DIV`', 'd', 'e'],
      filters: [
        ['=', 'd DIV 10', '3'],
        ['>', 'e', '1'],
      ],
    });
  });

  test('<=> compares as IS NOT DISTINCT FROM does, and a text that looks like it stays', async () => {
    expect(await read("SELECT a <=> b FROM t WHERE c <=> NULL AND d = '<=>' AND e <=> f /* <=> */")).toMatchObject({
      columns: ['a', 'b', 'c', 'd', 'e', 'f'],
      filters: [
        ['not is distinct from', 'c', 'NULL'],
        ['=', 'd', "'<=>'"],
        ['not is distinct from', 'e', 'f'],
      ],
    });
    expect(await read('SELECT x FROM t JOIN u ON t.a <=> u.a WHERE (t.b = t.c) <=> u.d')).toMatchObject({
      joins: ['filter'],
      filters: [
        ['not is distinct from', 't.a', 'u.a'],
        ['not is distinct from', '(t.b = t.c)', 'u.d'],
      ],
    });
  });

  test('XOR binds looser than AND, and tighter than OR', async () => {
    expect(await read('SELECT 1 FROM t WHERE a AND b XOR c')).toMatchObject({
      columns: ['a', 'b', 'c'],
      filters: [['holds', 'a AND b XOR c']],
      where: 'filter',
    });
    expect(await read('SELECT 1 FROM t WHERE a = 1 AND (b XOR c) AND d = 2')).toMatchObject({
      filters: [
        ['=', 'a', '1'],
        ['holds', 'b XOR c'],
        ['=', 'd', '2'],
      ],
      where: 'and',
    });
    expect((await read('SELECT 1 FROM t WHERE a XOR b OR c = 1')).where).toBe('or');
  });
});

test('where the own grammar refuses, a wider one is tried and named', async () => {
  const sql = "SELECT a FROM t WHERE a ~ 'x'";
  const own = await shapeOf(sql, { ...sqliteDialect, grammar: 'postgresql' });
  expect(own.parsedAs).toBe('postgresql');
  const unknown = await shapeOf('SELECT a FROM t', { ...sqliteDialect, grammar: undefined });
  expect(unknown.parsedAs).toBe('generic');
  const filtered = await shapeOf('SELECT COUNT(*) FILTER (WHERE a > 1) FROM t', snowflakeDialect);
  expect(filtered.parsedAs).not.toBe('snowflake');
  expect(filtered.blocks[0]?.calls[0]).toMatchObject({ kind: 'aggregate', star: true, columns: [0] });
});

test('literals carry their type and value', async () => {
  const sql = "SELECT 1 FROM t WHERE a = 'it''s' AND b = -2.50 AND c = TRUE AND d > DATE '2024-01-01' AND e = NULL";
  const { blocks } = await shapeOf(sql);
  expect(blocks[0]?.filters.map((filter) => filter.right[0]?.literal)).toEqual([
    { type: 'string', value: "it's", dataType: undefined },
    { type: 'number', value: '-2.50', dataType: undefined },
    { type: 'boolean', value: 'true', dataType: undefined },
    { type: 'typed', value: '2024-01-01', dataType: 'DATE' },
    { type: 'null', value: 'null', dataType: undefined },
  ]);
});

test('qualifiers lead to relations, also to those around a correlated sub-query', async () => {
  const { blocks } = await shapeOf(
    'SELECT o.id FROM db.orders o WHERE EXISTS (SELECT 1 FROM items i WHERE i.order_id = o.id AND x.y = 1)',
  );
  expect(blocks[1]?.columns.map((column) => column.relation)).toEqual([
    { block: 1, relation: 0 },
    { block: 0, relation: 0 },
    undefined,
  ]);
});

test('a CTE does not see the FROM around its WITH', async () => {
  const { blocks } = await shapeOf('WITH c AS (SELECT t.a FROM u) SELECT t.b FROM t, c');
  expect(blocks[1]?.columns[0]?.relation).toBeUndefined();
  expect(blocks[0]?.columns[0]?.relation).toEqual({ block: 0, relation: 0 });
});

test('aliases and positions lead to items', async () => {
  const { blocks } = await shapeOf(
    'SELECT a AS x, SUM(b) AS y FROM t GROUP BY x, 1 ORDER BY y DESC, 2 LIMIT 7 OFFSET 3',
  );
  const [block] = blocks;
  expect(block?.columns.filter(({ clause }) => clause !== 'select').map(({ item }) => item)).toEqual([0, 1]);
  expect(block?.groupings.map(({ kind, item }) => [kind, item])).toEqual([
    ['column', undefined],
    ['position', 0],
  ]);
  expect(block?.orderBy.map(({ kind, item, direction }) => [kind, item, direction])).toEqual([
    ['column', undefined, 'desc'],
    ['position', 1, 'asc'],
  ]);
  expect(block?.items.map(({ isAggregate }) => isAggregate)).toEqual([false, true]);
  expect(block?.limit).toMatchObject({ count: '7', offset: '3' });
});

test('clauses have spans with their keywords', async () => {
  const sql = 'WITH c AS (SELECT 1 AS a) SELECT a FROM c WHERE a > 0 GROUP BY a HAVING a < 9 ORDER BY a LIMIT 1';
  const { blocks } = await shapeOf(sql);
  const clauses = Object.fromEntries(
    Object.entries(blocks[0]?.clauses ?? {}).map(([key, span]) => [key, slice(sql, span)]),
  );
  expect(clauses).toEqual({
    with: 'WITH c AS (SELECT 1 AS a)',
    select: 'SELECT a',
    from: 'FROM c',
    where: 'WHERE a > 0',
    'group by': 'GROUP BY a',
    having: 'HAVING a < 9',
    'order by': 'ORDER BY a',
    limit: 'LIMIT 1',
  });
});

test('MAX of several arguments is no aggregate in SQLite', async () => {
  const { blocks } = await shapeOf('SELECT MAX(a, b), MAX(c) FROM t', sqliteDialect);
  expect(blocks[0]?.calls.map(({ kind }) => kind)).toEqual(['scalar', 'aggregate']);
});

test('a tree that lets AND bind looser than OR is not believed', async () => {
  const sql = 'SELECT a FROM t WHERE a = 1 AND b = 2 OR c = 3';
  const result = await second.parse(sql, snowflakeDialect);
  if (result.ok) expect(result.shape.blocks[0]?.conditions.where?.kind).toBe('or');
  else expect(result.failure).toBe('not located');
});
