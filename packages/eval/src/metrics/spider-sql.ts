/**
 * A column with its aggregate: `none`, `max`, `min`, `count`, `sum` or `avg`. `distinct` is null where it does not
 * count.
 */
export interface SpiderColumn {
  readonly aggregate: string;
  /** `table.column`, in lower case; `*` for all. */
  readonly column: string;
  readonly distinct: boolean | null;
}

/** A column, or two with an operator between them. */
export interface SpiderTerm {
  readonly operator: string;
  readonly left: SpiderColumn;
  readonly right: SpiderColumn | null;
}

/** What a condition compares with; null where values do not count. */
export type SpiderValue = null | number | string | SpiderColumn | SpiderSql;

export interface SpiderCondition {
  readonly not: boolean;
  readonly operator: string;
  readonly term: SpiderTerm;
  readonly first: SpiderValue;
  readonly second: SpiderValue;
}

/** Conditions with the `and` and `or` between them. */
export interface SpiderConditions {
  readonly all: readonly SpiderCondition[];
  readonly connectors: readonly string[];
}

export type SpiderSource =
  | { readonly type: 'table'; readonly table: string }
  | { readonly type: 'sql'; readonly sql: SpiderSql };

/** A statement in the components that Spider's exact match compares. */
export interface SpiderSql {
  readonly type: 'sql';
  readonly distinct: boolean | null;
  readonly select: readonly { readonly aggregate: string; readonly term: SpiderTerm }[];
  readonly sources: readonly SpiderSource[];
  readonly on: SpiderConditions;
  readonly where: SpiderConditions;
  readonly groupBy: readonly SpiderColumn[];
  readonly having: SpiderConditions;
  readonly orderBy: { readonly direction: string; readonly terms: readonly SpiderTerm[] } | null;
  readonly limit: number | null;
  readonly intersect: SpiderSql | null;
  readonly union: SpiderSql | null;
  readonly except: SpiderSql | null;
}

/** True for a statement among values. */
export function isSpiderSql(value: SpiderValue): value is SpiderSql {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Names as Spider's evaluator knows them, all in lower case. */
export interface SpiderSchema {
  /** Columns by table. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** For a column that a foreign key equates with others, one that stands for all of them. */
  readonly keys: ReadonlyMap<string, string>;
}
