import type { ScopeClause, Span } from '@askema/core';

/** The clause in which something stands. `join` is the condition of a join, `window` the WINDOW clause. */
export type Clause = ScopeClause;

/** One part of a name, as written. */
export interface NamePart {
  /** Without its quotes and with escapes resolved; letters are not folded. */
  readonly text: string;
  readonly quoted: boolean;
  /**
   * Slices the part with its quotes. Several parts share one span where one pair of quotes holds them all (BigQuery:
   * `` `project.dataset.table` ``).
   */
  readonly span: Span;
}

/**
 * Where a block stands in its parent: in a clause, as a common table expression, or as an operand of a set operation.
 */
export type BlockPlace = 'statement' | 'cte' | 'operand' | Clause;

/**
 * What a block is for: rows of a relation, a single value, the list of IN, the question of EXISTS, ANY or ALL,
 * ARRAY(…).
 */
export type BlockRole = 'rows' | 'scalar' | 'in' | 'exists' | 'quantified' | 'array';

/**
 * What a query refers to and how it is composed, for inspection. Plain JSON. Nothing in it is text that was written
 * back from a tree: every span slices the source that was parsed, so that a finding can point at it and a fix can be an
 * edit of it.
 *
 * The query and each query inside it is a block with lists of its own. Lists refer to each other by index: a filter's
 * columns are indexes into `columns` of the same block, a sub-query is an index into `blocks`.
 */
export interface QueryShape {
  /** The statement that is described: the last query of the source, without its semicolon. */
  readonly statement: Span;
  /** How many statements the source holds; those before the last query (DECLARE, SET) are not looked into. */
  readonly statementCount: number;
  /** The grammar that accepted it: the dialect's own, or the one that was fallen back to (`generic`). */
  readonly parsedAs: string;
  /**
   * `blocks[0]` is the statement; a parent comes before its children, children in the order of the source within one
   * list.
   */
  readonly blocks: readonly QueryBlock[];
}

/** One SELECT, set operation or VALUES with its WITH, ORDER BY and LIMIT. */
export interface QueryBlock {
  /** Its index in {@link QueryShape.blocks}. */
  readonly id: number;
  /** Undefined for the statement. */
  readonly parent: number | undefined;
  readonly place: BlockPlace;
  readonly role: BlockRole;
  readonly kind: 'select' | 'set operation' | 'values' | 'other';
  /** From its first word to its last, without the brackets around a sub-query. */
  readonly span: Span;
  /** Each clause with its keyword: where an edit inserts or removes. `with` ends before the body. */
  readonly clauses: Readonly<Partial<Record<Clause | 'with', Span>>>;
  readonly ctes: readonly CteShape[];
  /** SELECT DISTINCT, also DISTINCT ON. */
  readonly distinct: boolean;
  readonly items: readonly SelectItemShape[];
  readonly relations: readonly RelationShape[];
  readonly joins: readonly JoinShape[];
  /** Every reference to a column of this block's own text; those of sub-queries stand in their blocks. */
  readonly columns: readonly ColumnShape[];
  /** Comparisons of WHERE, HAVING, QUALIFY and ON, in that order of clauses within the block's text. */
  readonly filters: readonly FilterShape[];
  /** How the filters of a clause are combined; those of a join stand in {@link JoinShape.condition}. */
  readonly conditions: Readonly<Partial<Record<'where' | 'having' | 'qualify', ConditionShape>>>;
  readonly groupings: readonly GroupingShape[];
  /** Every call of a function with the aggregates and window functions among them. */
  readonly calls: readonly CallShape[];
  readonly orderBy: readonly OrderShape[];
  readonly limit: LimitShape | undefined;
  /** Of a block whose `kind` is `set operation`. */
  readonly setOperation: SetOperationShape | undefined;
  /**
   * Sub-queries in expressions and in FROM, in the order of the text. CTEs and operands of set operations stand
   * elsewhere.
   */
  readonly subqueries: readonly SubqueryShape[];
}

export interface CteShape {
  readonly name: NamePart;
  /** Names given behind it: `WITH c (a, b) AS …`. */
  readonly columns: readonly NamePart[];
  readonly recursive: boolean;
  readonly block: number;
  /** From the name to the closing bracket of the body. */
  readonly span: Span;
}

export interface SelectItemShape {
  readonly kind: 'column' | 'star' | 'expression';
  /** Undefined where none is written: `a.b AS x` gives `x`, `a.b` none. */
  readonly alias: NamePart | undefined;
  /** The whole item with its alias. */
  readonly span: Span;
  /** Without alias. */
  readonly expression: Span;
  /** Indexes into `columns`. */
  readonly columns: readonly number[];
  /** Indexes into `calls`. */
  readonly calls: readonly number[];
  /** An aggregate that is no window function stands in it, outside of sub-queries. */
  readonly isAggregate: boolean;
  /** `t` of `t.*`; of stars only. */
  readonly qualifier: readonly NamePart[];
}

/** What a qualifier or the name of a relation was found to mean by the text alone. */
export interface RelationRef {
  /** The block whose FROM has it: another than the column's own when the sub-query is correlated. */
  readonly block: number;
  /** Index into that block's `relations`. */
  readonly relation: number;
}

export interface RelationShape {
  /**
   * `table` also stands for views; `function` for table functions (FLATTEN, json_each); `derived` for sub-queries and
   * VALUES.
   */
  readonly kind: 'table' | 'cte' | 'derived' | 'function' | 'unnest';
  /** Outermost part first; empty for `derived` and `unnest`. */
  readonly name: readonly NamePart[];
  readonly alias: NamePart | undefined;
  /** Names that an alias gives to the columns: `AS t (a, b)`. */
  readonly columnAliases: readonly NamePart[];
  /** The name, the bracketed sub-query with its brackets, or the call. */
  readonly span: Span;
  /** The block of a CTE or derived table. */
  readonly block: number | undefined;
  readonly lateral: boolean;
}

export interface ColumnShape {
  readonly name: NamePart;
  /**
   * The parts before the name, outermost first: a relation or its alias, behind its schema and database; or, where the
   * engine has nested fields (BigQuery), a column and its fields. Only the catalog can tell.
   */
  readonly qualifier: readonly NamePart[];
  readonly clause: Clause;
  /** From the first part to the last. */
  readonly span: Span;
  /** A path behind the name (Snowflake `:a.b[0]`), from its colon or bracket on. */
  readonly path: Span | undefined;
  /** What the first or last part of the qualifier names, when the text tells. */
  readonly relation: RelationRef | undefined;
  /**
   * An unqualified name in GROUP BY, HAVING, QUALIFY or ORDER BY that is an alias of the select list: index into
   * `items`.
   */
  readonly item: number | undefined;
}

export interface JoinShape {
  /** `comma` is a relation behind a comma in FROM. */
  readonly kind: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti' | 'asof' | 'comma' | 'other';
  readonly natural: boolean;
  /** The relation that it adds: index into `relations`. */
  readonly relation: number;
  /** From JOIN and the words before it, or the comma, to the end of its condition. */
  readonly span: Span;
  /** Without ON. */
  readonly condition: ConditionShape | undefined;
  /** Column = column within its condition, where no OR and no NOT stands above it. */
  readonly pairs: readonly JoinPair[];
  /** USING (…). They are not repeated in `columns`. */
  readonly using: readonly NamePart[];
}

/** Indexes into `columns`, as written to the left and the right of the equality sign. */
export interface JoinPair {
  readonly left: number;
  readonly right: number;
  readonly span: Span;
}

/** A tree of AND, OR and NOT over filters. Spans leave out brackets around the whole. */
export type ConditionShape =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly ConditionShape[]; readonly span: Span }
  | { readonly kind: 'not'; readonly operand: ConditionShape; readonly span: Span }
  | { readonly kind: 'filter' /** Index into `filters`. */; readonly filter: number; readonly span: Span };

/**
 * `is true`, `is false` and `is unknown` are tests with IS; `holds` is an expression that stands as a condition by
 * itself.
 */
export type FilterOperator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'is distinct from'
  | 'like'
  | 'ilike'
  | 'regexp'
  | 'in'
  | 'between'
  | 'is null'
  | 'is true'
  | 'is false'
  | 'is unknown'
  | 'exists'
  | 'holds'
  | 'other';

export interface FilterShape {
  readonly clause: 'where' | 'having' | 'qualify' | 'join';
  /** Index into `joins`, of those in a join's condition. */
  readonly join: number | undefined;
  readonly operator: FilterOperator;
  /** NOT that belongs to the operator: NOT IN, NOT LIKE, IS NOT NULL, NOT EXISTS. */
  readonly negated: boolean;
  /** What is tested. For `exists` the sub-query. */
  readonly left: OperandShape;
  /**
   * What it is compared with: one for comparisons, two for BETWEEN, the elements of IN, none for IS NULL, EXISTS and
   * `holds`.
   */
  readonly right: readonly OperandShape[];
  readonly span: Span;
}

export interface OperandShape {
  readonly kind: 'column' | 'literal' | 'subquery' | 'call' | 'expression';
  readonly span: Span;
  /** Indexes into `columns`: all that stand in it, the one itself for a `column`. */
  readonly columns: readonly number[];
  /** Indexes into `calls`; the outermost first for a `call`. */
  readonly calls: readonly number[];
  readonly literal: LiteralShape | undefined;
  /** Of a `subquery`. */
  readonly block: number | undefined;
}

export interface LiteralShape {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'parameter' | 'typed' | 'other';
  /**
   * A string without quotes and with escapes resolved, a number as written, `true`, `false`, `null`, or the parameter's
   * name.
   */
  readonly value: string;
  /** Of `typed`: the type in front of the string, `DATE` of `DATE '2024-01-01'`. */
  readonly dataType: string | undefined;
}

export interface GroupingShape {
  /** `position` is GROUP BY 1; `all` GROUP BY ALL; `sets` ROLLUP, CUBE and GROUPING SETS. */
  readonly kind: 'column' | 'position' | 'expression' | 'all' | 'sets';
  /** Of a `position`: index into `items`. */
  readonly item: number | undefined;
  readonly columns: readonly number[];
  readonly span: Span;
}

export interface CallShape {
  readonly name: readonly NamePart[];
  /**
   * `aggregate` and `window` go by the name of the function and by OVER; a window function is never also an aggregate.
   */
  readonly kind: 'aggregate' | 'window' | 'scalar';
  readonly clause: Clause;
  readonly distinct: boolean;
  /** `COUNT(*)`. */
  readonly star: boolean;
  /** How many arguments it has; a star counts as one. */
  readonly argumentCount: number;
  /** Indexes into `columns`: those inside its brackets, FILTER and WITHIN GROUP, not those of OVER. */
  readonly columns: readonly number[];
  /** From the name to the closing bracket, with FILTER, WITHIN GROUP and OVER. */
  readonly span: Span;
  /** Of a window function. */
  readonly window: WindowShape | undefined;
}

export interface WindowShape {
  /** The name behind OVER or in front within it, which the WINDOW clause explains. */
  readonly name: string | undefined;
  /** Indexes into `columns`. */
  readonly partitionBy: readonly number[];
  /** Indexes into `columns`. */
  readonly orderBy: readonly number[];
  /** OVER with what follows it. */
  readonly span: Span;
}

export interface OrderShape {
  readonly kind: 'column' | 'position' | 'expression' | 'all';
  /** Of a `position`: index into `items`. */
  readonly item: number | undefined;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last' | undefined;
  readonly columns: readonly number[];
  readonly calls: readonly number[];
  /** With its direction. */
  readonly span: Span;
}

export interface LimitShape {
  /** LIMIT, TOP or FETCH as it is written. */
  readonly span: Span;
  /** Undefined where it is no literal number, or where only OFFSET is given. */
  readonly count: string | undefined;
  readonly offset: string | undefined;
}

export interface SetOperationShape {
  /** Blocks in the order of the text. Nested operations that are written without brackets are flat here. */
  readonly operands: readonly number[];
  /** Between operand n and n + 1. Engines let INTERSECT bind tighter than the others. */
  readonly operators: readonly {
    readonly operator: 'union' | 'intersect' | 'except';
    readonly all: boolean;
    readonly span: Span;
  }[];
}

export interface SubqueryShape {
  readonly block: number;
  readonly clause: Clause;
  readonly role: BlockRole;
  /** With its brackets. */
  readonly span: Span;
}
