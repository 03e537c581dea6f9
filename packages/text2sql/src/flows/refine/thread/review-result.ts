import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { MAX_READINGS, readingsOf } from '../../../steps/accept-output.ts';
import { viewResultOf } from '../../../steps/view-result.ts';
import type { RefineAttempt, RefineThreadState, ResultCheck, ResultReview } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import type { ReviewResultOutput } from '../tasks/review-result.ts';
import { isStatementOf, mayGoOn } from './execute-attempt.ts';
import { isPlausible, timesCome } from './result-doubts.ts';
import { askInThread, type ChatAnswer, keepChat } from './thread-chat.ts';
import { endThread, failThread, promptInput, readThread, spendInThread, type ThreadInput } from './thread-input.ts';

/** Checks of one implausible result: a second one where the first failed. */
const MAX_CHECKS = 2;

export interface ReviewInput extends ThreadInput {
  readonly attempts: readonly RefineAttempt[];
  readonly needsCheck: boolean;
  readonly formatDeparts: string;
}

/**
 * Shows the model the last result with what speaks against it, and reads its judgement and its final statement
 * (Algorithm 2). The same statement, called right, is the same answer once more; another one is run. An implausible
 * result counts only when a check that the model named was run and it still calls it right; who doubts one may have a
 * check run first.
 */
export const reviewResult = defineStep<RefineThreadState, RefineDeps>()({
  name: 'review',
  actions: ['execute', 'inspect', 'check', 'rewrite', 'review', 'answered', 'unresolved', 'declined', 'ctes'],
  prep: (state): ReviewInput => ({
    ...readThread(state),
    attempts: state.attempts,
    needsCheck: needsCheck(state),
    formatDeparts: state.formatDeparts,
  }),
  exec: (input, context): Promise<ChatAnswer<ReviewResultOutput>> => review(input, context),
  post: (state, _input, asked) => {
    if (asked.type === 'unusable') {
      spendInThread(state, asked.spent);
      return failThread(state, asked.error);
    }
    keepChat(state, asked);
    const position = state.attempts.length - 1;
    const last = state.attempts[position] as RefineAttempt;
    const { is_right: isRight, problems, sql, check, other_readings } = asked.value;
    const final = cleanSql(sql);
    const isSame = final === '' || isStatementOf(final, last);
    // Who only judges has not written the statement.
    spendInThread(state, isSame ? { ...asked.spent, solvedBy: '' } : asked.spent);
    const reviewed = withReview(last, { isRight, isSame, problems });
    state.attempts[position] = reviewed;
    state.otherReadings = [...readingsOf(other_readings), ...state.otherReadings].slice(0, MAX_READINGS);
    if (!isSame) {
      state.sql = final;
      if (!mayGoOn(state)) return endThread(state, { type: 'exhausted', reason: 'iterations' });
      return state.plan.stages.inspection ? 'inspect' : 'execute';
    }
    const doubted = cleanSql(check);
    if (!isRight && !isPlausible(reviewed) && doubted !== '') return confirmByCheck(state, position, doubted);
    if (!isRight) return rewrite(state);
    return isPlausible(reviewed) ? confirmPlausible(state, position) : confirmByCheck(state, position, doubted);
  },
});

function confirmPlausible(state: RefineThreadState, position: number): 'review' | ReturnType<typeof endThread> {
  const { plan, attempts } = state;
  const times = timesCome(attempts, position, plan);
  if (times < plan.limits.agreements) return 'review';
  return endThread(state, { type: 'answered', by: 'agreed', attempt: position });
}

function confirmByCheck(
  state: RefineThreadState,
  position: number,
  check: string,
): 'check' | 'rewrite' | ReturnType<typeof endThread> {
  const { sql, checks = [], reviews = [] } = state.attempts[position] as RefineAttempt;
  if (state.plan.rules.implausible === 'never') return rewrite(state);
  const isRight = reviews.at(-1)?.isRight === true;
  if (isRight && checks.some(({ error }) => error === undefined))
    return endThread(state, { type: 'answered', by: 'confirmed', attempt: position });
  if (check === '' || check === sql || checks.length >= MAX_CHECKS) return rewrite(state);
  state.check = check;
  return 'check';
}

function rewrite(state: RefineThreadState): 'rewrite' | ReturnType<typeof endThread> {
  return mayGoOn(state) ? 'rewrite' : endThread(state, { type: 'exhausted', reason: 'iterations' });
}

function withReview(attempt: RefineAttempt, review: ResultReview): RefineAttempt {
  return { ...attempt, reviews: [...(attempt.reviews ?? []), review] };
}

function needsCheck(state: Readonly<RefineThreadState>): boolean {
  const last = state.attempts.at(-1);
  if (last === undefined || isPlausible(last) || state.plan.rules.implausible === 'never') return false;
  return !(last.checks ?? []).some(({ error }) => error === undefined);
}

async function review(input: ReviewInput, context: StepContext<RefineDeps>): Promise<ChatAnswer<ReviewResultOutput>> {
  const { own } = context.deps;
  const last = input.attempts.at(-1);
  const asked = {
    ...(await promptInput(input, context)),
    attempts: input.attempts.slice(0, -1),
    sql: last?.sql ?? '',
    result: last?.result ?? { columns: [], rows: [] },
    doubts: last?.doubts ?? [],
    checks: last?.checks ?? [],
    needsCheck: input.needsCheck,
    formatDeparts: input.formatDeparts,
  };
  const solver = own.solverOf('review', input.thread);
  return askInThread({ solver, task: own.tasks.reviewResult, input: asked }, context);
}

/** Runs the statement that is to confirm an implausible result, and keeps what it showed for the next review. */
export const checkResult = defineStep<RefineThreadState, RefineDeps>()({
  name: 'check-result',
  prep: (state) => ({ sql: state.check ?? '' }),
  exec: ({ sql }, context): Promise<ResultCheck> => check(sql, context),
  post: (state, _input, checked) => {
    const position = state.attempts.length - 1;
    const last = state.attempts[position] as RefineAttempt;
    state.attempts[position] = { ...last, checks: [...(last.checks ?? []), checked] };
    state.executions += 1;
    state.check = null;
  },
});

async function check(sql: string, context: StepContext<RefineDeps>): Promise<ResultCheck> {
  const viewed = await viewResultOf(sql, context);
  return viewed.type === 'view' ? { sql, view: viewed.view } : { sql, error: viewed.error.toJSON() };
}
