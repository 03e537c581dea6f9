import type { AttributeId, RelationId } from '@askema/core';
import type { AggregateFunction } from '../lexicon/aggregates.ts';
import type { Comparison } from '../lexicon/comparisons.ts';
import type { TimeUnit } from '../lexicon/time-units.ts';

/** One relation in a FROM clause. Two sources are the same only when they are the same object. */
export interface Source {
  readonly relation: RelationId;
}

export interface Join {
  readonly source: Source;
  /** Equal pairs: an attribute of an earlier source, and one of this. */
  readonly on: readonly { readonly left: Column; readonly right: Column }[];
}

export interface Column {
  readonly kind: 'column';
  readonly source: Source;
  readonly attribute: AttributeId;
}

/** The year, quarter or month of a time, as a number. */
export interface TimePart {
  readonly kind: 'time-part';
  readonly unit: TimeUnit;
  readonly argument: Column;
}

export type Literal =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'text'; readonly value: string };

export type Expression =
  | Column
  | Literal
  /** Without an argument: COUNT(*). */
  | { readonly kind: 'count'; readonly argument?: Column | undefined; readonly distinct: boolean }
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly argument: Expression }
  | { readonly kind: 'product'; readonly factors: readonly Expression[] }
  /** A text read as a number. */
  | { readonly kind: 'numeric'; readonly argument: Expression }
  | { readonly kind: 'scalar'; readonly query: Query }
  | TimePart
  /** The percentage of rows of which the predicates hold. */
  | { readonly kind: 'share'; readonly predicates: readonly Predicate[] };

export type Predicate =
  | { readonly kind: 'compare'; readonly left: Expression; readonly comparison: Comparison; readonly right: Expression }
  | { readonly kind: 'in'; readonly column: Column; readonly values: readonly Literal[]; readonly negated: boolean }
  | { readonly kind: 'like'; readonly column: Column; readonly pattern: string; readonly negated: boolean }
  | { readonly kind: 'null'; readonly column: Column; readonly negated: boolean }
  | { readonly kind: 'exists'; readonly query: Query; readonly negated: boolean }
  | { readonly kind: 'or'; readonly options: readonly (readonly Predicate[])[] };

export interface OrderItem {
  readonly expression: Expression;
  readonly direction: 'ascending' | 'descending';
}

/** One SELECT. Without `select` it is the body of an EXISTS. */
export interface Query {
  readonly select: readonly Expression[];
  /** All attributes of this source instead of `select`. */
  readonly everythingOf?: Source | undefined;
  readonly distinct: boolean;
  readonly from: Source;
  readonly joins: readonly Join[];
  readonly where: readonly Predicate[];
  readonly groupBy: readonly (Column | TimePart)[];
  readonly having: readonly Predicate[];
  readonly orderBy: readonly OrderItem[];
  readonly limit?: number | undefined;
}

/** Calls back for a query and every query inside it, outermost first. */
export function visitQueries(query: Query, visit: (query: Query) => void): void {
  visit(query);
  const ofExpression = (expression: Expression): void => {
    if (expression.kind === 'scalar') visitQueries(expression.query, visit);
    else if (expression.kind === 'aggregate' || expression.kind === 'numeric') ofExpression(expression.argument);
    else if (expression.kind === 'product') expression.factors.forEach(ofExpression);
    else if (expression.kind === 'share') expression.predicates.forEach(ofPredicate);
  };
  const ofPredicate = (predicate: Predicate): void => {
    if (predicate.kind === 'exists') visitQueries(predicate.query, visit);
    else if (predicate.kind === 'or') predicate.options.flat().forEach(ofPredicate);
    else if (predicate.kind === 'compare') {
      ofExpression(predicate.left);
      ofExpression(predicate.right);
    }
  };
  query.select.forEach(ofExpression);
  query.where.forEach(ofPredicate);
  query.having.forEach(ofPredicate);
  for (const { expression } of query.orderBy) ofExpression(expression);
}

/** All texts that a query and the queries inside it compare with. */
export function textLiterals(query: Query): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (value: Expression): void => {
    if (value.kind === 'text') found.add(value.value);
  };
  const ofPredicate = (predicate: Predicate): void => {
    if (predicate.kind === 'in') predicate.values.forEach(note);
    else if (predicate.kind === 'compare') note(predicate.right);
    else if (predicate.kind === 'or') predicate.options.flat().forEach(ofPredicate);
  };
  visitQueries(query, (inner) => {
    const shares = inner.select.flatMap((item) => (item.kind === 'share' ? item.predicates : []));
    [...inner.where, ...inner.having, ...shares].forEach(ofPredicate);
  });
  return found;
}
