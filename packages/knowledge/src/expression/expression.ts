import type { DataType, Span } from '@askema/core';

/**
 * A scalar or aggregate expression of a field, metric or condition: the subset of SQL that Ossie's expression language
 * asks for, without sub-queries. Spans slice the text that was parsed.
 */
export type Expression =
  | Literal
  | ColumnName
  | Star
  | Call
  | Unary
  | Binary
  | InList
  | Between
  | Test
  | Case
  | Cast
  | Interval
  | Extract;

interface Node {
  readonly span: Span;
}

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly type: 'number' | 'string' | 'boolean' | 'null' | 'date' | 'timestamp';
  /** Without quotes and with escapes resolved. */
  readonly value: string;
}

export interface ColumnName extends Node {
  readonly kind: 'column';
  /** Outermost first: usually none or a dataset. */
  readonly qualifier: readonly string[];
  readonly name: string;
  /** It stood in quotes, and is compared with case. */
  readonly isQuoted: boolean;
  /** What it means, once it was looked up. */
  readonly bound?: BoundColumn | undefined;
}

/** A column of the source of a dataset. */
interface BoundColumn {
  /** The name of the dataset as it is defined. */
  readonly dataset: string;
  /** As the engine stores it. */
  readonly column: string;
  readonly type: DataType;
}

/** Of `COUNT(*)`. */
interface Star extends Node {
  readonly kind: 'star';
}

export interface Call extends Node {
  readonly kind: 'call';
  /** In upper case. */
  readonly name: string;
  readonly isAggregate: boolean;
  readonly isDistinct: boolean;
  readonly arguments: readonly Expression[];
  /** FILTER (WHERE …). */
  readonly filter?: Expression | undefined;
  /** WITHIN GROUP (ORDER BY …). */
  readonly withinGroup?: { readonly expression: Expression; readonly isDescending: boolean } | undefined;
}

interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: '-' | '+' | 'NOT';
  readonly operand: Expression;
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'AND'
  | 'OR'
  | 'LIKE'
  | 'NOT LIKE'
  | 'ILIKE'
  | 'NOT ILIKE';

export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface InList extends Node {
  readonly kind: 'in';
  readonly operand: Expression;
  readonly list: readonly Expression[];
  readonly isNegated: boolean;
}

export interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly isNegated: boolean;
}

/** IS [NOT] NULL, TRUE, FALSE. */
interface Test extends Node {
  readonly kind: 'test';
  readonly operand: Expression;
  readonly is: 'null' | 'true' | 'false';
  readonly isNegated: boolean;
}

export interface Case extends Node {
  readonly kind: 'case';
  readonly operand?: Expression | undefined;
  readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise?: Expression | undefined;
}

export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expression;
  /** As written, in upper case. */
  readonly type: string;
  /** TRY_CAST, SAFE_CAST. */
  readonly isSafe: boolean;
}

/** INTERVAL '1' DAY. */
export interface Interval extends Node {
  readonly kind: 'interval';
  readonly count: Expression;
  /** In upper case, singular. */
  readonly unit: string;
}

/** EXTRACT(YEAR FROM d). */
export interface Extract extends Node {
  readonly kind: 'extract';
  /** In upper case. */
  readonly unit: string;
  readonly operand: Expression;
}
