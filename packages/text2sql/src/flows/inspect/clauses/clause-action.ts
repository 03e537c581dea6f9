/**
 * Clause actions (Tool-SQL, arXiv 2408.16991, section "function design"): a query as a sequence of calls, one for each
 * clause, whose arguments can be inspected one by one. Plain JSON: they are parsed, never evaluated.
 *
 * Where an argument is an `expression`, it is SQL text of the dialect: a column (`T1.name`), or anything around columns
 * (CASE, arithmetic, window functions). `$id` in an expression, or as the name of a relation, stands for the answer of
 * the sub-question `id`.
 */
export type ClauseAction =
  | AddFrom
  | AddWhere
  | AddGroupBy
  | AddHaving
  | AddOrderBy
  | AddLimit
  | AddSelect
  | AddMerge
  | AskSubQuestion;

export type ClauseActionName = ClauseAction['action'];

/** The names of all actions, in the order in which prompts list them. */
export const CLAUSE_ACTIONS = [
  'add_from',
  'add_where',
  'add_group_by',
  'add_having',
  'add_order_by',
  'add_limit',
  'add_select',
  'add_merge',
  'qa',
] as const satisfies readonly ClauseActionName[];

export interface AddFrom {
  readonly action: 'add_from';
  readonly relation: string;
  readonly alias?: string | undefined;
  readonly joins: readonly JoinArgument[];
}

export interface JoinArgument {
  readonly kind: 'inner' | 'left' | 'right' | 'full' | 'cross';
  readonly relation: string;
  readonly alias?: string | undefined;
  /** Columns that have to be equal; none for a cross join. */
  readonly on: readonly { readonly left: string; readonly right: string }[];
  /** Whatever the condition holds beside `on`, as an expression. */
  readonly condition?: string | undefined;
}

export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** What a condition compares with. Values are written as literals by the assembler; expressions stand as they are. */
export type ConditionOperand =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'expression'; readonly sql: string };

interface Condition {
  /** The column or expression that is tested; for `exists` the sub-question, `$id`. */
  readonly left: string;
  readonly operator: ConditionOperator;
  /** One for comparisons, two for `between`, any number for `in`, none for `is null`, `exists` and `holds`. */
  readonly right: readonly ConditionOperand[];
  /** How it is linked to the condition before it in the same clause; undefined where the model did not say. */
  readonly link?: 'and' | 'or' | undefined;
  /** Neighbouring conditions of one group stand in brackets together. */
  readonly group?: number | undefined;
}

export interface AddWhere extends Condition {
  readonly action: 'add_where';
}

export interface AddHaving extends Condition {
  readonly action: 'add_having';
}

export interface AddGroupBy {
  readonly action: 'add_group_by';
  readonly expressions: readonly string[];
}

export interface AddOrderBy {
  readonly action: 'add_order_by';
  readonly keys: readonly {
    readonly expression: string;
    readonly direction: 'asc' | 'desc';
    readonly nulls?: 'first' | 'last' | undefined;
  }[];
}

export interface AddLimit {
  readonly action: 'add_limit';
  readonly count: number;
  readonly offset?: number | undefined;
}

export interface AddSelect {
  readonly action: 'add_select';
  readonly distinct: boolean;
  readonly items: readonly { readonly expression: string; readonly alias?: string | undefined }[];
}

/** Ends one query and begins the next. An order or limit behind the last query belongs to the whole. */
export interface AddMerge {
  readonly action: 'add_merge';
  readonly operator: 'union' | 'union all' | 'intersect' | 'except';
}

/** A sub-question, which is answered by a sequence of its own. */
export interface AskSubQuestion {
  readonly action: 'qa';
  /** A word: later arguments name it as `$id`. */
  readonly id: string;
  readonly question: string;
  /** `rows` stands as a common table expression, the others as sub-queries in brackets. */
  readonly use: 'value' | 'list' | 'rows';
}

/** A tree of AND and OR over the conditions of one clause, by their index among the actions. */
export type ConditionTree =
  | { readonly kind: 'condition'; readonly action: number }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly ConditionTree[] };

/** What a condition of an action may test. `holds`: its left side stands as a condition by itself. */
export const CONDITION_OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'not like',
  'in',
  'not in',
  'between',
  'is null',
  'is not null',
  'exists',
  'not exists',
  'holds',
] as const;

/** Why a sequence of clause actions is no query, or what a query has that no clause action says. Plain JSON. */
export interface ActionProblem {
  /** Index of the action in the list that was given; undefined for what concerns no single one. */
  readonly action: number | undefined;
  /** What is wrong, with which value, and what to write instead: for a model and for a person. */
  readonly message: string;
  /** Of names that do not exist: those that do, best first. */
  readonly nearestNames: readonly string[];
}

/** A problem without names to suggest. */
export function problemOf(
  action: number | undefined,
  message: string,
  nearestNames: readonly string[] = [],
): ActionProblem {
  return { action, message, nearestNames };
}
