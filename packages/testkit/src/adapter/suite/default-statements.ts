import type { Dialect, Grammar } from '@askema/core';
import type { AdapterStatements } from './adapter-factory.ts';

const rows = (end: string): string =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n${end}) SELECT x FROM n`;

/** Where no grammar says otherwise. */
const COMMON: AdapterStatements = {
  endless: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n',
  endlessRows: rows(''),
  heavy: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) SELECT SUM(a.x * b.x + c.x * d.x) FROM n a, n b, n c, n d`,
  rows: (count) => rows(` WHERE x < ${count}`),
  // The largest integer is passed.
  failingRows: (count) =>
    `SELECT ${2n ** 63n - 1n - BigInt(count)} + x AS x FROM (${rows(` WHERE x < ${count + 1_000}`)}) AS numbered`,
  text: (length) => `SELECT REPEAT('x', ${length})`,
  nulText: "SELECT 'a' || CHR(0) || 'b'",
  decimal: 'SELECT CAST(12345678901234567890.12 AS DECIMAL(22, 2))',
  nan: "SELECT CAST('NaN' AS DOUBLE PRECISION)",
  decimalOf: (digits, precision, scale) => `SELECT CAST(${digits} AS DECIMAL(${precision}, ${scale}))`,
  infinity: (sign) => `SELECT CAST('${sign}Infinity' AS DOUBLE PRECISION)`,
  date: "SELECT CAST('2024-02-29' AS DATE)",
  time: "SELECT CAST('23:59:58.125' AS TIME)",
  timestamp: "SELECT CAST('2024-02-29 23:59:58.125' AS TIMESTAMP)",
  zonedTimestamp: "SELECT CAST('2024-02-29 23:59:58.125+05:30' AS TIMESTAMP WITH TIME ZONE)",
  badNumber: "SELECT CAST('abc' AS INTEGER)",
  divisionByZero: 'SELECT 1 / 0',
  placeholder: () => '?',
  namedPlaceholder: (name) => `:${name}`,
  textType: 'TEXT',
};

const HOURS =
  'SELECT COUNT(*) FROM UNNEST(GENERATE_ARRAY(1, 60000)) AS a, UNNEST(GENERATE_ARRAY(1, 60000)) AS b, UNNEST(GENERATE_ARRAY(1, 60000)) AS c WHERE MOD(a * b, 7) = MOD(c, 5)';

const BY_GRAMMAR: Partial<Record<Grammar, Partial<AdapterStatements>>> = {
  postgresql: { placeholder: (position) => `$${position}` },
  duckdb: {
    namedPlaceholder: (name) => `$${name}`,
    // A recursive query takes its time for each of many rows.
    rows: (count) => `SELECT range AS x FROM range(1, ${count + 1})`,
    failingRows: (count) => `SELECT ${2n ** 63n - 1n - BigInt(count)} + range AS x FROM range(1, ${count + 1_000})`,
  },
  sqlite: {
    text: (length) => `SELECT replace(hex(zeroblob(${length / 2})), '00', 'xx')`,
    nulText: "SELECT 'a' || char(0) || 'b'",
    failingRows: (count) =>
      `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT abs(iif(x > ${count}, -9223372036854775807 - 1, x)) AS x FROM n`,
    infinity: (sign) => `SELECT ${sign}9e999`,
  },
  mysql: {
    nulText: "SELECT CONCAT('a', CHAR(0 USING utf8mb4), 'b')",
    time: "SELECT CAST('23:59:58.125' AS TIME(3))",
    timestamp: "SELECT CAST('2024-02-29 23:59:58.125' AS DATETIME(3))",
    textType: 'CHAR',
  },
  snowflake: {
    zonedTimestamp: "SELECT '2024-02-29 23:59:58.125+05:30'::TIMESTAMP_TZ",
    timestamp: "SELECT '2024-02-29 23:59:58.125'::TIMESTAMP_NTZ",
    textType: 'VARCHAR',
  },
  bigquery: {
    // Nothing of BigQuery's runs for ever: these take hours.
    endless: HOURS,
    heavy: HOURS,
    endlessRows: 'SELECT x FROM UNNEST(GENERATE_ARRAY(1, 10000)) AS x',
    rows: (count) => `SELECT x FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS x`,
    nulText: "SELECT 'a\\x00b'",
    decimal: "SELECT CAST('12345678901234567890.12' AS NUMERIC)",
    decimalOf: (digits) => `SELECT CAST('${digits}' AS BIGNUMERIC)`,
    nan: "SELECT CAST('NaN' AS FLOAT64)",
    infinity: (sign) => `SELECT CAST('${sign}Infinity' AS FLOAT64)`,
    timestamp: "SELECT CAST('2024-02-29 23:59:58.125' AS DATETIME)",
    zonedTimestamp: "SELECT CAST('2024-02-29 23:59:58.125+05:30' AS TIMESTAMP)",
    badNumber: "SELECT CAST('abc' AS INT64)",
    namedPlaceholder: (name) => `@${name}`,
    textType: 'STRING',
  },
};

/** What a dialect's grammar writes, where the factory says nothing. */
export function defaultStatements({ grammar = 'generic' }: Pick<Dialect, 'grammar'>): AdapterStatements {
  return { ...COMMON, ...BY_GRAMMAR[grammar] };
}
