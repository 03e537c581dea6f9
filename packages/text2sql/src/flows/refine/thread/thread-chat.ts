import { assistantMessage, type CallContext, type Message, type Solver, type Task } from '@askema/core';
import { askOrUnusable, type TaskAnswer } from '../../../question/question-input.ts';
import type { RefineThreadState } from '../state/refine-state.ts';
import type { RefinePromptInput } from '../tasks/refine-sections.ts';

/** What a model said to a task of a thread. */
export type ChatAnswer<Out> = TaskAnswer<Out> & {
  /** Where the thread is one chat: all of it, the answer included. */
  readonly messages?: readonly Message[] | undefined;
};

/** Asks a task of a thread, in its chat where it is one (`input.conversation`). */
export async function askInThread<In extends RefinePromptInput, Out>(
  { solver, task, input }: { readonly solver: Solver; readonly task: Task<In, Out>; readonly input: In },
  context: CallContext,
): Promise<ChatAnswer<Out>> {
  const asked = await askOrUnusable(() => solver.solve(task, input, context));
  if (asked.type === 'unusable' || input.conversation === undefined) return asked;
  // What was understood, not how it was written: the next prompt asks for it in the form of its own task.
  return { ...asked, messages: [...task.render(input), assistantMessage(JSON.stringify(asked.value))] };
}

/** Keeps the chat of a thread, before the answer changes anything else in its state. */
export function keepChat(state: RefineThreadState, { messages }: Pick<ChatAnswer<unknown>, 'messages'>): void {
  if (messages === undefined) return;
  const { attempts, expanded } = state;
  const checks = attempts.at(-1)?.checks?.length ?? 0;
  state.chat = { messages, attempts: attempts.length, checks, expanded: expanded.length };
}
