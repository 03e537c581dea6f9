import { AskemaError, type KnowledgeBasis, type Outcome, oneLine } from '@askema/core';
import * as z from 'zod';

/** What is read of an outcome. It may come from a file or over a network: what it says of itself nobody has checked. */
const OUTCOME = z.looseObject({
  type: z.string(),
  question: z.string(),
  runId: z.string(),
  sql: z.string().optional(),
  basedOn: z
    .array(z.looseObject({ kind: z.string(), name: z.string(), definition: z.string().optional() }))
    .max(10_000)
    .optional(),
});

const MAX_RUN_ID = 100;

/**
 * The outcome, of which everything that is learned from has its type.
 *
 * @throws AskemaError `INPUT_INVALID` for what is no outcome, or an answer without SQL.
 */
export function checkedOutcome(outcome: Outcome): Outcome {
  const { error } = OUTCOME.safeParse(outcome);
  const [issue] = error?.issues ?? [];
  const isWithout = outcome?.type === 'answered' && (outcome.sql === undefined || outcome.basedOn === undefined);
  if (issue === undefined && !isWithout) return outcome;
  const problem =
    issue === undefined ? 'an answer without `sql` or `basedOn`' : `\`${issue.path.join('.')}\`: ${issue.message}`;
  throw new AskemaError('INPUT_INVALID', `This is no outcome of a question: ${problem}. Pass what \`ask\` gave.`);
}

/** The id of a run on one line. */
export function runIdOf({ runId }: Outcome): string {
  return oneLine(runId, MAX_RUN_ID);
}

/** The metrics that an answer says it stands on. */
export function metricsOf(outcome: Outcome): readonly KnowledgeBasis[] {
  if (outcome.type !== 'answered') return [];
  return outcome.basedOn.flatMap((basis) => (basis.kind === 'metric' ? [basis] : []));
}
