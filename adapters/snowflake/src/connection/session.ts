import type { CallContext, CallLimits, Parameter, ResultColumn, Row } from '@askema/core';

/** What one statement needs besides its text. */
export interface SessionQuery {
  /** Values for `?`, `:1` or, by name, for `:name`. */
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  /** Deadline and abort of the whole call, login and reading of the result included. Released by who started it. */
  readonly limits: CallLimits;
  /** Run id and tags go into the statement's QUERY_TAG. */
  readonly context: CallContext;
}

/** Rows in memory, exact as `Value` says. */
interface SessionRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
  /** True when there were more rows than `maxRows`. */
  readonly truncated: boolean;
  readonly queryId?: string | undefined;
}

/** A statement whose rows are read as they are needed. */
export interface SessionStream {
  readonly columns: readonly ResultColumn[];
  readonly queryId?: string | undefined;
  /** Rows changed, for a statement that writes. */
  readonly affectedRows?: number | undefined;
  /** Batches of rows. Leaving the iteration loads nothing more and frees the session; it must be iterated or left with `return()`. */
  readonly rows: AsyncGenerator<readonly Row[], void, void>;
}

/** What the server says of a statement without running it. */
interface StatementDescription {
  /** The vendor's number of the statement's kind; undefined where a stand-in does not say. */
  readonly statementTypeId?: number | undefined;
  readonly columns: readonly ResultColumn[];
}

/** Where a session stands, as the server said at login; a part is missing where nothing is set. */
export interface SessionPlace {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly warehouse?: string | undefined;
  readonly role?: string | undefined;
  readonly serverVersion?: string | undefined;
}

/**
 * Statements on sessions of a pool: each call takes a free session (or logs in) and gives it back; one whose state is in doubt is
 * destroyed. Nothing is started before the first call. Every statement carries `MULTI_STATEMENT_COUNT = 1`, its time limit and its query tag.
 * What the limits end is cancelled on the server.
 *
 * All of it rejects with `QUERY_FAILED` (class, vendor code, position), `QUERY_TIMEOUT`, `ABORTED`, a `DATABASE_*` code, `CONFIG_INVALID`
 * (the login is refused) or `DEPENDENCY_MISSING`. No check of reading: that is the executor's, so give it own statements only.
 */
export interface SnowflakeSession {
  /** A whole result of at most `maxRows` rows (default: 100,000); further chunks are not loaded. */
  query(sql: string, query: SessionQuery & { readonly maxRows?: number | undefined }): Promise<SessionRows>;
  stream(sql: string, query: SessionQuery): Promise<SessionStream>;
  /** Compiles a statement without running it (`describeOnly`). */
  describe(sql: string, query: SessionQuery): Promise<StatementDescription>;
  /** Logs in where nobody has yet. */
  place(limits: CallLimits): Promise<SessionPlace>;
  /** Cancels what runs and logs out, within a bounded time. Closing twice is allowed. */
  close(): Promise<void>;
}
