import type { Outcome } from '@askema/core';
import type { EvaluationInspection, Verdict } from './evaluation-options.ts';

/** More tries than a flow makes; keeps a strange outcome from running for ever. */
const MAX_JUDGED_TRIES = 10;

/**
 * What an outcome of the `inspect` flow says about its tries, and which of them were right: the statement of each is run and judged as
 * the answer is. The last one has the verdict of the answer. Undefined for outcomes of other flows.
 *
 * `isRight` runs a statement and compares; one that fails is not right.
 */
export async function scoreTries(
  outcome: Outcome,
  verdict: Verdict,
  isRight: (sql: string) => Promise<boolean>,
): Promise<EvaluationInspection | undefined> {
  const { inspection } = outcome;
  if (inspection === undefined) return undefined;
  const known = new Map<string, boolean>();
  if (outcome.type === 'answered') known.set(outcome.sql, verdict === 'right');
  const rightByTry: boolean[] = [];
  for (const { sql } of inspection.tries.slice(0, -1).slice(0, MAX_JUDGED_TRIES)) {
    const judged = known.get(sql) ?? (sql !== '' && (await isRight(sql)));
    known.set(sql, judged);
    rightByTry.push(judged);
  }
  return {
    iterations: inspection.iterations,
    findings: inspection.findings.map(({ code }) => code),
    rightByTry: [...rightByTry, verdict === 'right'],
  };
}
