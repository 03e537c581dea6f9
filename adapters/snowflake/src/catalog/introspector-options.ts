/** What the introspector reads, and at what cost. Names are as the account stores them; where there is no such name, in upper case. */
export interface IntrospectorOptions {
  /** Of the catalog; shown, never a secret. */
  readonly name: string;
  /** The whole introspection. */
  readonly timeoutMs: number;
  /** Default: the database of the session. */
  readonly databases?: readonly string[] | undefined;
  /** In each of the databases. Default: all of them but INFORMATION_SCHEMA. */
  readonly schemas?: readonly string[] | undefined;
  /**
   * Whether the fields of VARIANT, OBJECT and ARRAY columns are looked for in some rows of each table that has such columns: one SELECT with a
   * LIMIT a table, which needs a warehouse. Default: `sample`.
   */
  readonly nestedFields?: 'sample' | 'off' | undefined;
  /** Statements side by side. Default: 4. */
  readonly concurrency?: number | undefined;
}
