import { castType, type Dialect } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../parse-expression.ts';
import { writeExpression } from '../write-expression.ts';
import type { RunStatement } from './calendar-suite.ts';

/** The types of the columns of `samples`, and those for CAST of engines that name them in another way. */
const COLUMNS = {
  id: 'INTEGER',
  d: 'DATE',
  t: 'TIMESTAMP',
  s: 'TEXT',
  n: 'INTEGER',
  x: 'DECIMAL(10, 2)',
  f: 'DOUBLE PRECISION',
  w: 'TEXT',
  b: 'BOOLEAN',
};
const MYSQL_TYPES = {
  TIMESTAMP: 'DATETIME',
  TEXT: 'CHAR',
  INTEGER: 'SIGNED',
  'DOUBLE PRECISION': 'DOUBLE',
  BOOLEAN: 'SIGNED',
};
const CAST_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mysql: MYSQL_TYPES,
  mariadb: MYSQL_TYPES,
  bigquery: { TEXT: 'STRING', INTEGER: 'INT64', 'DECIMAL(10, 2)': 'NUMERIC', 'DOUBLE PRECISION': 'FLOAT64' },
};

const ROWS = [
  ['1', "'2024-01-31'", "'2024-01-31 23:59:59'", "'2024-01-31T23:59:59'", '7', '2.50', '0.5', "'a-b-c'", 'TRUE'],
  ['2', "'2024-02-29'", "'2024-02-29 00:00:00'", "'2024-02-29'", '2', '-1.25', '4', "'Abc'", 'FALSE'],
  ['3', "'2023-12-31'", "'2023-12-31 12:30:15'", "'2023-12-31 12:30:15'", '-2', '0.00', '1000000', "''", 'TRUE'],
  [
    '4',
    "'2024-12-30'",
    "'2024-12-30 06:07:08'",
    "'2024-12-30 06:07:08'",
    '0',
    '10.10',
    '2.25',
    "'it''s 100%'",
    'FALSE',
  ],
  ['5', ...Array.from({ length: 8 }, () => 'NULL')],
];

/** Statements that make the table which the suite reads. */
export function samplesTable(): string[] {
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`);
  const rows = ROWS.map((row) => `(${row.join(', ')})`);
  return [`CREATE TABLE samples (${columns.join(', ')})`, `INSERT INTO samples VALUES ${rows.join(', ')}`];
}

/** The same table as a WITH clause, for engines on which nothing is stored first. */
export function samplesClause({ name, lexer }: Dialect): string {
  const rows = ROWS.map((row) => {
    const cells = Object.entries(COLUMNS).map(([column, type], at) => {
      const cell = (row[at] ?? 'NULL').replace("it''s", lexer.backslashEscapes ? "it\\'s" : "it''s");
      return `CAST(${cell} AS ${CAST_TYPES[name]?.[type] ?? type}) AS ${column}`;
    });
    return `SELECT ${cells.join(', ')}`;
  });
  return `WITH samples AS (${rows.join(' UNION ALL ')})`;
}

type Cell = string | number | null;

/** Values of the five rows. Numbers are compared as numbers, days by their first ten characters. */
const SCALARS: readonly (readonly [text: string, ...cells: Cell[]])[] = [
  ['n / 2', 3.5, 1, -1, 0, null],
  ['1 / 3', ...five(0.333333333333)],
  ['x / n', 2.5 / 7, -0.625, 0, null, null],
  ['n / n / 2', 0.5, 0.5, 0.5, null, null],
  ['n % 4', 3, 2, -2, 0, null],
  ['7 - (n - 1) * 2', -5, 5, 13, 9, null],
  ['-n - -n', 0, 0, 0, 0, null],
  ['n * (2 + 1) % 4', 1, 2, -2, 0, null],
  ["w || '!' || w", 'a-b-c!a-b-c', 'Abc!Abc', '!', "it's 100%!it's 100%", null],
  ["CONCAT(w, '-', w)", 'a-b-c-a-b-c', 'Abc-Abc', '-', "it's 100%-it's 100%", null],
  ["w || 'x' = 'Abcx'", 0, 1, 0, 0, null],
  ['NOT n > 1 AND b OR n = 2', 0, 1, 1, 0, null],
  ['n > 1 = b', 1, 0, 0, 1, null],
  ['n BETWEEN 0 AND 2', 0, 1, 0, 1, null],
  ["w NOT IN ('Abc', '')", 1, 0, 0, 1, null],
  ["w ILIKE 'aB%'", 0, 1, 0, 0, null],
  ["w LIKE '%''s 100%'", 0, 0, 0, 1, null],
  ['n IS NULL', 0, 0, 0, 0, 1],
  ['b IS NOT TRUE', 0, 1, 0, 1, 1],
  ["CASE n WHEN 7 THEN 'seven' WHEN 2 THEN 'two' ELSE 'other' END", 'seven', 'two', 'other', 'other', 'other'],
  ['COALESCE(n, -1) + NVL(n, 1)', 14, 4, -4, 0, 0],
  ["IFF(n > 1, 'more', 'less')", 'more', 'more', 'less', 'less', 'less'],
  ['NULLIF(n, 2)', 7, null, -2, 0, null],
  ['GREATEST(n, x)', 7, 2, 0, 10.1, null],
  ['LEAST(n, x)', 2.5, -1.25, -2, 0, null],
  ['ABS(n) + SIGN(x)', 8, 1, 2, 1, null],
  ['CEIL(x) + FLOOR(x)', 5, -3, 0, 21, null],
  ['ROUND(x, 1)', 2.5, -1.3, 0, 10.1, null],
  ['ROUND(f * 10 / 4, 2)', 1.25, 10, 2.5e6, 5.63, null],
  ['SQRT(ABS(n) + 2)', 3, 2, 2, Math.SQRT2, null],
  ['ROUND(LN(EXP(n)))', 7, 2, -2, 0, null],
  ['ROUND(LOG10(POWER(10, n)))', 7, 2, -2, 0, null],
  ['LENGTH(w)', 5, 3, 0, 9, null],
  ["LENGTH('ä€')", ...five(2)],
  ["UPPER(w) || LOWER(w) || TRIM(' x ')", 'A-B-Ca-b-cx', 'ABCabcx', 'x', "IT'S 100%it's 100%x", null],
  ['SUBSTRING(w, 2, 2)', '-b', 'bc', '', "t'", null],
  ["LEFT(w, 2) || '|' || RIGHT(w, 2)", 'a-|-c', 'Ab|bc', '|', 'it|0%', null],
  ["REPLACE(w, '-', '+')", 'a+b+c', 'Abc', '', "it's 100%", null],
  ["SPLIT_PART(w, '-', 2)", 'b', '', '', '', null],
  ["REGEXP_LIKE(w, 'b')", 1, 1, 0, 0, null],
  ["REGEXP_LIKE(w, '^[A-Z]')", 0, 1, 0, 0, null],
  ['CAST(x AS integer) + 0', 3, -1, 0, 10, null],
  ["CAST('12.4' AS float) * 2", ...five(24.8)],
  ['CAST(n AS varchar(1))', '7', '2', '-', '0', null],
  ['CAST(1.256 AS decimal(10, 2))', ...five(1.26)],
  ['CAST(t AS date)', '2024-01-31', '2024-02-29', '2023-12-31', '2024-12-30', null],
  ['CAST(d AS date)', '2024-01-31', '2024-02-29', '2023-12-31', '2024-12-30', null],
  ['CAST(s AS date)', '2024-01-31', '2024-02-29', '2023-12-31', '2024-12-30', null],
  ["CAST('2024-01-31T23:30:00-05:00' AS date)", ...five('2024-01-31')],
  ["DATE_TRUNC('month', t)", '2024-01-01', '2024-02-01', '2023-12-01', '2024-12-01', null],
  ["DATE_TRUNC('week', s)", '2024-01-29', '2024-02-26', '2023-12-25', '2024-12-30', null],
  ["DATE_TRUNC('quarter', d)", '2024-01-01', '2024-01-01', '2023-10-01', '2024-10-01', null],
  ['DATEADD(month, 1, d)', '2024-02-29', '2024-03-29', '2024-01-31', '2025-01-30', null],
  ['DATEADD(day, n, s)', '2024-02-07', '2024-03-02', '2023-12-29', '2024-12-30', null],
  ["t + INTERVAL '1 year'", '2025-01-31', '2025-02-28', '2024-12-31', '2025-12-30', null],
  ["d - INTERVAL '2' MONTH", '2023-11-30', '2023-12-29', '2023-10-31', '2024-10-30', null],
  ["DATEDIFF('day', d, DATE '2024-03-01')", 30, 1, 61, -304, null],
  ["DATEDIFF('month', t, DATE '2024-03-01')", 2, 1, 3, -9, null],
  ["DATEDIFF('quarter', t, DATE '2024-03-01')", 0, 0, 1, -3, null],
  ["DATEDIFF('year', s, DATE '2024-03-01')", 0, 0, 1, 0, null],
  ["DATEDIFF('week', d, DATE '2025-01-05')", 48, 44, 53, 0, null],
  ["d >= DATE '2024-02-29'", 0, 1, 0, 1, null],
  ["t >= DATE '2024-02-29'", 0, 1, 0, 1, null],
  ["t BETWEEN DATE '2024-01-01' AND DATE '2024-02-29'", 1, 1, 0, 0, null],
  ["t = DATE '2024-02-29'", 0, 1, 0, 0, null],
  ["d > DATE '2024-01-31'", 0, 1, 0, 1, null],
  ["DATE '2024-02-29' < t", 0, 0, 0, 1, null],
  ["s >= DATE '2024-02-29'", 0, 1, 0, 1, null],
  ["d IN (DATE '2024-02-29', DATE '2023-12-31')", 0, 1, 1, 0, null],
  ["DATE_TRUNC('month', t) = DATE '2024-02-01'", 0, 1, 0, 0, null],
  ["t < TIMESTAMP '2024-01-31 23:59:59'", 0, 0, 1, 0, null],
  ['d <= CURRENT_DATE', 1, 1, 1, 1, null],
  ['YEAR(d) * 100 + EXTRACT(MONTH FROM s)', 202401, 202402, 202312, 202412, null],
  ['QUARTER(t) * 1000 + DAYOFYEAR(t)', 1031, 1060, 4365, 4365, null],
  ['EXTRACT(WEEK FROM d)', 5, 9, 52, 1, null],
  ['EXTRACT(DOW FROM d) * 100 + DAY(d)', 331, 429, 31, 130, null],
  ['HOUR(t) * 10000 + MINUTE(t) * 100 + SECOND(t)', 235959, 0, 123015, 60708, null],
  ['HOUR(s)', 23, 0, 12, 6, null],
];

/** Of all rows together. */
const AGGREGATES: readonly (readonly [text: string, value: Cell])[] = [
  ['COUNT(*)', 5],
  ['COUNT(n)', 4],
  ['COUNT(DISTINCT b)', 2],
  ['SUM(n) / COUNT(*)', 1.4],
  ['SUM(n) / SUM(id - id)', null],
  ['AVG(n)', 1.75],
  ['AVG(DISTINCT id % 3)', 1],
  ['AVG(n) / 3', 0.583333333333],
  ['MIN(x) + MAX(x)', 8.85],
  ['SUM(n) FILTER (WHERE b)', 5],
  ['COUNT(*) FILTER (WHERE b AND n > 0)', 1],
  ['COUNT(DISTINCT n) FILTER (WHERE NOT b)', 2],
  ['COUNT_IF(n > 1)', 2],
  ['COUNT_IF(n > 1) FILTER (WHERE b)', 1],
  ['APPROX_COUNT_DISTINCT(n)', 4],
  ['MEDIAN(n)', 1],
  ['MEDIAN(n) FILTER (WHERE n > 0)', 4.5],
  ['PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n)', -0.5],
  ['PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY n DESC)', 3.25],
  ['PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY n)', 0],
  ['STDDEV(n)', 3.86221007541882],
  ['VARIANCE(n)', 14.9166666666667],
  ['STDDEV_POP(n)', 3.34477204006491],
  ['VAR_POP(n)', 11.1875],
];

/**
 * For tests: what expressions give on an engine, which has the table of {@link samplesOf}; what it lacks is refused by
 * name.
 *
 * @param unlike expressions with which a stand-in differs from its engine.
 */
export function itGivesTheSameValues(
  dialect: Dialect,
  run: () => RunStatement,
  lacks: readonly string[],
  unlike: readonly string[] = [],
): void {
  const scalars = SCALARS.filter(([text]) => !unlike.includes(text));
  const aggregates = AGGREGATES.filter(([text]) => !unlike.includes(text));

  describe('values of each row', () => {
    test.each(scalars.map(([text, ...cells]) => [text, cells] as const))('%s', async (text, expected) => {
      const sql = writtenOrRefused(text, dialect, lacks);
      if (sql === undefined) return;
      const rows = await run()(`SELECT id, ${shown(sql, expected, dialect)} FROM samples ORDER BY id`);
      expect(rows.map(([, cell], at) => comparable(cell ?? null, expected[at]))).toEqual(
        expected.map((cell) => comparable(cell, cell)),
      );
    });
  });

  describe('aggregates', () => {
    test.each(aggregates)('%s', async (text, expected) => {
      const sql = writtenOrRefused(text, dialect, lacks);
      if (sql === undefined) return;
      const [[cell = null] = []] = await run()(`SELECT ${sql} FROM samples`);
      expect(comparable(cell, expected)).toEqual(comparable(expected, expected));
    });
  });
}

/** For tests: every expression of the suite in a dialect, but those with what it lacks. */
export function writtenExpressions(
  dialect: Dialect,
  lacks: readonly string[],
): { text: string; sql: string; isAggregate: boolean }[] {
  return [...SCALARS, ...AGGREGATES].flatMap(([text], at) => {
    const sql = writtenOrRefused(text, dialect, lacks);
    return sql === undefined ? [] : [{ text, sql, isAggregate: at >= SCALARS.length }];
  });
}

function writtenOrRefused(text: string, dialect: Dialect, lacks: readonly string[]): string | undefined {
  const write = (): string =>
    writeExpression(parseExpression(text, ansiLexer), dialect, { column: ({ name }) => name });
  const lacking = lacks.find((name) => new RegExp(`\\b${name}\\(`).test(text));
  if (lacking === undefined) return write();
  expect(write).toThrow(expect.objectContaining({ code: 'METRIC_REFUSED', message: expect.stringContaining(lacking) }));
  return undefined;
}

/** Days as text, since drivers make objects of them. */
function shown(sql: string, expected: readonly Cell[], dialect: Dialect): string {
  return expected.some((cell) => /^\d{4}-\d\d-\d\d$/.test(String(cell)))
    ? `CAST(${sql} AS ${castType('TEXT', dialect)})`
    : sql;
}

function comparable(cell: Cell, expected: Cell | undefined): Cell {
  if (cell === null || typeof expected === 'string' || expected === null || expected === undefined) return cell;
  return Number(Number(cell).toPrecision(11)) + 0;
}

function five(cell: Cell): Cell[] {
  return [cell, cell, cell, cell, cell];
}
