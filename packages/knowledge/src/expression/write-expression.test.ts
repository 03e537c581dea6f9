import { type Dialect, quoteIdentifier } from '@askema/core';
import {
  ansiLexer,
  bigqueryDialect,
  duckdbDialect,
  mariadbDialect,
  mysqlDialect,
  postgresDialect,
  snowflakeDialect,
  sqliteDialect,
} from '@askema/dialects';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call, Expression } from './expression.ts';
import { FUNCTIONS, TIME_PARTS } from './functions.ts';
import { parseExpression } from './parse-expression.ts';
import { anyExpression, span } from './random-expression.ts';
import { columnsIn, conjunction, mapColumns, mapParts } from './walk-expression.ts';
import { writeExpression } from './write-expression.ts';

const DIALECTS = [
  sqliteDialect,
  duckdbDialect,
  postgresDialect,
  mysqlDialect,
  mariadbDialect,
  snowflakeDialect,
  bigqueryDialect,
];

/** Without a word of its own about anything. */
const PLAIN: Dialect = {
  ...postgresDialect,
  integerDivision: 'exact',
  functions: undefined,
  foreignSyntax: undefined,
};

const written = (text: string, dialect: Dialect): string =>
  writeExpression(parseExpression(text, ansiLexer), dialect, { column: ({ name }) => name });

function refusal(work: () => unknown): unknown {
  try {
    return { written: work() };
  } catch (thrown) {
    return thrown;
  }
}

const withoutSpans = (expression: Expression): Expression =>
  mapParts({ ...expression, span: { start: 0, end: 0 } }, withoutSpans);

describe('what is written', () => {
  test.each([
    ['revenue / cost', sqliteDialect, '1.0 * revenue / NULLIF(cost, 0)'],
    ['revenue / cost', duckdbDialect, 'revenue / NULLIF(cost, 0)'],
    ['revenue / cost', mysqlDialect, 'revenue * 1e0 / NULLIF(cost, 0)'],
    ['a / 100 / NULLIF(b, 0)', duckdbDialect, '(a / 100) / NULLIF(b, 0)'],
    ['a / NULLIF(b, 1)', duckdbDialect, 'a / NULLIF(NULLIF(b, 1), 0)'],
    ['a / 0', duckdbDialect, 'a / NULLIF(0, 0)'],
    ["w || '!' = 'x' || (a + 1)", sqliteDialect, "w || '!' = 'x' || (a + 1)"],
    ["w || '!'", mysqlDialect, "CONCAT(w, '!')"],
    ["w = 'it''s \\ here'", mysqlDialect, "w = 'it\\'s \\\\ here'"],
    ['a = TRUE', sqliteDialect, 'a = 1'],
    ['a = TRUE', postgresDialect, 'a = TRUE'],
    ["w ILIKE '%A'", postgresDialect, "w ILIKE '%A'"],
    ["w NOT ILIKE '%A'", bigqueryDialect, "LOWER(w) NOT LIKE LOWER('%A')"],
    [
      "d >= DATE '2024-01-31' AND t < TIMESTAMP '2024-02-01T00:00'",
      bigqueryDialect,
      "d >= '2024-01-31' AND t < '2024-02-01 00:00'",
    ],
    ['SUM(a) FILTER (WHERE b)', postgresDialect, 'SUM(CASE WHEN b THEN a END)'],
    ['TRY_CAST(w AS int)', bigqueryDialect, 'SAFE_CAST(w AS BIGINT)'],
    ["d + INTERVAL '1' DAY", postgresDialect, "CAST(CAST(d AS DATE) + (1) * INTERVAL '1 day' AS DATE)"],
    ["DATE '2024-01-31' - INTERVAL '1' MONTH", sqliteDialect, "date('2024-01-31', (-1) || ' months', 'floor')"],
  ] as const)('%s', (text, dialect, sql) => {
    expect(written(text, dialect)).toBe(sql);
  });

  test.each([
    ['STDDEV(a)', sqliteDialect, 'function', /SQLite has no STDDEV, .*Write an expression of AVG/],
    ['MEDIAN(a)', mysqlDialect, 'function', /MySQL has no MEDIAN/],
    ['TRY_CAST(a AS int)', postgresDialect, 'function', /PostgreSQL has no TRY_CAST/],
    ['PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY a DESC)', postgresDialect, 'function', /ascending/],
    ["DATE_TRUNC('hour', d)", duckdbDialect, 'unit', /Periods of hour/],
    ["INTERVAL '1' DAY", duckdbDialect, 'interval', /no value/],
    ['CAST(a AS intger)', duckdbDialect, 'type', /INTGER is not known\. Did you mean `INTEGER`/],
    ["DATEADD(day, 1, DATE '2024-01-01')", { ...PLAIN, calendar: undefined }, 'calendar', /not written down/],
  ] as const)('%s is refused in some dialect', (text, dialect, reason, message) => {
    expect(refusal(() => written(text, dialect))).toMatchObject({
      code: 'METRIC_REFUSED',
      message: expect.stringMatching(message),
      details: { reason },
    });
  });

  test('a long condition does not run out of stack', () => {
    const text = Array.from({ length: 990 }, (_, at) => `a = ${at}`).join(' OR ');
    expect(written(text, sqliteDialect)).toBe(text);
    const deep = `${'('.repeat(198)}a${')'.repeat(198)}`;
    expect(written(deep, sqliteDialect)).toBe('a');
  });
});

describe('every function in every dialect', () => {
  const LACKING: Readonly<Record<string, readonly string[]>> = {
    sqlite: ['REGEXP_LIKE', 'SPLIT_PART', 'STDDEV', 'STDDEV_POP', 'STDDEV_SAMP', 'VARIANCE', 'VAR_POP', 'VAR_SAMP'],
    mysql: ['MEDIAN', 'PERCENTILE_CONT', 'PERCENTILE_DISC'],
    mariadb: ['MEDIAN', 'PERCENTILE_CONT', 'PERCENTILE_DISC'],
    bigquery: ['MEDIAN', 'PERCENTILE_CONT', 'PERCENTILE_DISC'],
  };

  test.each(DIALECTS)('$name', (dialect) => {
    const lacking: string[] = [];
    for (const [name, signature] of FUNCTIONS) {
      const result = refusal(() => writeExpression(callOf(name), dialect, { column: () => 'argument' }));
      if (result instanceof Error) {
        expect(result).toMatchObject({ code: 'METRIC_REFUSED', message: expect.stringContaining(name) });
        lacking.push(name);
      } else {
        const { written: sql } = result as { written: string };
        expect(sql).not.toMatch(/[{}]/);
        if (signature.least > 0) expect(sql).toContain('argument');
      }
    }
    expect(lacking.sort()).toEqual(LACKING[dialect.name] ?? []);
  });

  test.each(DIALECTS)('$name says nothing of what does not exist', ({ functions }) => {
    const casts = ['INTEGER', 'FLOAT', 'DECIMAL', 'TIMESTAMP', 'BOOLEAN'].map((family) => `CAST AS ${family}`);
    const known = [...FUNCTIONS.keys(), ...TIME_PARTS, ...casts, '/', '||', 'TRY_CAST'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(functions?.written ?? {})));
  });

  function callOf(name: string): Call {
    const signature = FUNCTIONS.get(name);
    const column: Expression = { kind: 'column', qualifier: [], name: 'a', isQuoted: false, span };
    const unit: Expression = { kind: 'literal', type: 'string', value: 'month', span };
    const list = Array.from({ length: signature?.least ?? 0 }, () => column);
    if (signature?.takesUnit) list.splice(0, 1, unit as never);
    return {
      kind: 'call',
      name,
      isAggregate: signature?.kind === 'aggregate',
      isDistinct: false,
      arguments: list,
      ...(signature?.isOrdered && { withinGroup: { expression: column, isDescending: false } }),
      span,
    };
  }
});

test('what is written is read as the same expression', () => {
  const column = ({ qualifier, name, isQuoted }: Expression & { kind: 'column' }): string =>
    [...qualifier, isQuoted ? quoteIdentifier(name, PLAIN) : name].join('.');
  fc.assert(
    fc.property(anyExpression, (expression) => {
      const sql = writeExpression(expression, PLAIN, { column });
      expect(withoutSpans(parseExpression(sql, ansiLexer))).toEqual(expression);
    }),
  );
});

describe('parts', () => {
  const expression = parseExpression('SUM(CASE WHEN o.a THEN b END) FILTER (WHERE c IN (1, d))', ansiLexer);

  test('columns are found and replaced wherever they stand', () => {
    expect(columnsIn(expression).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    const replaced = mapColumns(expression, (column) => ({
      ...column,
      qualifier: ['t'],
      name: column.name.toUpperCase(),
    }));
    expect(columnsIn(replaced).map(({ qualifier, name }) => [...qualifier, name].join('.'))).toEqual([
      't.A',
      't.B',
      't.C',
      't.D',
    ]);
    expect(columnsIn(expression).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('conditions that all hold', () => {
    const conditions = ['a OR b', 'c', 'NOT d'].map((text) => parseExpression(text, ansiLexer));
    const all = conjunction(conditions);
    expect(all && writeExpression(all, PLAIN, { column: ({ name }) => name })).toBe('(a OR b) AND c AND NOT d');
    expect(conjunction([])).toBeUndefined();
  });
});
