import { type AgreementOptions, resultsAgree } from '@askema/core';
import type { RefinePlan } from './refine-options.ts';
import type { RefineAttempt } from './refine-state.ts';
import { isImplausibleBy } from './result-doubts.ts';

/** How results are compared under the rules of a plan. */
function agreementOptions({ rules }: RefinePlan): AgreementOptions {
  return { key: rules.agreement };
}

/** True when the result of an attempt may be the answer as it is. */
export function isPlausible(attempt: RefineAttempt): boolean {
  return attempt.result !== undefined && !isImplausibleBy(attempt.doubts);
}

/**
 * How often the answer of an attempt has come so far (Algorithm 2, "the same answer twice"): each attempt whose whole result agrees
 * with it counts once, and each review that kept such a statement and called it right counts once more, because running the same
 * statement again would show the same.
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
