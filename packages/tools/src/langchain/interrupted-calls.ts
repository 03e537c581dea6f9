import type { ToolRunnableConfig } from '@langchain/core/tools';
import { z } from 'zod';
import { type AskedBack, askedBackBy } from '../agents/asked-back.ts';
import type { stepsOfCall } from '../agents/steps-of-call.ts';
import type { ToolReply } from '../contract.ts';

type Steps = ReturnType<typeof stepsOfCall>;

/** At most so many calls wait for a person. Beyond it the oldest are forgotten, and ask their question again. */
const MAX_WAITING = 1_000;

/** How often a person is asked within one call. */
const MAX_ROUNDS = 3;

const answerSchema = z.object({ resume: z.string(), choice: z.string() });

/**
 * Calls that stop the graph where a question is asked back. A graph that goes on calls the tool anew, with the same
 * input: its earlier replies are kept, so that no question is asked twice. A process that has not kept them asks again.
 * The answer names its question (`resume`), so that it never answers another one.
 */
export function interruptedCalls(
  interrupt: (asked: AskedBack) => unknown,
): (input: unknown, config: ToolRunnableConfig, begin: (input: unknown) => Steps) => Steps {
  const waiting = new Map<string, ToolReply<unknown>[]>();
  return async function* call(first, config, begin) {
    const key = keyOf(config, first);
    // Without a thread no graph goes on, and the call of another person may look the same.
    const isKept = config.configurable?.thread_id !== undefined;
    const before = waiting.get(key) ?? [];
    waiting.delete(key);
    const replies: ToolReply<unknown>[] = [];
    let input = first;
    for (;;) {
      const reply = before[replies.length] ?? (yield* begin(input));
      const asked = replies.length < MAX_ROUNDS ? askedBackBy(reply) : undefined;
      if (asked === undefined) return reply;
      replies.push(reply);
      if (isKept) keep(key, [...replies, ...before.slice(replies.length)]);
      const { success, data } = answerSchema.safeParse(answerTo(asked));
      waiting.delete(key);
      if (!success) return reply;
      input = { answers: data };
    }
  };

  /** Throws what stops the graph where nobody has answered yet. Undefined where no graph can be stopped. */
  function answerTo(asked: AskedBack): unknown {
    try {
      return interrupt(asked);
    } catch (thrown) {
      if (stopsGraph(thrown)) throw thrown;
      return undefined;
    }
  }

  function keep(key: string, replies: ToolReply<unknown>[]): void {
    waiting.set(key, replies);
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MAX_WAITING) break;
      waiting.delete(oldest);
    }
  }
}

/** As LangGraph marks them; what else its `interrupt` throws says that there is no graph, or none with a checkpointer. */
function stopsGraph(thrown: unknown): boolean {
  return thrown instanceof Error && 'is_bubble_up' in thrown && thrown.is_bubble_up === true;
}

/** Ids of calls come from a model, are its own in a thread alone, and may come again with another question. */
function keyOf({ configurable, toolCall }: ToolRunnableConfig, input: unknown): string {
  return JSON.stringify([configurable?.thread_id, configurable?.checkpoint_ns, toolCall?.id, input]);
}
