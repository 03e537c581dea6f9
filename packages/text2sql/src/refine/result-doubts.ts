import { type ImplausibleReason, implausibleReasons, type QueryResult, resultProfile } from '@askema/core';
import type { AnswerFormat, ResultDoubt } from './refine-state.ts';

const REASONS: Readonly<Record<ImplausibleReason, string>> = {
  'no-columns': 'The statement gives no columns.',
  'no-rows': 'The result has no rows.',
  'all-blank': 'Every cell of the result is NULL, 0 or an empty text.',
  'null-column': 'One column of the result is NULL in every row.',
  'blank-column': 'One column of the result holds only NULL, 0 and empty texts.',
  'repeated-rows': 'More than half of the rows repeat an earlier one.',
};

/** Doubts that make a result implausible: empty, or without any information (section 3.2.4). The others are for a review only. */
const IMPLAUSIBLE_CODES: ReadonlySet<string> = new Set<ImplausibleReason>(['no-columns', 'no-rows', 'all-blank']);

/**
 * What can be said against a result without a model: it is empty or blank (section 3.2.4), it does not fit the expected format, rows repeat
 * each other, a cap cut it. Facts for a review, no verdicts.
 */
export function resultDoubts(result: QueryResult, format: AnswerFormat | null): readonly ResultDoubt[] {
  const profile = resultProfile(result);
  const doubts: ResultDoubt[] = implausibleReasons(profile)
    .filter((code) => code !== 'repeated-rows')
    .map((code) => ({ code, message: REASONS[code] }));
  if (result.truncated !== undefined) {
    const message = `The result was cut after ${result.rows.length} rows: the statement returns more than an answer may hold.`;
    doubts.push({ code: 'capped', message });
  }
  if (format !== null) doubts.push(...formatDoubts(result, format));
  if (profile.repeatedRows > 0) {
    const message = `${profile.repeatedRows} of ${profile.rowCount} rows repeat an earlier row in every column.`;
    doubts.push({ code: 'repeated-rows', message });
  }
  return doubts;
}

/** True when a result counts as no answer until something confirms it. */
export function isImplausibleBy(doubts: readonly ResultDoubt[]): boolean {
  return doubts.some(({ code }) => IMPLAUSIBLE_CODES.has(code));
}

function formatDoubts({ columns, rows, truncated }: QueryResult, format: AnswerFormat): readonly ResultDoubt[] {
  const doubts: ResultDoubt[] = [];
  if (columns.length !== format.columns.length) {
    const message = `The expected format has ${counted(format.columns.length, 'column')}, the result has ${columns.length}.`;
    doubts.push({ code: 'column-count', message });
  }
  if (format.rows !== null && truncated === undefined && rows.length !== format.rows && rows.length > 0) {
    const message = `The expected format has ${counted(format.rows, 'row')}, the result has ${rows.length}.`;
    doubts.push({ code: 'row-count', message });
  }
  return doubts;
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}
