import type { CallContext, QueryResult, Solver } from '@askema/core';

/** A result to be told, with the question that it answers. */
export interface SummaryPart {
  readonly question: string;
  readonly result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;
}

/** A place of a result. */
export interface CitedCell {
  /** Which result, from 0. */
  readonly part: number;
  /** From 0. */
  readonly row: number;
  /** Its position, from 0. */
  readonly column: number;
}

/** Where a text comes from: a cell as it is, or what code computed of cells. */
export interface Citation {
  /** Its place in `text`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'cell' | 'rows' | 'difference' | 'ratio' | 'change';
  readonly cells: readonly CitedCell[];
}

/** Prose about results. Each number and each name of a result in it is cited; plain text, to be shown as such. */
export interface Summary {
  readonly text: string;
  readonly citations: readonly Citation[];
}

export interface SummarizeInput {
  /** What was said: the question that the prose answers. */
  readonly question: string;
  readonly parts: readonly SummaryPart[];
}

/** As `summarize`: what was written, or why it was refused. */
export type Summarized = (
  | { readonly summary: Summary; readonly refused?: undefined }
  | { readonly summary?: undefined; readonly refused: string }
) & { readonly usage: import('@askema/core').Usage; readonly calls: number };

/**
 * Tells results in a few sentences. The model writes no number and no name of a result: it writes where one stands, and
 * code puts it there, or computes it of two cells. What it writes otherwise is refused, once with the reason, then for good.
 */
export declare function summarize(input: SummarizeInput, solver: Solver, context: CallContext): Promise<Summarized>;
