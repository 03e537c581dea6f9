import { type Outcome, oneLine } from '@askema/core';
import type { ToolContext } from '../contract.ts';

/**
 * What the person behind the agent answers. What a client breaks with says nothing about the question, which the agent
 * can still ask.
 */
export async function answerOf(
  { ask, choices }: Pick<Extract<Outcome, { readonly type: 'needsClarification' }>, 'ask' | 'choices'>,
  { elicit }: ToolContext,
): Promise<string | undefined> {
  try {
    return await elicit?.({
      message: oneLine(ask, 1_000),
      choices: choices.map(({ id, meaning }) => ({ id, meaning: oneLine(meaning, 300) })),
    });
  } catch {
    return undefined;
  }
}
