import { DatabaseSync } from 'node:sqlite';
import type { Dialect } from '@askema/core';
import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { sqlparserTs } from '@askema/sql-parser';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type ActionsOfQuery, actionsOfQuery } from './actions-of-query.ts';
import { assembleSql } from './assemble-sql.ts';
import { describeAction } from './describe-action.ts';

// A worker starts once a file; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const parser = sqlparserTs({ timeoutMs: 30_000 });
const database = new DatabaseSync(':memory:');
database.exec(`
  CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);
  CREATE TABLE concert (id INTEGER PRIMARY KEY, singer_id INTEGER, year INTEGER, "a title" TEXT);
  INSERT INTO singer VALUES (1, 'Ann', 'France', 20), (2, 'O''Neill', 'Ireland', 40), (3, 'Bo', NULL, 30), (4, 'Cy', 'France', 50);
  INSERT INTO concert VALUES (1, 1, 2014, 'x'), (2, 1, 2015, 'y%'), (3, 2, 2014, NULL), (4, 4, 2016, 'x'), (5, NULL, 2016, 'z');
`);
afterAll(async () => {
  database.close();
  await parser.close();
});

async function actionsOf(sql: string, dialect: Dialect = sqliteDialect): Promise<ActionsOfQuery> {
  const parsed = await parser.parse(sql, dialect);
  if (!parsed.ok) throw new Error(`${sql}: ${parsed.reason}`);
  return actionsOfQuery(sql, parsed.shape, dialect);
}

const described = ({ actions }: ActionsOfQuery): readonly string[] => actions.map(describeAction);

/** A statement, then what it is as actions. */
const STATEMENTS: readonly (readonly [string, ...string[]])[] = [
  [
    "SELECT DISTINCT s.name, count(*) AS n FROM singer AS s LEFT JOIN concert c ON s.id = c.singer_id AND c.year > 2014 WHERE s.country = 'France' AND s.age <> 20 GROUP BY s.name HAVING count(*) >= 1 ORDER BY n DESC, s.name LIMIT 2 OFFSET 0",
    'add_from(singer as s, left join concert as c on s.id = c.singer_id and c.year > 2014)',
    "add_where(s.country = 'France')",
    'add_where(and s.age <> 20)',
    'add_group_by(s.name)',
    'add_having(count(*) >= 1)',
    'add_select(distinct s.name, count(*) as n)',
    'add_order_by(n desc, s.name asc)',
    'add_limit(2)',
  ],
  [
    "SELECT name FROM singer WHERE (country = 'France' OR country IS NULL) AND (age BETWEEN 25 AND 60 OR name LIKE '%nn%') AND name NOT IN ('x', 'y')",
    'add_from(singer)',
    "add_where(country = 'France'; group 1)",
    'add_where(or country is null; group 1)',
    'add_where(and age between 25 and 60; group 2)',
    "add_where(or name like '%nn%'; group 2)",
    "add_where(and name not in ('x', 'y'))",
    'add_select(name)',
  ],
  [
    "SELECT name FROM singer WHERE country = 'Ireland' OR age > 20 AND (country = 'France' OR age < 35)",
    'add_from(singer)',
    "add_where(country = 'Ireland')",
    "add_where(or age > 20 AND (country = 'France' OR age < 35))",
    'add_select(name)',
  ],
  [
    "SELECT name FROM singer WHERE NOT (age > 30 OR country = 'x') AND name LIKE 'O''N%' ESCAPE '!' AND age NOT BETWEEN 1 AND 2",
    'add_from(singer)',
    "add_where(NOT (age > 30 OR country = 'x'))",
    "add_where(and name LIKE 'O''N%' ESCAPE '!')",
    'add_where(and age NOT BETWEEN 1 AND 2)',
    'add_select(name)',
  ],
  [
    'SELECT name, (SELECT max(year) FROM concert WHERE singer_id = singer.id) AS latest FROM singer WHERE age > (SELECT avg(age) FROM singer) AND id IN (SELECT singer_id FROM concert) AND EXISTS (SELECT 1 FROM concert c WHERE c.singer_id = singer.id)',
    'add_from(singer)',
    'qa($q1, value: SELECT avg(age) FROM singer)',
    'add_where(age > $q1)',
    'qa($q2, list: SELECT singer_id FROM concert)',
    'add_where(and id in ($q2))',
    'qa($q3, list: SELECT 1 FROM concert c WHERE c.singer_id = singer.id)',
    'add_where(and exists $q3)',
    'qa($q4, value: SELECT max(year) FROM concert WHERE singer_id = singer.id)',
    'add_select(name, $q4 as latest)',
  ],
  [
    'WITH recent AS (SELECT * FROM concert WHERE year > 2014), many AS (SELECT singer_id FROM recent) SELECT s.name FROM (SELECT * FROM singer) s, many WHERE s.id = many.singer_id',
    'qa($recent, rows: SELECT * FROM concert WHERE year > 2014)',
    'qa($many, rows: SELECT singer_id FROM recent)',
    'qa($q3, list: SELECT * FROM singer)',
    'add_from($q3 as s, cross join $many)',
    'add_where(s.id = many.singer_id)',
    'add_select(s.name)',
  ],
  [
    'SELECT country FROM singer WHERE age > 25 EXCEPT SELECT country FROM singer WHERE age > 45 UNION ALL SELECT name FROM singer ORDER BY 1 LIMIT 2',
    'add_from(singer)',
    'add_where(age > 25)',
    'add_select(country)',
    'add_merge(except)',
    'add_from(singer)',
    'add_where(age > 45)',
    'add_select(country)',
    'add_merge(union all)',
    'add_from(singer)',
    'add_select(name)',
    'add_order_by(1 asc)',
    'add_limit(2)',
  ],
  [
    "SELECT CASE WHEN age > 30 /* old */ THEN 'old' ELSE 'young' END AS stage, rank() OVER (ORDER BY age DESC), age / 2.0 FROM singer CROSS JOIN (SELECT 1) ORDER BY name NULLS LAST -- all",
    'qa($q1, list: SELECT 1)',
    'add_from(singer, cross join $q1)',
    "add_select(CASE WHEN age > 30 THEN 'old' ELSE 'young' END as stage, rank() OVER (ORDER BY age DESC), age / 2.0)",
    'add_order_by(name asc nulls last)',
  ],
  [
    'SELECT c."a title" AS "the title", c.* FROM "concert" c ORDER BY "the title"',
    'add_from("concert" as c)',
    'add_select(c."a title" as "the title", c.*)',
    'add_order_by("the title" asc)',
  ],
  ["SELECT 1 + 1, 'a;b'", "add_select(1 + 1, 'a;b')"],
];

describe('a statement as actions, and back', () => {
  it.each(STATEMENTS)('%s', async (sql, ...actions) => {
    const found = await actionsOf(sql);
    expect(found.problems).toEqual([]);
    expect(described(found)).toEqual(actions);
    const again = assembleSql(found.actions, { dialect: sqliteDialect, answers: found.answers });
    expect(again.problems).toEqual([]);
    expect(database.prepare(again.sql).all()).toEqual(database.prepare(sql).all());
    // The second time nothing changes but the numbers of sub-questions.
    const second = await actionsOf(again.sql);
    const unnumbered = (lines: readonly string[]) =>
      lines.map((line) => line.replace(/\$q\d+/g, '$q').replace(/ as q\d+/g, ''));
    expect(unnumbered(described(second))).toEqual(unnumbered(described(found)));
  });

  it('knows which part of the source each action says', async () => {
    const sql =
      "SELECT name FROM singer WHERE age > 1 AND country = 'x' GROUP BY name HAVING count(*) > 1 ORDER BY name LIMIT 3";
    const { spans } = await actionsOf(sql);
    expect(spans.map(({ span }) => sql.slice(span.start, span.end))).toEqual([
      'FROM singer',
      'age > 1',
      "country = 'x'",
      'GROUP BY name',
      'HAVING count(*) > 1',
      'SELECT name',
      'ORDER BY name',
      'LIMIT 3',
    ]);
  });
});

it('SQLite reads every literal as the cell that it was', () => {
  const cell = fc.string({
    unit: fc.oneof(fc.constantFrom("'", '"', '\\', '\n', '%', ';', '-'), fc.string({ unit: 'grapheme', maxLength: 1 })),
  });
  const number = fc.integer().map((eighths) => String(eighths / 8));
  const isSame = (kind: 'text' | 'number', value: string): unknown => {
    const { sql, problems } = assembleSql(
      [
        { action: 'add_select', distinct: false, items: [{ expression: '1', alias: 'same' }] },
        { action: 'add_where', left: '?1', operator: '=', right: [{ kind, value }] },
      ],
      { dialect: sqliteDialect },
    );
    expect(problems).toEqual([]);
    return database.prepare(sql).get(kind === 'text' ? value : Number(value));
  };
  fc.assert(
    fc.property(cell, (value) => {
      fc.pre(!value.includes('\0'));
      expect(isSame('text', value)).toEqual({ same: 1 });
    }),
  );
  fc.assert(
    fc.property(number, (value) => {
      expect(isSame('number', value)).toEqual({ same: 1 });
    }),
  );
});

describe('what actions cannot say is listed', () => {
  it.each<[string, Dialect, RegExp]>([
    ['SELECT a FROM t QUALIFY row_number() OVER (ORDER BY a) = 1', snowflakeDialect, /QUALIFY/],
    ['SELECT sum(a) OVER w FROM t WINDOW w AS (ORDER BY b)', sqliteDialect, /WINDOW w/],
    ['SELECT a FROM t JOIN u USING (id)', sqliteDialect, /USING/],
    ['SELECT a FROM t NATURAL JOIN u', sqliteDialect, /NATURAL/],
    ['WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT 2) SELECT * FROM r', sqliteDialect, /RECURSIVE/],
    ['WITH c (a) AS (SELECT 1) SELECT a FROM c', sqliteDialect, /names its columns/],
    ['SELECT a FROM t LIMIT ?', sqliteDialect, /LIMIT \?/],
    ['SELECT a FROM t TABLESAMPLE SYSTEM (10 PERCENT)', bigqueryDialect, /TABLESAMPLE/],
    ['SELECT a FROM t LEFT JOIN (u JOIN v ON u.x = v.x) ON t.x = u.x', sqliteDialect, /join|nested|\(/],
    ['VALUES (1), (2)', sqliteDialect, /kind values/],
    ['SELECT 1; SELECT 2', sqliteDialect, /several statements/],
  ])('%s', async (sql, dialect, message) => {
    const { problems } = await actionsOf(sql, dialect);
    expect(problems.map(({ message: text }) => text).join('\n')).toMatch(message);
  });
});

describe('other dialects', () => {
  it.each<[Dialect, string, readonly string[], string]>([
    [
      snowflakeDialect,
      'WITH "daily" AS (SELECT * FROM DB.PUBLIC."events") SELECT d."day", f.value:name::STRING AS n FROM "daily" d, LATERAL FLATTEN(input => d."items") f',
      [
        'qa($"daily", rows: SELECT * FROM DB.PUBLIC."events")',
        'add_from("daily" as d, cross join LATERAL FLATTEN(input => d."items") as f)',
        'add_select(d."day", f.value:name::STRING as n)',
      ],
      'WITH "daily" AS (\nSELECT * FROM DB.PUBLIC."events"\n)\nSELECT d."day", f.value:name::STRING AS n\nFROM "daily" AS d\nCROSS JOIN LATERAL FLATTEN(input => d."items") AS f',
    ],
    [
      bigqueryDialect,
      "SELECT hit.page, 'it\\'s' FROM `p.d.sessions_*`, UNNEST(hits) AS hit WHERE name = 'a\\'b' UNION DISTINCT SELECT a, b FROM t",
      [
        'add_from(`p.d.sessions_*`, cross join UNNEST(hits) as hit)',
        "add_where(name = 'a''b')",
        "add_select(hit.page, 'it\\'s')",
        'add_merge(union)',
        'add_from(t)',
        'add_select(a, b)',
      ],
      "SELECT hit.page, 'it\\'s'\nFROM `p.d.sessions_*`\nCROSS JOIN UNNEST(hits) AS hit\nWHERE name = 'a\\'b'\nUNION DISTINCT\nSELECT a, b\nFROM t",
    ],
  ])('%#', async (dialect, sql, actions, written) => {
    const found = await actionsOf(sql, dialect);
    expect(found.problems).toEqual([]);
    expect(described(found)).toEqual(actions);
    expect(assembleSql(found.actions, { dialect, answers: found.answers })).toMatchObject({
      sql: written,
      problems: [],
    });
  });

  it('the last query of a set operation with a limit of its own', async () => {
    const sql = '(SELECT a FROM t ORDER BY a LIMIT 1) UNION ALL (SELECT a FROM u ORDER BY a LIMIT 1)';
    const found = await actionsOf(sql, snowflakeDialect);
    expect(found.problems).toEqual([]);
    expect(assembleSql(found.actions, { dialect: snowflakeDialect, answers: found.answers }).sql).toBe(
      '(SELECT a\nFROM t\nORDER BY a\nLIMIT 1)\nUNION ALL\nSELECT *\nFROM (SELECT a FROM u ORDER BY a LIMIT 1) AS q1',
    );
  });
});
