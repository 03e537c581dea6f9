import type { SerializedError, StepContext } from '@askema/core';
import { type QuestionData, recordCost, type Spent, sqlInput } from '../../../question/question-input.ts';
import type { RefineRules } from '../state/refine-plan.ts';
import type {
  AnswerFormat,
  RefineThreadState,
  ThreadChat,
  ThreadEnding,
  ThreadKnowledge,
} from '../state/refine-state.ts';
import type { RefinePromptInput } from '../tasks/refine-sections.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';

/** What the steps of a thread that ask a model read from its state. */
export interface ThreadInput {
  readonly thread: number;
  readonly asked: QuestionData;
  readonly format: AnswerFormat | null;
  readonly rules: RefineRules;
  readonly knowledge: ThreadKnowledge;
  readonly expanded: readonly string[];
  readonly chat: ThreadChat | undefined;
}

/** For `prep`. */
export function readThread(state: Readonly<RefineThreadState>): ThreadInput {
  const { thread, asked, format, plan, knowledge, expanded, chat } = state;
  return { thread, asked, format, rules: plan.rules, knowledge, expanded, chat };
}

/** The data of a prompt; a thread only ever reads, whatever the caller allows. */
export async function promptInput(input: ThreadInput, context: StepContext<RefineDeps>): Promise<RefinePromptInput> {
  const { asked, format, rules, knowledge, expanded, chat } = input;
  return {
    ...(await sqlInput(asked, context.deps, context)),
    ...formatRules(rules),
    allowWrite: false,
    format,
    knowledge,
    expanded,
    conversation: chat,
  };
}

/** How prompts speak of the expected format. */
export function formatRules({ extraColumns, format }: Pick<RefineRules, 'extraColumns' | 'format'>) {
  return { extraColumns, strictFormat: format === 'csv' };
}

/** Adds what an answer cost to the state of a thread; `solvedBy` is empty for answers that wrote no SQL. */
export function spendInThread(state: RefineThreadState, spent: Spent): void {
  recordCost(state, spent);
  if (spent.solvedBy !== '') state.solvedBy = spent.solvedBy;
}

/**
 * Ends the refinement of a thread, and gives the action that says so. `ctes`: it found no answer, and the CTE stage is
 * next.
 */
export function endThread(
  state: RefineThreadState,
  ending: Exclude<ThreadEnding, { type: 'failed' }>,
): 'answered' | 'declined' | 'unresolved' | 'ctes' {
  state.ending = ending;
  if (ending.type !== 'exhausted') return ending.type;
  return state.plan.stages.cte === false ? 'unresolved' : 'ctes';
}

/**
 * Ends the refinement of a thread that gave nothing to go on with: it has produced no SQL, which is what the CTE stage
 * is for (section 3.2.4). Where that stage finds nothing either, `error` stays how the thread ended. A model that
 * refuses to answer is not asked in another way.
 */
export function failThread(state: RefineThreadState, error: SerializedError): 'declined' | 'ctes' {
  state.ending = { type: 'failed', error };
  return error.code === 'MODEL_CONTENT_FILTERED' || state.plan.stages.cte === false ? 'declined' : 'ctes';
}
