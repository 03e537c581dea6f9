import type { ProcessFailure, StatementRequest } from '@askema/adapter-kit/process';
import type { Access, EngineRead } from '@askema/core';

/** Raised when a message changes; a worker of another version is refused. */
export const PROTOCOL_VERSION = 5;

/** Variables of the caller's environment that a worker needs: `localtime` in a statement is the caller's. */
export const PASSED_ON = ['TZ', 'TZDIR', 'SQLITE_TMPDIR'];

/**
 * SQLite sorts in memory by allocating each row by itself. The allocator of glibc is told to join what is freed at once,
 * so that rows of the next statement lie side by side again: those that sort or group take about a tenth less time.
 */
export const ALLOCATOR = { GLIBC_TUNABLES: 'glibc.malloc.mxfast=0' };

/** What a worker writes to stderr before it ends itself because it needs too much memory. */
export const MEMORY_MARK = 'askema-sqlite: memory limit exceeded';

/** What a worker must know before its first statement. */
export interface WorkerSettings {
  readonly file: string;
  /** What the adapter may be asked for at most. */
  readonly access: Access;
  /** How long a statement waits for a lock of another process. */
  readonly busyTimeoutMs: number;
  /** The worker ends itself when it needs more memory than that. */
  readonly maxMemoryBytes: number;
}

/** Prepares a statement without running it; answered by a `value` of {@link RawPlan}. */
interface CheckRequest {
  readonly type: 'check';
  readonly sql: string;
}

/** Reads what the schema holds in one snapshot; answered by a `value` of {@link RawCatalog}. */
interface CatalogRequest {
  readonly type: 'catalog';
}

/**
 * Reads the columns of views and virtual tables, which SQLite works out, for which it may take any time; answered by
 * `rows` for each of them, in this order: {@link RawColumns}.
 */
interface ColumnsRequest {
  readonly type: 'columns';
  readonly relations: readonly string[];
}

/** Looks at the database without changing it; answered by a `value` of {@link RawDiagnosis}. */
interface DiagnoseRequest {
  readonly type: 'diagnose';
}

/** Digests what a catalog is read from; answered by a `value` of text. */
interface StructureRequest {
  readonly type: 'structure';
}

export type WorkerRequest =
  | StatementRequest
  | CheckRequest
  | CatalogRequest
  | ColumnsRequest
  | DiagnoseRequest
  | StructureRequest;

/** What the caller and a worker say to one another. */
export interface SqliteTalk {
  readonly settings: WorkerSettings;
  readonly request: WorkerRequest;
  readonly column: RawColumn;
  readonly failure: Failure;
  readonly ready: object;
  /** What is wrong with the file, the first request is told. */
  readonly unopenable: never;
}

export interface RawColumn {
  readonly name: string;
  readonly nativeType: string;
  readonly relation: string | null;
  readonly attribute: string | null;
  /** What the first row holds, for columns without a declared type. */
  readonly storage: StorageClass;
}

/** https://sqlite.org/datatype3.html, section 2; `null` when the first row is NULL or missing. */
export type StorageClass = 'number' | 'text' | 'blob' | 'null';

/** Why a request failed; the caller's side makes an AskemaError of it. */
export type Failure =
  | ProcessFailure
  | SqliteFailure
  | { readonly kind: 'missing' | 'directory' | 'empty' }
  /** A file that SQLite is not to open; the sentence has no full stop. */
  | { readonly kind: 'strange'; readonly why: string };

export interface SqliteFailure {
  readonly kind: 'sqlite';
  /** `SQLITE_BUSY`, `SQLITE_ERROR`, … (https://sqlite.org/rescode.html). */
  readonly vendorCode: string;
  readonly message: string;
  /** Where in the statement, when it could be found: UTF-16 code units. */
  readonly offset?: number | undefined;
  /** Names that exist, for "did you mean". */
  readonly names?: readonly string[] | undefined;
}

export interface RawPlan {
  readonly statement: 'read' | 'write' | 'ddl' | 'other';
  readonly relations: readonly string[];
  readonly reads?: readonly EngineRead[] | undefined;
}

export interface RawDiagnosis {
  readonly version: string;
  readonly journalMode: string;
  readonly byteCount: number;
  readonly tables: number;
  readonly foreignKeys: number;
  /** Rows whose reference leads to nothing; undefined for a large database, where looking would take long. */
  readonly brokenReferences?: number | undefined;
  /** ANALYZE has been run. */
  readonly hasStatistics: boolean;
}

/** Rows of the catalog statements, by position as each statement documents. */
export interface RawCatalog {
  readonly relations: readonly RawRelation[];
  readonly attributes: readonly RawAttribute[];
  readonly foreignKeys: readonly RawForeignKeyPart[];
  readonly uniqueKeys: readonly RawUniqueKeyPart[];
  readonly estimates: readonly RawEstimate[];
  readonly leftOut: readonly LeftOut[];
}

/** Of one relation: why it is left out, or null, and its columns. */
export type RawColumns = readonly [readonly [relation: string, why: string | null], ...RawAttribute[]];

/** A relation that is not in the catalog. */
export type LeftOut = readonly [relation: string, why: string];

export type RawRelation = readonly [name: string, kind: 'table' | 'view' | 'virtual', sql: string | null];
export type RawAttribute = readonly [
  relation: string,
  name: string,
  nativeType: string,
  notNull: 0 | 1,
  defaultExpression: string | null,
  keyPosition: number,
  hidden: 0 | 1 | 2 | 3,
];
export type RawForeignKeyPart = readonly [
  relation: string,
  id: number,
  sequence: number,
  target: string,
  from: string,
  to: string | null,
];
export type RawUniqueKeyPart = readonly [relation: string, index: string, sequence: number, attribute: string | null];
/** The statistics of ANALYZE: "rows …" (https://sqlite.org/fileformat2.html#stat1tab). */
export type RawEstimate = readonly [relation: string, statistic: string];
