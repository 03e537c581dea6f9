import type { FilterOperator } from '@askema/sql';

/**
 * The tree that both back-ends' trees become. Its leaves carry where they begin if the back-end says so; all other
 * spans come from the tokens of the source. Children stand in the order of the text.
 */

/** A name as a back-end gives it. */
export interface TreeName {
  readonly text: string;
  /** UTF-16 offset of its first character in the source, where the back-end knows it. */
  readonly at?: number | undefined;
}

export interface TreeLiteral {
  readonly kind: 'literal';
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'parameter' | 'typed' | 'other';
  readonly value: string;
  readonly dataType?: string | undefined;
}

export interface TreeColumn {
  readonly kind: 'column';
  readonly parts: readonly TreeName[];
  /** Expressions within the brackets of a path behind it. */
  readonly inner?: readonly Expression[] | undefined;
}

export interface TreeWindow {
  readonly name?: string | undefined;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly Expression[];
}

export interface TreeCall {
  readonly kind: 'call';
  readonly name: readonly TreeName[];
  readonly distinct: boolean;
  readonly args: readonly Expression[];
  /** What ORDER BY, WITHIN GROUP and FILTER hold. */
  readonly modifiers: readonly Expression[];
  readonly over?: TreeWindow | undefined;
}

/** A condition with an operator; `words` are what the operator may be in the text, upper case. */
export interface TreeTest {
  readonly kind: 'test';
  readonly operator: TestOperator;
  /** For comparisons with a symbol: as the text may have it. */
  readonly symbols: readonly string[];
  readonly negated: boolean;
  readonly left: Expression;
  readonly right: readonly Expression[];
}

/** The tests that are written as operators. */
export type TestOperator = Exclude<FilterOperator, 'exists' | 'holds'>;

export type Expression =
  | TreeLiteral
  | TreeColumn
  | TreeCall
  | TreeTest
  | { readonly kind: 'star'; readonly qualifier: readonly TreeName[]; readonly children: readonly Expression[] }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'brackets'; readonly operand: Expression }
  | { readonly kind: 'exists'; readonly query: TreeQuery; readonly negated: boolean }
  | {
      readonly kind: 'query';
      readonly query: TreeQuery;
      readonly role: 'scalar' | 'in' | 'quantified' | 'array';
    }
  | {
      readonly kind: 'other';
      readonly children: readonly Expression[];
      /** XOR of MySQL, which binds looser than AND, whatever a back-end makes of it. */
      readonly isXor?: boolean | undefined;
    };

export interface TreeAlias {
  /** Undefined where only columns are named (WITH OFFSET). */
  readonly name: TreeName | undefined;
  readonly columns: readonly TreeName[];
}

export type TreeFactor = { readonly alias?: TreeAlias | undefined; readonly lateral?: boolean | undefined } & (
  | { readonly kind: 'table'; readonly name: readonly TreeName[] }
  | { readonly kind: 'function'; readonly name: readonly TreeName[]; readonly args: readonly Expression[] }
  | { readonly kind: 'unnest'; readonly args: readonly Expression[] }
  | { readonly kind: 'derived'; readonly query: TreeQuery }
  | { readonly kind: 'joins'; readonly from: readonly TreeSource[] }
  /** PIVOT, UNPIVOT, MATCH_RECOGNIZE over a factor; what stands in it is not looked into but for expressions. */
  | { readonly kind: 'modified'; readonly factor: TreeFactor; readonly args: readonly Expression[] }
);

export type TreeJoinKind = 'inner' | 'left' | 'right' | 'full' | 'cross' | 'semi' | 'anti' | 'asof' | 'comma' | 'other';

/** A relation with how it comes in; the first of FROM has no join. */
export interface TreeSource {
  readonly factor: TreeFactor;
  readonly join?:
    | {
        readonly kind: TreeJoinKind;
        readonly natural: boolean;
        readonly on?: Expression | undefined;
        /** ASOF JOIN … MATCH_CONDITION (…). */
        readonly match?: Expression | undefined;
        readonly using: readonly TreeName[];
      }
    | undefined;
}

export interface TreeItem {
  readonly expression: Expression;
  readonly alias?: TreeName | undefined;
}

export interface TreeOrder {
  readonly expression: Expression;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last' | undefined;
}

export interface TreeSelect {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly distinctOn: readonly Expression[];
  readonly items: readonly TreeItem[];
  readonly from: readonly TreeSource[];
  readonly where?: Expression | undefined;
  readonly groupBy: readonly Expression[] | 'all';
  readonly having?: Expression | undefined;
  readonly qualify?: Expression | undefined;
  /** Expressions of the WINDOW clause. */
  readonly windows: readonly Expression[];
  readonly hasWindowClause: boolean;
  readonly hasTop: boolean;
}

export type TreeBody =
  | TreeSelect
  | { readonly kind: 'set'; readonly operators: readonly TreeSetOperator[]; readonly operands: readonly TreeBody[] }
  | { readonly kind: 'query'; readonly query: TreeQuery }
  | { readonly kind: 'values'; readonly rows: readonly Expression[] };

export interface TreeSetOperator {
  readonly operator: 'union' | 'intersect' | 'except';
  readonly all: boolean;
}

export interface TreeCte {
  readonly name: TreeName;
  readonly columns: readonly TreeName[];
  readonly query: TreeQuery;
}

export interface TreeQuery {
  readonly recursive: boolean;
  readonly ctes: readonly TreeCte[];
  readonly body: TreeBody;
  readonly orderBy: readonly TreeOrder[] | 'all';
  readonly hasLimit: boolean;
  readonly count?: string | undefined;
  readonly offset?: string | undefined;
  /** Expressions of LIMIT and OFFSET that are no literals. */
  readonly limitExpressions: readonly Expression[];
}
