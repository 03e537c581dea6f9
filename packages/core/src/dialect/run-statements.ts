/** Where the engine itself counts the statements that people run. */
export interface RunStatements {
  /** What keeps them: `pg_stat_statements`. */
  readonly name: string;
  /** Gives the schema in which it stands; no row where it is not there. */
  readonly schema: string;
  /**
   * Text, number of runs, user, and whether the connected user ran it; the most run first. `{schema}` is to be filled
   * in.
   */
  readonly statements: string;
  /** What to do where it is not there, or cannot be read. */
  readonly advice: string;
}
