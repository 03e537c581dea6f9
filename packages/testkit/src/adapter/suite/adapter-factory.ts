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
  /** Statements that this engine writes otherwise than its grammar does; the defaults stand with each. */
  readonly statements?: Partial<AdapterStatements> | undefined;
  /**
   * Attacks in this engine's own SQL, on the `shop` fixture: they are refused like those that the suite knows, in the
   * case of their `group`. `{folder}` stands for `LoadedDatabase.folder`, `{secret}` for a file in it whose text must
   * never show up, `{port}` for a port of 127.0.0.1 at which the suite listens.
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
  /** A statement that can be stopped, or ends by itself, when its time is over. */
  | 'stopping'
  /** A statement that runs while another one does. */
  | 'parallel statements'
  /** A change through one adapter while another one, which has read, is open. */
  | 'writing beside readers'
  /** The character U+0000 in a text. */
  | 'NUL in text'
  /** Rows that can be read while the statement still runs. */
  | 'unfinished results';

/** One database that holds a fixture. */
export interface LoadedDatabase {
  /** The adapter under test on this database; the suite closes it. */
  open(access: Access): AdapterSpec;
  /** Where the fixture's relations live, for engines that put something in front of their names. */
  readonly location?: Omit<NameParts, 'relation'> | undefined;
  /**
   * A folder in which the engine could leave files for hostile statements. The suite looks at the hash of every file in
   * it, and puts a secret there, as `secret.csv`. Default: a new one of this machine.
   */
  readonly folder?: string | undefined;
  /** Texts that must never be shown: passwords and keys that `open` uses. */
  readonly secrets?: readonly string[] | undefined;
  /**
   * Everything that a forbidden write could have changed, as one text, and looked at beside the adapter: all rows,
   * definitions, settings, roles and locks; of a file its hash.
   */
  state(): Promise<string>;
  /**
   * Runs statements as a writer, with the engine's own tools: they plant views, functions and the like, which hostile
   * statements of the group `planted` use then. Needed where the suite knows such of the dialect's grammar.
   */
  plant?(statements: readonly string[]): Promise<void>;
  /**
   * How many statements run in the engine for the adapter, as the engine itself says. Without it a statement that was
   * left is believed to have ended when its place is free.
   */
  running?(): Promise<number>;
  /** Removes the database. */
  dispose(): Promise<void>;
}

/**
 * Statements for which the SQL of engines differs. Each has a default, which is named with it; where the grammar of the
 * dialect has one of its own, that stands behind a semicolon.
 */
export interface AdapterStatements {
  /**
   * Works for ever before its first row. Default: counts a recursive query without end; bigquery: counts 60,000^3
   * combinations.
   */
  readonly endless: string;
  /**
   * Gives rows for ever, of one whole number named `x`: 1, 2, … Other statements stand around it:
   * `SELECT … FROM (endlessRows) AS endless`. Default: a recursive query; bigquery: 10,000 rows of `GENERATE_ARRAY`.
   */
  readonly endlessRows: string;
  /**
   * One aggregate over far more rows than a minute is enough for, without recursion. Default: over 2000^4 combinations
   * of the rows of a recursive query; bigquery: as `endless`.
   */
  readonly heavy: string;
  /** `count` rows of one whole number `x`: 1, 2, … Default: a recursive query; duckdb: `range`; bigquery: `GENERATE_ARRAY`. */
  readonly rows: (count: number) => string;
  /**
   * Gives `count` rows of one whole number named `x`, and fails then; another statement stands around it. Default: a sum beyond 2^63 - 1 over a recursive query;
   * duckdb: over `range`; sqlite: `abs(-9223372036854775808)`.
   */
  readonly failingRows: (count: number) => string;
  /** One cell of `length` characters. Default: `REPEAT('x', length)`; sqlite: `replace(hex(zeroblob(…)), '00', 'xx')`. */
  readonly text: (length: number) => string;
  /**
   * One cell: the three characters a, NUL (U+0000), b. Default: `'a' || CHR(0) || 'b'`; sqlite: `char(0)`; mysql:
   * `CONCAT` with `CHAR(0 USING utf8mb4)`; bigquery: `'a\x00b'`.
   */
  readonly nulText: string;
  /**
   * One cell: 12345678901234567890.12 as an exact decimal. Default: `CAST(… AS DECIMAL(22, 2))`; bigquery: of a text to
   * `NUMERIC`.
   */
  readonly decimal: string;
  /** One cell: NaN. Default: `CAST('NaN' AS DOUBLE PRECISION)`; bigquery: `FLOAT64`. */
  readonly nan: string;
  /**
   * One cell: this number as an exact decimal of so many digits, of which `scale` stand behind the point. Default:
   * `CAST(digits AS DECIMAL(precision, scale))`; bigquery: `CAST('digits' AS BIGNUMERIC)`.
   */
  readonly decimalOf: (digits: string, precision: number, scale: number) => string;
  /**
   * One cell: infinity, positive or negative. Default: `CAST('Infinity' AS DOUBLE PRECISION)`; sqlite: `9e999`; bigquery:
   * `FLOAT64`.
   */
  readonly infinity: (sign: '' | '-') => string;
  /** One cell: the day 2024-02-29. Default: `CAST('2024-02-29' AS DATE)`. */
  readonly date: string;
  /** One cell: the time of day 23:59:58.125. Default: `CAST('23:59:58.125' AS TIME)`; mysql: `TIME(3)`. */
  readonly time: string;
  /**
   * One cell: 2024-02-29 23:59:58.125 in no zone. Default: `CAST('…' AS TIMESTAMP)`; mysql: `DATETIME(3)`; snowflake:
   * `TIMESTAMP_NTZ`; bigquery: `DATETIME`.
   */
  readonly timestamp: string;
  /**
   * One cell: 2024-02-29 23:59:58.125 where it is five and a half hours later than in UTC. Default:
   * `CAST('…+05:30' AS TIMESTAMP WITH TIME ZONE)`; snowflake: `TIMESTAMP_TZ`; bigquery: `TIMESTAMP`.
   */
  readonly zonedTimestamp: string;
  /** The text `abc` where a number must stand. Default: `CAST('abc' AS INTEGER)`; bigquery: `INT64`. */
  readonly badNumber: string;
  /** Default: `1 / 0`. */
  readonly divisionByZero: string;
  /** A placeholder for the parameter with this 1-based position. Default: `?`; postgresql: `$1`. */
  readonly placeholder: (position: number) => string;
  /** A placeholder for the parameter with this name. Default: `:name`; duckdb: `$name`; bigquery: `@name`. */
  readonly namedPlaceholder: (name: string) => string;
  /** The type name of a text in CAST. Default: `TEXT`; mysql: `CHAR`; snowflake: `VARCHAR`; bigquery: `STRING`. */
  readonly textType: string;
}
