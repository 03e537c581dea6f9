import { AskemaError, defineStep, type QueryResult, type SerializedError, type StepContext } from '@askema/core';
import { alignStatement } from '../../../steps/align-statement.ts';
import { queryStatement } from '../../../steps/query-statement.ts';
import { type AlignedStatement, keepReadAs } from '../../../steps/read-as.ts';
import { isRefusal, statementError } from '../../../steps/view-result.ts';
import type { RefinePlan } from '../state/refine-plan.ts';
import type { RefineAttempt, RefineThreadState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { doubtRules, emptyInARow, isPlausible, resultDoubts, timesCome } from './result-doubts.ts';
import { endThread, failThread } from './thread-input.ts';

/** What became of a statement. */
export type AttemptOutcome = { readonly aligned?: AlignedStatement | undefined } & (
  | { readonly type: 'result'; readonly result: QueryResult }
  | { readonly type: 'error'; readonly error: SerializedError; readonly wasSent: boolean }
  /** It was run before in this thread. */
  | { readonly type: 'repeated'; readonly attempt: number }
);

/**
 * Runs the statement under the caps of `deps.limits`, always as one that reads, and decides without a model what can be
 * decided: the same answer came often enough, or nothing speaks against it and other threads confirm it (`answered`),
 * the limits are reached (`unresolved`), the statement failed (`rewrite`), or the result is to be looked at (`review`).
 * A statement that was run before in this thread is not run again, but counts. With `alignValues` it runs with the values
 * that are stored, and so does what is made of it.
 */
export const executeAttempt = defineStep<RefineThreadState, RefineDeps>()({
  name: 'execute',
  actions: ['review', 'rewrite', 'answered', 'unresolved', 'declined', 'ctes'],
  prep: (state) => {
    const sql = state.sql ?? '';
    const before = state.attempts.findIndex(
      (attempt) => isStatementOf(sql, attempt) && attempt.stage === 'refine' && attempt.isSentBack !== true,
    );
    return { sql, before };
  },
  exec: ({ sql, before }, context): Promise<AttemptOutcome> =>
    before >= 0 ? Promise.resolve({ type: 'repeated', attempt: before }) : attempt(sql, context),
  post: (state, { sql: written }, attempted) => {
    keepReadAs(state, attempted.aligned);
    if (attempted.type === 'result' || (attempted.type === 'error' && attempted.wasSent)) state.executions += 1;
    const ran = attemptOf(state, written, attempted);
    state.sql = ran.sql;
    const original = ran.sql === written ? {} : { written };
    state.attempts.push({ ...ran, ...original, doubts: [...ran.doubts, ...(state.inspected ?? [])] });
    state.inspected = null;
    return decide(state);
  },
});

/** Whether it is the statement of an attempt, as it was written or as it ran. */
export function isStatementOf(sql: string, attempt: Pick<RefineAttempt, 'sql' | 'written'>): boolean {
  return sql === attempt.sql || sql === attempt.written;
}

function attemptOf(state: RefineThreadState, written: string, attempted: AttemptOutcome): RefineAttempt {
  const sql = attempted.aligned?.sql ?? written;
  switch (attempted.type) {
    case 'result':
      return {
        sql,
        stage: 'refine',
        result: attempted.result,
        doubts: resultDoubts(attempted.result, doubtRules(state)),
      };
    case 'error':
      return { sql, stage: 'refine', error: attempted.error, doubts: [] };
    case 'repeated': {
      const { sql: ran = sql, result, error, doubts = [] } = state.attempts[attempted.attempt] ?? {};
      return { sql: ran, stage: 'refine', result, error, doubts, isRepeated: true };
    }
  }
}

function decide(state: RefineThreadState): 'review' | 'rewrite' | ReturnType<typeof endThread> {
  const { attempts, plan } = state;
  const { stages, limits } = plan;
  const position = attempts.length - 1;
  const last = attempts[position] as RefineAttempt;
  if (last.error !== undefined) {
    const refusals = attempts.filter(({ error }) => error !== undefined && isRefusal(error.code));
    // Told once; the second time it is meant.
    if (isRefusal(last.error.code) && refusals.length > 1) return failThread(state, last.error);
    return mayGoOn(state) ? 'rewrite' : endThread(state, { type: 'exhausted', reason: 'iterations' });
  }
  if (isPlausible(last)) {
    if (!stages.consistency || isConfirmedByOthers(last, plan))
      return endThread(state, { type: 'answered', by: 'accepted', attempt: position });
    if (timesCome(attempts, position, plan) >= limits.agreements)
      return endThread(state, { type: 'answered', by: 'agreed', attempt: position });
  }
  if (emptyInARow(attempts) >= limits.maxEmptyInARow) return endThread(state, { type: 'exhausted', reason: 'empty' });
  // An implausible result that no check may confirm is worth a review only while something else can still be tried.
  const isHopeless = !isPlausible(last) && plan.rules.implausible === 'never' && !mayGoOn(state);
  return isHopeless ? endThread(state, { type: 'exhausted', reason: 'iterations' }) : 'review';
}

/** True where nothing speaks against a result, and the other threads are to confirm it in place of a review. */
function isConfirmedByOthers({ doubts }: RefineAttempt, { limits, rules }: RefinePlan): boolean {
  return rules.review === 'doubted' && limits.threads > 1 && doubts.length === 0;
}

/** True while the thread may write so many more statements. */
export function mayGoOn({ attempts, plan }: Pick<RefineThreadState, 'attempts' | 'plan'>, more = 1): boolean {
  return attempts.filter(({ stage }) => stage === 'refine').length + more <= plan.limits.maxIterations;
}

async function attempt(sql: string, context: StepContext<RefineDeps>): Promise<AttemptOutcome> {
  if (sql.trim() === '') {
    const error = new AskemaError('MODEL_OUTPUT_INVALID', 'There is no statement to run: the model left it empty.');
    return { type: 'error', error: error.toJSON(), wasSent: false };
  }
  const aligned = await alignStatement(sql, context);
  const more = aligned === undefined ? {} : { aligned };
  try {
    const result = await queryStatement(aligned?.sql ?? sql, { ...context.deps.limits, access: 'read' }, context);
    return { type: 'result', result, ...more };
  } catch (thrown) {
    return { type: 'error', error: statementError(thrown).toJSON(), wasSent: true, ...more };
  }
}
