import { isAskemaError, type SerializedError, type StepContext } from '@askema/core';
import { type AskedInput, recordCost, type Spent, sqlInput } from '../../steps/sql-input.ts';
import type { RefinePromptInput } from '../../tasks/refine-sections.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { AnswerFormat, RefineThreadState, ThreadEnding, ThreadKnowledge } from '../refine-state.ts';

/** What the steps of a thread that ask a model read from its state. */
export interface ThreadInput {
  readonly thread: number;
  readonly asked: AskedInput;
  readonly format: AnswerFormat | null;
  readonly knowledge: ThreadKnowledge;
  readonly expanded: readonly string[];
}

/** For `prep`. */
export function readThread(state: Readonly<RefineThreadState>): ThreadInput {
  const { thread, asked, format, knowledge, expanded } = state;
  return { thread, asked, format, knowledge, expanded };
}

/** The data of a prompt; a thread only ever reads, whatever the caller allows. */
export async function promptInput(input: ThreadInput, context: StepContext<Text2SqlDeps>): Promise<RefinePromptInput> {
  const { asked, format, knowledge, expanded } = input;
  return {
    ...(await sqlInput(asked, context.deps, context)),
    allowWrite: false,
    format,
    knowledge,
    expanded,
  };
}

/** What a model call gave, or why it gave nothing that can be used. */
export type Asked<Out> =
  | { readonly type: 'answer'; readonly value: Out; readonly spent: Spent }
  | { readonly type: 'unusable'; readonly error: SerializedError; readonly spent: Spent };

/**
 * Asks, and takes an answer that cannot be used for what it is: something that this model says to this prompt. Errors of provider, budget
 * and caller are thrown.
 */
export async function askOrUnusable<Out>(ask: () => Promise<{ readonly value: Out } & Spent>): Promise<Asked<Out>> {
  try {
    const { value, ...spent } = await ask();
    const { usage, calls, solvedBy, warnings } = spent;
    return { type: 'answer', value, spent: { usage, calls, solvedBy, warnings } };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    if (thrown.code !== 'MODEL_OUTPUT_INVALID' && thrown.code !== 'MODEL_CONTENT_FILTERED') throw thrown;
    const { usage, calls } = thrown.details as Partial<Pick<Spent, 'usage' | 'calls'>>;
    const spent = { usage: usage ?? {}, calls: calls ?? 1, solvedBy: '', warnings: [] };
    return { type: 'unusable', error: thrown.toJSON(), spent };
  }
}

/** Adds what an answer cost to the state of a thread; `solvedBy` is empty for answers that wrote no SQL. */
export function spendInThread(state: RefineThreadState, spent: Spent): void {
  recordCost(state, spent);
  if (spent.solvedBy !== '') state.solvedBy = spent.solvedBy;
}

/** Ends the refinement of a thread, and gives the action that says so. `ctes`: it found no answer, and the CTE stage is next. */
export function endThread(
  state: RefineThreadState,
  ending: ThreadEnding,
): 'answered' | 'declined' | 'unresolved' | 'ctes' {
  state.ending = ending;
  if (ending.type === 'answered') return 'answered';
  if (ending.type !== 'exhausted') return 'declined';
  return state.plan.stages.cte === false ? 'unresolved' : 'ctes';
}
