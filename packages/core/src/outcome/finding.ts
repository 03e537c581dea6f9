import type { Span } from '../text/span.ts';

/**
 * How sure a finding is that the answer would be wrong. `error`: the statement fails, or its result cannot be what was
 * asked for. `warning`: usually a mistake. `note`: worth a look.
 */
export type Severity = 'error' | 'warning' | 'note';

/** The built-in findings. `docs/guide/inspection.md` explains each. */
export const FINDING_CODES = [
  // The text
  'syntax',
  'not-parsed',
  'engine-error',
  'dialect-function',
  'dialect-syntax',
  // Names
  'unknown-relation',
  'unknown-column',
  'ambiguous-column',
  // Joins
  'join-without-condition',
  'join-off-key',
  'join-type-mismatch',
  'join-without-match',
  'redundant-join',
  'missing-join',
  'repeated-rows',
  'aggregate-over-fan-out',
  // Conditions
  'value-not-found',
  'range-without-match',
  'type-mismatch',
  'date-format',
  'equals-null',
  'not-in-null',
  'like-without-wildcard',
  'contradiction',
  // Groups and aggregates
  'ungrouped-column',
  'missing-group-by',
  'needless-group-by',
  'aggregate-in-where',
  'having-without-group',
  'integer-division',
  // What the question asks for
  'order-asked',
  'limit-asked',
  'limit-without-order',
  'distinct-asked',
  'column-asked',
  // Rules of the user
  'value-format',
] as const;

export type FindingCode = (typeof FINDING_CODES)[number];

/** A replacement of one span of the source; an insertion where the span is empty. */
export interface Edit {
  readonly span: Span;
  readonly text: string;
}

/** A change that removes the cause of a finding. Its edits do not overlap. */
export interface Fix {
  /** In the imperative: `Compare with 'Todd Casey'`. */
  readonly description: string;
  readonly edits: readonly Edit[];
}

/** A cell that a condition may have meant. */
export interface NearCell {
  /** The relation and the attribute, qualified and quoted as the dialect writes them. */
  readonly column: string;
  /** Exactly as stored. */
  readonly value: string;
  /** From 0 to 1: see `likeness`. */
  readonly score: number;
  /** It stands in a row that meets the other conditions on the same relation. */
  readonly isBeside?: boolean | undefined;
}

/** Something that is wrong, or may be, with a statement that was not executed. Plain JSON. */
export interface InspectionFinding {
  /** A built-in code, or `custom/…` of a rule of the user. */
  readonly code: FindingCode | `custom/${string}`;
  readonly severity: Severity;
  /** For a person: what is wrong, with which name or value. Quotes cells and names as they are. */
  readonly message: string;
  /** For a model that rewrites the statement: what to do about it. */
  readonly advice: string;
  /** Slices the statement. */
  readonly span: Span;
  /** Where there is a change that is right in most cases. */
  readonly fix?: Fix | undefined;
  /** Of names that do not exist: those that do. */
  readonly nearestNames?: readonly string[] | undefined;
  /** Of `value-not-found`: the nearest cells of that column first, then the same or near values elsewhere. */
  readonly cells?: readonly NearCell[] | undefined;
  /** The column of the condition, qualified, of `value-not-found`. */
  readonly column?: string | undefined;
  /** The value that was not found. */
  readonly value?: string | undefined;
  /** Index of the clause action that it belongs to, where the statement was assembled from actions. */
  readonly action?: number | undefined;
}
