import type { RefineThreadState } from '../refine-state.ts';
import { settleLast } from './cte-trace.ts';

/** True while the stage may call the model once more. */
export function mayAsk({ cte, plan }: Pick<RefineThreadState, 'cte' | 'plan'>): boolean {
  return (cte?.calls ?? 0) < plan.limits.maxCteCalls;
}

/** True while the step at this position may be written anew. */
export function mayRewrite({ cte, plan }: Pick<RefineThreadState, 'cte' | 'plan'>, position: number): boolean {
  return (cte?.rewrites[position] ?? 0) < plan.limits.maxCteRewrites;
}

/** No answer: the limits are reached, or nothing usable came. The trace says what was found until then. */
export function giveUp(state: RefineThreadState, problem?: string): 'unresolved' {
  if (problem !== undefined) state.cteTrace = settleLast(state.cteTrace, { verdict: 'wrong', problem });
  state.ending = { type: 'exhausted', reason: 'cte' };
  return 'unresolved';
}

/** The result of the last attempt is the answer of the thread. */
export function answerByCte(state: RefineThreadState): 'answered' {
  state.cteTrace = settleLast(state.cteTrace, { verdict: 'ok' });
  state.sql = state.cte?.sql ?? state.sql;
  state.ending = { type: 'answered', by: 'cte', attempt: state.attempts.length - 1 };
  return 'answered';
}
