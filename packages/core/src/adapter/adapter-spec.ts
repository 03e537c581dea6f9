import type { Catalog } from '../catalog/catalog.ts';
import type { CallContext } from '../context/call-context.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Compressor } from '../ports/compressor.ts';
import type { CteParser } from '../ports/cte-parser.ts';
import type { Explorer } from '../ports/explorer.ts';
import type { AttributeId, DataType } from '../schema/schema.ts';
import type { NameParts } from '../schema/schema-id.ts';
import type { Parameter, Row, Value } from '../values/value.ts';
import type { CatalogStamps } from './catalog-stamps.ts';
import type { Diagnose, Diagnosis } from './diagnosis.ts';
import type { RowStream } from './row-stream.ts';

/** Reading is the default; `write` must be granted by the adapter and asked for by the call. */
export type Access = 'read' | 'write';

export interface ExecuteOptions {
  /** Stop after so many rows. */
  readonly maxRows: number;
  /** Stop after so many bytes of values, as the adapter sizes them. */
  readonly maxBytes: number;
  /** The whole statement, from start to last row. */
  readonly timeoutMs: number;
  readonly access: Access;
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  readonly context: CallContext;
}

export interface ResultColumn {
  readonly name: string;
  /** As the engine writes it; empty where it does not say. */
  readonly nativeType: string;
  readonly type: DataType;
  /** Where the column comes from, when the engine knows. */
  readonly source?: { readonly relation: string; readonly attribute: string } | undefined;
}

/**
 * What the execution of one statement yields, in this order: `columns` once, `rows` any number of times, `end` once.
 */
export type ResultEvent =
  | { readonly type: 'columns'; readonly columns: readonly ResultColumn[] }
  | { readonly type: 'rows'; readonly rows: readonly Row[] }
  | {
      readonly type: 'end';
      /** Which cap cut the result; undefined when it is whole. */
      readonly truncated?: 'rows' | 'bytes' | undefined;
      /** Rows changed by a statement that writes. */
      readonly affectedRows?: number | undefined;
      /** Bytes that the engine scanned or billed, where it says. */
      readonly bytesProcessed?: number | undefined;
      /** The vendor's id of the statement. */
      readonly queryId?: string | undefined;
    };

/**
 * Runs one statement. With `access: 'read'` the engine itself refuses writes wherever it can. A stopped query really
 * stops on the server.
 *
 * Rejects with `QUERY_FAILED` (details: `errorClass`, `vendorCode`, `position`, `nearestNames`), `QUERY_TIMEOUT` (own
 * deadline), `ABORTED` (the caller's signal), `QUERY_NOT_READ_ONLY`, `QUERY_REFUSED`, or a `DATABASE_*` code. Leaving
 * the iteration early stops the query.
 */
export interface QueryExecutor {
  execute(sql: string, options: ExecuteOptions): AsyncIterable<ResultEvent>;
}

export interface IntrospectOptions {
  /** Globs over qualified names; undefined means everything. */
  readonly include?: readonly string[] | undefined;
  /** Read the tags of relations and attributes as well, where the engine has them. */
  readonly tags?: boolean | undefined;
  readonly context: CallContext;
}

/**
 * Reads the catalog. What could not be read stands in `Catalog.incomplete`; a wrong catalog is never returned silently.
 */
export interface Introspector {
  introspect(options: IntrospectOptions): Promise<Catalog>;
}

/** A relation that the engine reads for a statement. */
export interface EngineRead {
  readonly nameParts: NameParts;
  /** Columns that are surely read, `*` for a whole row; there may be others. */
  readonly columns?: readonly string[] | undefined;
  /** The partition of that relation which is read. */
  readonly partition?: NameParts | undefined;
  /** A row-level policy reads it, whatever the statement names. */
  readonly byPolicy?: boolean | undefined;
}

/** A view that a statement reads. */
export interface ViewRead {
  readonly nameParts: NameParts;
  /** Its query, or the statement that makes it. Undefined where the database does not tell it. */
  readonly definition?: string | undefined;
}

/** What a statement would do and cost, without running it. */
export interface PlanVerdict {
  readonly verdict: 'ok' | 'invalid' | 'unknown';
  readonly statement?: 'read' | 'write' | 'ddl' | 'other' | undefined;
  readonly relations?: readonly string[] | undefined;
  /**
   * What the engine reads for it, by the engine's word and not by the text: with what stands behind views, with
   * children of a table, partitions as the table that they are parts of. Undefined where the engine does not tell.
   */
  readonly reads?: readonly EngineRead[] | undefined;
  /** The views that it reads, also through views, as they are now; where it was asked for and the adapter looks them up. */
  readonly views?: readonly ViewRead[] | undefined;
  /** Functions of users that its names may lead to; what they read is not in `reads`. */
  readonly routines?: readonly string[] | undefined;
  readonly estimatedRows?: number | undefined;
  readonly estimatedBytes?: number | undefined;
  readonly estimatedCostUsd?: number | undefined;
  /** The engine's complaint, when `invalid`. */
  readonly error?:
    | { readonly message: string; readonly details?: Readonly<Record<string, unknown>> | undefined }
    | undefined;
}

export interface Planner {
  check(sql: string, options: PlanOptions): Promise<PlanVerdict>;
}

export interface PlanOptions {
  readonly timeoutMs: number;
  readonly context: CallContext;
  /** Whether `views` of the verdict are wanted. */
  readonly views?: boolean | undefined;
}

export interface SampleOptions {
  readonly catalog: Catalog;
  /** Distinct values per attribute. */
  readonly limit: number;
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/**
 * Draws a few distinct values of each attribute asked for, no NULL among them. Fewer than `limit` are all that the
 * first 10,000 rows hold. An attribute that could not be sampled is absent.
 */
export type SampleValues = (
  attributes: readonly AttributeId[],
  options: SampleOptions,
) => Promise<Readonly<Record<AttributeId, readonly Value[]>>>;

/** Narrows an adapter for one tenant or role: a view on the same pool, closed with it. */
export interface ScopeOptions {
  readonly role?: string | undefined;
  readonly namespace?: readonly string[] | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** What an adapter author writes. Four parts are required; `resolveAdapter` supplies defaults for the others. */
export interface AdapterSpec {
  readonly contract: 1;
  readonly dialect: Dialect;
  /** A name to show, never a secret. */
  readonly name: string;
  /** What this adapter may be asked for at most. */
  readonly access: Access;
  readonly executor: QueryExecutor;
  readonly introspector: Introspector;
  /** Cancels what runs, within a bounded time. Closing twice is allowed. */
  close(): Promise<void>;
  readonly planner?: Planner | undefined;
  /** Explores columns through the adapter's own `query`. Pipelines use the standard explorer where it is left out. */
  readonly explorer?: ((query: Adapter['query']) => Explorer) | undefined;
  /** Takes statements apart. Pipelines slice the text with the dialect's lexer where it is left out. */
  readonly cteParser?: CteParser | undefined;
  /** Renders catalogs for prompts. Pipelines use the standard compressor where it is left out. */
  readonly compressor?: Compressor | undefined;
  readonly sampleValues?: SampleValues | undefined;
  readonly scope?: ((options: ScopeOptions) => AdapterSpec) | undefined;
  /** Without it, core says what the planner and a first query show. */
  readonly diagnose?: Diagnose | undefined;
  /** Without them, no catalog of this adapter is kept on disk. */
  readonly stamps?: CatalogStamps | undefined;
}

/** How a result ended. */
export interface ResultEnd {
  readonly truncated?: 'rows' | 'bytes' | undefined;
  readonly affectedRows?: number | undefined;
  readonly bytesProcessed?: number | undefined;
  readonly queryId?: string | undefined;
  /** From sending the statement to its last row. */
  readonly elapsedMs: number;
}

/** A whole result in memory. */
export interface QueryResult extends ResultEnd {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
}

/** What {@link QUERY_DEFAULTS} leaves open may be left out. */
export type QueryOptions = { readonly [Key in keyof ExecuteOptions]?: ExecuteOptions[Key] | undefined };

/** What pipelines use: `query` collects a whole result within default caps, `stream` hands it over as it comes. */
export interface Adapter extends AsyncDisposable {
  readonly dialect: Dialect;
  readonly name: string;
  readonly access: Access;
  readonly executor: QueryExecutor;
  readonly introspector: Introspector;
  readonly planner: Planner;
  /** These three are what the author supplied; `servicesOf` in @askema/grounding adds what was left out. */
  readonly explorer?: Explorer | undefined;
  readonly cteParser?: CteParser | undefined;
  readonly compressor?: Compressor | undefined;
  readonly stamps?: CatalogStamps | undefined;
  readonly sampleValues: SampleValues;
  /** Reads by default; defaults of caps and deadline: {@link QUERY_DEFAULTS}. */
  query(sql: string, options?: QueryOptions): Promise<QueryResult>;
  /**
   * Begins a statement and resolves when its columns are known. Reads by default, without caps on rows and bytes; the
   * default deadline is that of {@link QUERY_DEFAULTS}, and the time that the reader takes counts. Read it to its end,
   * leave the loop, or `close` it: until then the statement holds a connection.
   */
  stream(sql: string, options?: QueryOptions): Promise<RowStream>;
  introspect(
    options?: { readonly [Key in keyof IntrospectOptions]?: IntrospectOptions[Key] | undefined },
  ): Promise<Catalog>;
  scope(options: ScopeOptions): Adapter;
  /** See {@link Diagnose}. Default of the time limit: that of {@link QUERY_DEFAULTS}. */
  diagnose(options?: {
    readonly timeoutMs?: number | undefined;
    readonly context?: CallContext | undefined;
  }): Promise<Diagnosis>;
  close(): Promise<void>;
}

/** Caps that hold when a call of `query` names none. */
export const QUERY_DEFAULTS = {
  maxRows: 10_000,
  maxBytes: 64 * 1024 * 1024,
  timeoutMs: 30_000,
  access: 'read',
} as const satisfies Partial<ExecuteOptions>;
