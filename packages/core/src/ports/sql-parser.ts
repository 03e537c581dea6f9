import type { Dialect } from '../adapter/dialect.ts';

/** A half-open range of UTF-16 code units in the source text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type Clause = 'select' | 'from' | 'join' | 'where' | 'group by' | 'having' | 'order by' | 'limit' | 'other';

/** What a query refers to, for inspection. The refine issue fills in its details; all spans slice the source. */
export interface QueryShape {
  readonly relations: readonly {
    readonly name: readonly string[];
    readonly alias?: string | undefined;
    readonly span: Span;
  }[];
  readonly columns: readonly { readonly name: readonly string[]; readonly clause: Clause; readonly span: Span }[];
}

/** Parses SQL. Not being able to is normal and no error. */
export interface SqlParser {
  parse(
    sql: string,
    dialect: Dialect,
  ): Promise<{ readonly ok: true; readonly shape: QueryShape } | { readonly ok: false; readonly reason: string }>;
}
