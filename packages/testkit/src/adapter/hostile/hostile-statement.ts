/** A statement that must not run under `access: 'read'`. */
export interface HostileStatement {
  readonly sql: string;
  /** What it tries. */
  readonly attack: string;
  /**
   * `file`: run without any guard, it changes the database or leaves a file beside it. `connection`: it changes
   * settings or transactions of the connection. `reach`: it reaches for files, programs or code; an engine may simply
   * not know the function.
   */
  readonly harm: 'file' | 'connection' | 'reach';
}

/** Where the statements write files to. */
export interface HostileStatementOptions {
  /** Default: `/tmp`. */
  readonly folder?: string | undefined;
}
