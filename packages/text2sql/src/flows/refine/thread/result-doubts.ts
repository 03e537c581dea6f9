import { type AgreementOptions, type QueryResult, resultsAgree } from '@askema/core';
import { type ImplausibleReason, implausibleReasons, resultProfile } from '../../../vote/result-profile.ts';
import type { RefinePlan, RefineRules } from '../state/refine-plan.ts';
import type { AnswerFormat, RefineAttempt, RefineThreadState, ResultDoubt } from '../state/refine-state.ts';

const REASONS: Readonly<Record<ImplausibleReason, string>> = {
  'no-columns': 'The statement gives no columns.',
  'no-rows': 'The result has no rows.',
  'all-blank': 'Every cell of the result is NULL, 0 or an empty text.',
  'null-column': 'One column of the result is NULL in every row.',
  'blank-column': 'One column of the result holds only NULL, 0 and empty texts.',
  'repeated-rows': 'More than half of the rows repeat an earlier one.',
};

/**
 * Doubts that make a result implausible: empty, or without any information (section 3.2.4). The others are for a review
 * only.
 */
const IMPLAUSIBLE_CODES: ReadonlySet<string> = new Set<ImplausibleReason>(['no-columns', 'no-rows', 'all-blank']);

/** Doubts that make a result implausible as well where `rules.blankColumns` says so. */
const BLANK_COLUMN_CODES: ReadonlySet<string> = new Set<ImplausibleReason>(['null-column', 'blank-column']);

/** What results are held against: the expected format, where there is one, and the rules of a plan. */
export interface DoubtRules {
  readonly format: AnswerFormat | null;
  readonly rules?: Pick<RefineRules, 'blankColumns' | 'extraColumns' | 'format'> | undefined;
}

/**
 * What can be said against a result without a model: it is empty or blank (section 3.2.4), it does not fit the expected
 * format, rows repeat each other, a cap cut it. Facts for a review, no verdicts.
 */
export function resultDoubts(result: QueryResult, { format, rules }: DoubtRules): readonly ResultDoubt[] {
  const profile = resultProfile(result);
  const doubts: ResultDoubt[] = implausibleReasons(profile)
    .filter((code) => code !== 'repeated-rows')
    .map((code) => {
      const isImplausible = rules?.blankColumns === true && BLANK_COLUMN_CODES.has(code);
      return { code, message: REASONS[code], ...(isImplausible ? { isImplausible } : {}) };
    });
  if (result.truncated !== undefined) {
    const message = `The result was cut after ${result.rows.length} rows: the statement returns more than an answer may hold.`;
    doubts.push({ code: 'capped', message });
  }
  if (format !== null) doubts.push(...formatDoubts(result, format, rules));
  if (profile.repeatedRows > 0) {
    const message = `${profile.repeatedRows} of ${profile.rowCount} rows repeat an earlier row in every column.`;
    doubts.push({ code: 'repeated-rows', message });
  }
  return doubts;
}

/** What results of a thread are held against: no format where it named a reason to depart from it. */
export function doubtRules({
  format,
  formatDeparts,
  plan,
}: Pick<RefineThreadState, 'format' | 'formatDeparts' | 'plan'>): DoubtRules {
  return { format: formatDeparts === '' ? format : null, rules: plan.rules };
}

/** True when a result counts as no answer until something confirms it. */
export function isImplausibleBy(doubts: readonly ResultDoubt[]): boolean {
  return doubts.some(({ code, isImplausible }) => isImplausible === true || IMPLAUSIBLE_CODES.has(code));
}

function formatDoubts(
  { columns, rows, truncated }: QueryResult,
  format: AnswerFormat,
  rules: DoubtRules['rules'],
): readonly ResultDoubt[] {
  const doubts: ResultDoubt[] = [];
  const least = format.columns.filter(({ open }) => open !== true).length;
  const hasTooMany = columns.length > format.columns.length && rules?.extraColumns !== true;
  if (columns.length < least || hasTooMany) {
    const message = `The expected format has ${counted(format.columns.length, 'column')}, the result has ${columns.length}.`;
    doubts.push({ code: 'column-count', message });
  } else if (rules?.format === 'csv') {
    const at = format.columns.findIndex(({ name }, place) => !isNamed(columns[place]?.name, name));
    if (at >= 0) {
      const message = `Column ${at + 1} of the expected format is called ${format.columns[at]?.name}, that of the result ${columns[at]?.name}.`;
      doubts.push({ code: 'column-name', message, quotesData: true });
    }
  }
  if (format.rows !== null && truncated === undefined && rows.length !== format.rows && rows.length > 0) {
    const message = `The expected format has ${counted(format.rows, 'row')}, the result has ${rows.length}.`;
    doubts.push({ code: 'row-count', message });
  }
  return doubts;
}

/** Engines fold names to lower or upper case. */
function isNamed(name: string | undefined, expected: string): boolean {
  return name?.trim().toLowerCase() === expected.trim().toLowerCase();
}

function counted(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

/** How results are compared under the rules of a plan. */
function agreementOptions({ rules }: RefinePlan): AgreementOptions {
  return { key: rules.agreement };
}

/** True when the result of an attempt may be the answer as it is. */
export function isPlausible(attempt: RefineAttempt): boolean {
  return attempt.result !== undefined && !isImplausibleBy(attempt.doubts);
}

/**
 * How often the answer of an attempt has come so far (Algorithm 2, "the same answer twice"): each attempt whose whole
 * result agrees with it counts once, and each review that kept such a statement and called it right counts once more,
 * because running the same statement again would show the same.
 */
export function timesCome(attempts: readonly RefineAttempt[], position: number, plan: RefinePlan): number {
  const result = attempts[position]?.result;
  if (result === undefined) return 0;
  const options = agreementOptions(plan);
  let times = 0;
  for (const [at, attempt] of attempts.entries()) {
    if (!isPlausible(attempt) || attempt.result === undefined) continue;
    if (at !== position && !resultsAgree(result, attempt.result, options)) continue;
    times += 1 + (attempt.reviews ?? []).filter(({ isRight, isSame }) => isRight && isSame).length;
  }
  return times;
}

/** How many implausible results stand at the end, without a failure or a plausible one among them. */
export function emptyInARow(attempts: readonly RefineAttempt[]): number {
  let count = 0;
  for (const attempt of attempts.toReversed()) {
    if (attempt.result === undefined || isPlausible(attempt)) break;
    count += 1;
  }
  return count;
}
