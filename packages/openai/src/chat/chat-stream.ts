import type { ModelResult, StreamEvent } from '@askema/core';
import type { OpenAiSettings } from '../openai-settings.ts';
import { thinkTagSplitter } from '../split-think-tags.ts';
import type { ChatUsage } from '../usage.ts';
import type { ChatAnswer, ChatAnswerMessage } from './chat-completion.ts';
import { REASONING_FIELDS } from './chat-messages.ts';
import { chatResult, failureInside } from './chat-result.ts';

/** What is read of a chunk; everything may be missing. */
export interface ChatChunk {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: ChatUsage | null | undefined;
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly finish_reason?: string | null | undefined;
    readonly delta?:
      | (Omit<ChatAnswerMessage, 'tool_calls'> & { readonly tool_calls?: readonly ToolCallDelta[] | null })
      | null
      | undefined;
  }[];
}

interface ToolCallDelta {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: string | undefined } | undefined;
}

type CollectedCalls = Map<number, { readonly id: string; readonly name: string; readonly arguments: string }>;

/**
 * The chunks of a chat completion as stream events. They are put together to the completion that the server would have
 * sent at once, so both ways give the same result. Chunks that stop before a finish reason end without `finish`.
 */
export async function* chatStream(
  chunks: AsyncIterable<ChatChunk>,
  settings: OpenAiSettings,
  warnings: readonly string[],
): AsyncGenerator<StreamEvent> {
  const collected = { content: '', refusal: '', reasoning_content: '', reasoning: '' };
  const calls: CollectedCalls = new Map();
  const split = thinkTagSplitter();
  let answer: ChatAnswer = {};
  let finished: string | undefined;
  for await (const chunk of chunks) {
    if (chunk.error !== undefined && chunk.error !== null) throw failureInside(chunk.error);
    answer = { id: chunk.id ?? answer.id, model: chunk.model ?? answer.model, usage: chunk.usage ?? answer.usage };
    const choice = chunk.choices?.[0];
    finished = choice?.finish_reason ?? finished;
    const delta = choice?.delta ?? {};
    for (const call of delta.tool_calls ?? []) collectCall(calls, call);
    // While vLLM renames its field it sends both.
    const field = REASONING_FIELDS.find((name) => delta[name]);
    if (field !== undefined) {
      collected[field] += delta[field] ?? '';
      yield { type: 'reasoning-delta', text: delta[field] ?? '' };
    }
    if (delta.content) {
      collected.content += delta.content;
      yield* split(collected.content);
    }
    if (delta.refusal) {
      collected.refusal += delta.refusal;
      yield { type: 'text-delta', text: delta.refusal };
    }
  }
  if (finished === undefined) return;
  yield* split(collected.content, true);
  const message = {
    ...collected,
    tool_calls: [...calls.values()].map(({ id, ...called }) => ({ id, function: called })),
  };
  yield* endOf(chatResult({ ...answer, choices: [{ finish_reason: finished, message }] }, settings, warnings));
}

/** The last events of every stream: each part as it became, then the result. */
export function* endOf(result: ModelResult): Generator<StreamEvent> {
  for (const part of result.content) yield { type: 'part', part };
  yield { type: 'finish', result };
}

/** Servers that send no index send whole calls, each with an id of its own. */
function collectCall(calls: CollectedCalls, delta: ToolCallDelta): void {
  const last = calls.size - 1;
  const next = delta.id !== undefined && delta.id !== calls.get(last)?.id ? calls.size : Math.max(0, last);
  const index = delta.index ?? next;
  const call = calls.get(index);
  calls.set(index, {
    id: call?.id || (delta.id ?? ''),
    name: call?.name || (delta.function?.name ?? ''),
    arguments: (call?.arguments ?? '') + (delta.function?.arguments ?? ''),
  });
}
