import type { CallContext } from '../context/call-context.ts';

/** What an adapter can say of its connection, for people: see `askema check`. */
export interface Diagnosis {
  /** Product and version, as the server says: `PostgreSQL 15.18`. */
  readonly server: string;
  /** Who is connected: a user, a role, a service account. Never a secret. */
  readonly user?: string | undefined;
  /** Where one is: account, database, schema, warehouse, project; by the vendor's words. */
  readonly place?: Readonly<Record<string, string>> | undefined;
  readonly readOnly: ReadOnlyStanding;
  readonly findings: readonly DiagnosisFinding[];
}

/** What keeps a statement from writing, strongest first. */
export interface ReadOnlyStanding {
  /**
   * `grants`: who is connected may not write at all. `engine`: the session or the statement kind is read-only by the
   * engine. `text`: only the text of a statement is looked at. `nothing`: statements may write.
   */
  readonly by: 'grants' | 'engine' | 'text' | 'nothing';
  /** One sentence: what was looked at, and what it showed. */
  readonly explanation: string;
}

/** Something worth knowing or mending. */
export interface DiagnosisFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable, in kebab case: `role-can-write`, `no-warehouse`. */
  readonly code: string;
  /** What is so, with the names that are meant. */
  readonly message: string;
  /** What to do: SQL to copy, or a setting. */
  readonly fix?: string | undefined;
}

/**
 * Connects and looks, without changing anything: the server, who is connected, what may be read, whether writing is
 * really impossible.
 *
 * Rejects with the `DATABASE_*` codes when nothing can be reached, `QUERY_TIMEOUT` or `ABORTED`.
 */
export type Diagnose = (options: DiagnoseOptions) => Promise<Diagnosis>;

export interface DiagnoseOptions {
  readonly timeoutMs: number;
  readonly context: CallContext;
}
