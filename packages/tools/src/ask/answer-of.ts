import type { ToolContext } from '../contract.ts';

/**
 * What the person behind the agent answers. What a client breaks with says nothing about the question, which the agent
 * can still ask.
 */
export async function answerOf(
  asked: Parameters<NonNullable<ToolContext['elicit']>>[0],
  { elicit }: ToolContext,
): Promise<string | undefined> {
  try {
    return await elicit?.(asked);
  } catch {
    return undefined;
  }
}
