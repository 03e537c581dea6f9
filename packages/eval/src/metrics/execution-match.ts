import { type ColumnOrder, type ComparableResult, compareResults, type NumericTolerance } from '@askema/core';

/** How strictly `executionMatch` compares. */
export interface ExecutionMatchOptions extends Partial<NumericTolerance> {
  /** True when the order of the rows is part of the answer. */
  readonly orderMatters: boolean;
}

/** Whether a candidate's result is the answer. `columnOrder` names, for each column of gold, the candidate's column. */
export type ExecutionMatch =
  | { readonly match: true; readonly columnOrder: ColumnOrder }
  | {
      readonly match: false;
      /**
       * - `columns`, `rows`: another number of them. `values`: other contents. `order`: the right rows in another
       *   order.
       * - `undecided`: so symmetric that the search was given up; counts as no match.
       */
      readonly kind: 'columns' | 'rows' | 'values' | 'order' | 'undecided';
      readonly reason: string;
    };

/**
 * Compares a candidate's result with gold by core's {@link compareResults}: columns in any order and by their contents,
 * the association within a row kept, a missing or an extra column wrong, row order only where `orderMatters`.
 */
export function executionMatch(
  gold: ComparableResult,
  candidate: ComparableResult,
  options: ExecutionMatchOptions,
): ExecutionMatch {
  const comparison = compareResults(gold, candidate, options);
  if (comparison.match) return comparison;
  return { ...comparison, reason: reasonOf(comparison.kind, gold, candidate) };
}

function reasonOf(
  kind: Extract<ExecutionMatch, { match: false }>['kind'],
  gold: ComparableResult,
  candidate: ComparableResult,
): string {
  switch (kind) {
    case 'columns':
      return `${counted(candidate.columns.length, 'column')} where ${gold.columns.length} are asked for`;
    case 'rows':
      return `${counted(candidate.rows.length, 'row')} where there should be ${gold.rows.length}`;
    case 'values':
      return 'other values';
    case 'order':
      return 'the right rows in another order';
    case 'undecided':
      return 'the results are too symmetric to be compared within bounds';
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
