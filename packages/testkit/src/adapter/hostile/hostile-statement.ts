/**
 * What a hostile statement is about; each is a case of the suite, `read-only-changes` and so on.
 *
 * - `changes`: data, objects, roles and files of the database, in the statements that are made for it
 * - `disguises`: the same behind comments, several statements, quotes, odd blanks and letters
 * - `session`: settings, transactions, locks, prepared statements, temporary objects
 * - `reach`: files, programs, network, code that is loaded, other databases
 * - `functions`: functions of the engine that do more than compute
 * - `planted`: objects that somebody made before: views, functions, macros, operators, policies
 * - `bombs`: work or memory without end; they end within their time, and nobody else notices
 * - `harmless`: may run, and leaves nothing
 */
export const HOSTILE_GROUPS = [
  'changes',
  'disguises',
  'session',
  'reach',
  'functions',
  'planted',
  'bombs',
  'harmless',
] as const;

export type HostileGroup = (typeof HOSTILE_GROUPS)[number];

/** A statement that must not run under `access: 'read'`; of the groups `bombs` and `harmless`: that may run, and leaves nothing. */
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
  /** Default: `changes` for `file`, `session` for `connection`, else `reach`. */
  readonly group?: HostileGroup | undefined;
}

/** What the placeholders in the statements stand for. */
export interface HostileStatementOptions {
  /** `{folder}`: where the statements write files to. Default: `/tmp`. */
  readonly folder?: string | undefined;
  /** `{secret}`: a file that they try to read. Default: `/etc/passwd`. */
  readonly secret?: string | undefined;
  /** `{port}`: a port of 127.0.0.1 that they try to reach. Default: 1, where nobody listens. */
  readonly port?: number | undefined;
  /** Default: those that can be refused as they stand, so neither `planted` nor `bombs` nor `harmless`. */
  readonly groups?: readonly HostileGroup[] | undefined;
}

/** Statements by what they are about, what they harm, and what they try. */
export type HostileStatements = Partial<
  Record<HostileGroup, Partial<Record<HostileStatement['harm'], Readonly<Record<string, string>>>>>
>;

/** The attacks that engines of one family understand. */
export interface HostileFamily {
  readonly statements: HostileStatements;
  /** Run by a writer on the shop fixture, these plant what the statements of the group `planted` use. */
  readonly plants?: readonly string[] | undefined;
  /**
   * Queries about what a statement could leave behind in the engine: settings, temporary objects, locks. They answer the
   * same before and after the statements.
   */
  readonly traces?: readonly string[] | undefined;
}
