import type { QueryResult, Usage } from '@askema/core';

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
  /** Its place in `text`, in UTF-16 units. A difference or a change has its sign, but for one whose direction words say. */
  readonly start: number;
  readonly end: number;
  readonly kind: 'cell' | 'rows' | 'difference' | 'ratio' | 'change';
  /** None for `rows`; two for what is computed, in the order of the mark. */
  readonly cells: readonly CitedCell[];
}

/**
 * Prose about results. Each of its numbers is cited or stands in a question, and so is each name that the model has left
 * to code. Plain text, to be shown as such: a cell in it may hold markup.
 */
export interface Summary {
  readonly text: string;
  readonly citations: readonly Citation[];
}

export interface SummarizeInput {
  /** What was said: the question that the prose answers. */
  readonly question: string;
  /** At least one. */
  readonly parts: readonly SummaryPart[];
}

/** What was written, or why it was refused: one sentence or several. */
export type Summarized = (
  | { readonly summary: Summary; readonly refused?: undefined }
  | { readonly summary?: undefined; readonly refused: string }
) & { readonly usage: Usage; readonly calls: number };
