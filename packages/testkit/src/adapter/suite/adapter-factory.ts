import type { Access, AdapterSpec, NameParts, Schema } from '@askema/core';
import type { AdapterFixture } from '../fixture/adapter-fixture.ts';
import type { UnusableNames } from '../fixture/names.ts';
import type { HostileStatement } from '../hostile/hostile-statement.ts';

/** What the author of an adapter gives to the suite. */
export interface AdapterFactory {
  /**
   * Makes a new database that holds the fixture, with the engine's own tools and not with the adapter under test:
   * tables with their keys, rows, comments, views. Names must be kept as they are. An engine without one type for all
   * numbers takes the one that the rows of a column need: the fixture `values` has 64-bit integers in one column of the
   * type NUMERIC and doubles in another. `nested` and `schemas` are asked for only where the engine has such: see
   * `FixtureColumn.nested` and `AdapterFixture.schemas`.
   */
  load(fixture: AdapterFixture): Promise<LoadedDatabase>;
  /** Statements that this engine writes otherwise. */
  readonly statements?: Partial<AdapterStatements> | undefined;
  /**
   * Attacks in this engine's own SQL, on the `shop` fixture: they are refused like those that the suite knows.
   * `{folder}` stands for `LoadedDatabase.folder`, where a file that they leave is seen by `state`.
   */
  readonly hostileStatements?: readonly HostileStatement[] | undefined;
  /**
   * Statements that create a schema, with `writeDdl` of @askema/dialects or another writer; the adapter runs them.
   * Without it that case is skipped.
   */
  readonly ddl?: ((schema: Schema) => string) | undefined;
  /** What the engine itself does not have, and why; the cases about it are skipped by name. */
  readonly lacks?: Partial<Record<EngineFeature, string>> | undefined;
  /**
   * Names of the fixture `names` that the engine cannot have, and why: the cases about names run without them. Where
   * most names are impossible, the engine lacks `free names`.
   */
  readonly unusableNames?: UnusableNames | undefined;
}

/** What not every engine has. A gap of the adapter is no lack: list it under `expectedFailures`. */
export type EngineFeature =
  /** Exact decimal numbers beyond a double. */
  | 'decimals'
  /** NaN as a value of its own. */
  | 'nan'
  /** Statements that change data. */
  | 'writing'
  /** INSERT … RETURNING. */
  | 'returning'
  /** Parameters by name. */
  | 'named parameters'
  /** Names with almost every character; single ones can be left out by `AdapterFactory.unusableNames`. */
  | 'free names'
  /** Comments on columns. */
  | 'comments'
  | 'table comments'
  /** Cells that hold lists and fields, as a type of the engine. */
  | 'nested types'
  /** Nested types whose fields the catalog knows or can find out. */
  | 'nested fields'
  /** More than one schema (dataset) in a database. */
  | 'schemas'
  /** Types of their own for dates, times and timestamps. */
  | 'temporal types'
  /** Timestamps with a zone, or that mean an instant. */
  | 'zoned timestamps'
  /** Infinite numbers. */
  | 'infinity'
  /** An error for a text that is no number where a number must stand. */
  | 'strict types'
  /** An error for a division by zero. */
  | 'division errors'
  /** A statement that runs while another one does. */
  | 'parallel statements'
  /** Rows that can be read while the statement still runs. */
  | 'unfinished results';

/** One database that holds a fixture. */
export interface LoadedDatabase {
  /** The adapter under test on this database; the suite closes it. */
  open(access: Access): AdapterSpec;
  /** Where the fixture's relations live, for engines that put something in front of their names. */
  readonly location?: Omit<NameParts, 'relation'> | undefined;
  /**
   * A folder in which the engine could leave files for hostile statements, and the suite looks for them. Default: a new
   * one of this machine.
   */
  readonly folder?: string | undefined;
  /** Texts that must never be shown: passwords and keys that `open` uses. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Everything that a forbidden write could have changed, as one text: a hash of the file and the names beside it, or
   * all rows.
   */
  state(): Promise<string>;
  /**
   * How many statements run in the engine for the adapter, as the engine itself says. Without it a statement that was
   * left is believed to have ended when its place is free.
   */
  running?(): Promise<number>;
  /** Removes the database. */
  dispose(): Promise<void>;
}

/** Statements for which the SQL of engines differs. */
export interface AdapterStatements {
  /** Works for ever before its first row. */
  readonly endless: string;
  /**
   * Gives rows for ever, of one whole number named `x`: 1, 2, … Other statements stand around it:
   * `SELECT … FROM (endlessRows) AS endless`.
   */
  readonly endlessRows: string;
  /** One aggregate over far more rows than a minute is enough for, without recursion. */
  readonly heavy: string;
  /** `count` rows of one whole number: 1, 2, … */
  readonly rows: (count: number) => string;
  /** Gives `count` rows of one whole number named `x`, and fails then; another statement stands around it. */
  readonly failingRows: (count: number) => string;
  /** One cell of `length` characters. */
  readonly text: (length: number) => string;
  /** One cell: 12345678901234567890.12 as an exact decimal. */
  readonly decimal: string;
  /** One cell: NaN. */
  readonly nan: string;
  /** One cell: this number as an exact decimal of so many digits, of which `scale` stand behind the point. */
  readonly decimalOf: (digits: string, precision: number, scale: number) => string;
  /** One cell: infinity, positive or negative. */
  readonly infinity: (sign: '' | '-') => string;
  /** One cell: the day 2024-02-29. */
  readonly date: string;
  /** One cell: the time of day 23:59:58.125. */
  readonly time: string;
  /** One cell: 2024-02-29 23:59:58.125 in no zone. */
  readonly timestamp: string;
  /** One cell: 2024-02-29 23:59:58.125 where it is five and a half hours later than in UTC. */
  readonly zonedTimestamp: string;
  /** The text `abc` where a number must stand. */
  readonly badNumber: string;
  readonly divisionByZero: string;
  /** A placeholder for the parameter with this 1-based position. */
  readonly placeholder: (position: number) => string;
  /** A placeholder for the parameter with this name. */
  readonly namedPlaceholder: (name: string) => string;
  /** The type name of a text in CAST. */
  readonly textType: string;
}

const rows = (end: string): string =>
  `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n${end}) SELECT x FROM n`;

/** How PostgreSQL, DuckDB and others write them. */
export const DEFAULT_STATEMENTS: AdapterStatements = {
  endless: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n',
  endlessRows: rows(''),
  heavy: `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) SELECT SUM(a.x * b.x + c.x * d.x) FROM n a, n b, n c, n d`,
  rows: (count) => rows(` WHERE x < ${count}`),
  // The largest integer is passed.
  failingRows: (count) =>
    `SELECT ${2n ** 63n - 1n - BigInt(count)} + x AS x FROM (${rows(` WHERE x < ${count + 1_000}`)}) AS numbered`,
  text: (length) => `SELECT REPEAT('x', ${length})`,
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
