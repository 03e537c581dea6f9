import type { ProcessFailure, StatementRequest } from '@askema/adapter-kit/process';
import type { Access, EngineRead } from '@askema/core';
import type { StatementKind } from '@askema/sql';

/** Raised when a message changes; a worker of another version is refused. */
export const PROTOCOL_VERSION = 3;

/** What a worker writes to stderr before it ends itself because it needs too much memory. */
export const MEMORY_MARK = 'askema-duckdb: memory limit exceeded';

/** What the engine opens. */
export type EngineSource =
  | { readonly type: 'database'; readonly file: string }
  | { readonly type: 'files'; readonly relations: readonly FileRelation[]; readonly leftOut: readonly LeftOut[] };

/** A data file that was found in a folder and is not read. */
export interface LeftOut {
  readonly file: string;
  readonly reason: string;
}

/** The readers that DuckDB has built in. */
export type FileFormat = 'parquet' | 'csv' | 'json';

/** What the first bytes of a file say. */
export type FileContent = 'duckdb' | 'sqlite' | 'parquet' | 'empty' | 'other';

/** One relation over one or several files of one format. */
export interface FileRelation {
  readonly name: string;
  readonly format: FileFormat;
  /** Absolute paths, each of them allowed, nothing else. */
  readonly files: readonly string[];
  /** Of all its files together. */
  readonly bytes: number;
  /** Names of folders such as `year=2024` are columns. */
  readonly hive: boolean;
  /** The files differ in a number of their names: `events_*`. A column `file_name` says from which one a row comes. */
  readonly pattern?: string | undefined;
  /**
   * Named by the caller, so that it must be readable; one that was only found in a folder may be left out with a word.
   */
  readonly required: boolean;
}

/** What a worker must know before its first statement. */
export interface WorkerSettings {
  readonly source: EngineSource;
  /** What the adapter may be asked for at most. */
  readonly access: Access;
  /** Statements that run side by side. */
  readonly poolSize: number;
  readonly maxMemoryBytes: number;
  readonly maxTempBytes: number;
  readonly threads: number;
  /** A folder that is not there yet; DuckDB makes it when it must spill. */
  readonly tempFolder: string;
}

export interface QueryRequest extends StatementRequest {
  /** Why the text is not known to read only; the engine's own word comes first. */
  readonly textRefusal?: string | undefined;
}

/** Prepares a statement without running it; answered by a `value` of {@link RawPlan}. */
export interface CheckRequest {
  readonly type: 'check';
  readonly sql: string;
  /** The same with NULL in the place of each parameter, of which DuckDB would have to know the type. */
  readonly withoutParameters: string;
  /** What it is by its text. */
  readonly textKind: StatementKind;
  readonly textRefusal?: string | undefined;
}

/** Reads what the catalog is made of; answered by a `value` of {@link RawCatalog}. */
interface CatalogRequest {
  readonly type: 'catalog';
}

export type WorkerRequest = QueryRequest | CheckRequest | CatalogRequest;

/** What the caller and the engine's process say to one another. */
export interface DuckdbTalk {
  readonly settings: WorkerSettings;
  readonly request: WorkerRequest;
  readonly column: RawColumn;
  readonly failure: Failure;
  /** Relations that were left out. */
  readonly ready: { readonly problems: readonly FileProblem[] };
  readonly unopenable: Unopenable;
}

export interface RawColumn {
  readonly name: string;
  readonly nativeType: string;
}

export type Unopenable =
  /** The database or one of the files cannot be opened. */
  | { readonly type: 'unopenable'; readonly failure: EngineFailure; readonly relation?: string | undefined }
  /** What was given as a database is something else, or may not be read. */
  | { readonly type: 'noDatabase'; readonly content: FileContent | 'unreadable' };

/** A relation that was left out, and what DuckDB says of its files. */
export interface FileProblem {
  readonly relation: string;
  readonly message: string;
}

/** Why a request failed; the caller's side makes an AskemaError of it. */
export type Failure = ProcessFailure | EngineFailure | { readonly kind: 'empty' };

export interface EngineFailure {
  readonly kind: 'engine';
  /** DuckDB's `exception_type`: `Binder`, `Catalog`, `IO`, `Permission`. */
  readonly vendorCode: string;
  readonly message: string;
  /** Where in the statement, from 0: in characters for what the parser says, in bytes of UTF-8 for the others. */
  readonly position?: number | undefined;
  /** Names that exist, for "did you mean". */
  readonly names?: readonly string[] | undefined;
}

export interface RawPlan {
  readonly statement: 'read' | 'write' | 'ddl' | 'other';
  /** Qualified as the statement names them, without quotes around plain names. */
  readonly relations: readonly string[];
  readonly reads?: readonly EngineRead[] | undefined;
  /** Macros of the database that the statement may call. */
  readonly routines?: readonly string[] | undefined;
  readonly estimatedRows?: number | undefined;
}

/** Rows of the catalog statements, by position as each statement documents. */
export interface RawCatalog {
  readonly database: string;
  readonly relations: readonly RawRelation[];
  readonly columns: readonly RawCatalogColumn[];
  readonly constraints: readonly RawConstraint[];
  /** Views that cannot be read, and what DuckDB says. */
  readonly broken: readonly { readonly schema: string; readonly relation: string; readonly message: string }[];
}

export type RawRelation = readonly [
  schema: string,
  name: string,
  kind: 'table' | 'view',
  comment: string | null,
  /** The statement that made it. */
  sql: string | null,
  estimatedRows: number | null,
];
export type RawCatalogColumn = readonly [
  schema: string,
  relation: string,
  name: string,
  nativeType: string,
  notNull: boolean,
  defaultExpression: string | null,
  comment: string | null,
];
export type RawConstraint = readonly [
  schema: string,
  relation: string,
  kind: 'PRIMARY KEY' | 'UNIQUE' | 'FOREIGN KEY' | 'CHECK',
  columns: readonly string[],
  /** The expression of a check. */
  expression: string | null,
  target: string | null,
  targetColumns: readonly string[],
];
