import { resultOf } from '../../question/result-of.ts';
import { acceptResult } from '../../steps/execute-sql.ts';
import { keepReadAs } from '../../steps/read-as.ts';
import type { AutoState } from './auto-state.ts';
import type { RunStatement } from './find-doubts.ts';

/** The statement that is the answer so far, with its result; null where there is none. */
export function standingAnswer(state: Readonly<AutoState>): RunStatement | null {
  const result = resultOf(state);
  if (state.verdict?.type !== 'answered' || state.generatedSql === null || result === null) return null;
  const { generatedSql: sql, explanation, computed } = state;
  return { sql, result, explanation: explanation ?? undefined, computed };
}

/** The chosen statement is the answer no more. */
export function rejectChosen(state: AutoState, reason: string): void {
  state.candidates = state.candidates.map((candidate) =>
    candidate.status === 'chosen' ? { ...candidate, status: 'rejected', reason } : candidate,
  );
}

/** Puts another answer in the place of the one that stands. What was assumed for that one is gone with it. */
export function replaceAnswer(
  state: AutoState,
  { sql, result, aligned }: RunStatement,
  explanation: string,
  reason: string,
): void {
  rejectChosen(state, reason);
  keepReadAs(state, aligned);
  state.generatedSql = sql;
  state.explanation = explanation.trim() || state.explanation;
  state.assumptions = [];
  acceptResult(state, sql, result);
}
