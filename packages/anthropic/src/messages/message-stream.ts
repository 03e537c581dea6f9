import { type StreamEvent, toolArguments } from '@askema/core';
import type { AnswerBlock, MessageAnswer } from './message-answer.ts';
import { messageResult, type ResultContext } from './message-result.ts';

/** What is read of an event; its kind decides which fields there are. */
export interface MessageEvent {
  readonly type: string;
  readonly index?: number | undefined;
  readonly message?: MessageAnswer | undefined;
  readonly content_block?: AnswerBlock | undefined;
  readonly delta?:
    | {
        readonly type?: string | undefined;
        readonly text?: string | undefined;
        readonly thinking?: string | undefined;
        readonly signature?: string | undefined;
        readonly partial_json?: string | undefined;
        readonly stop_reason?: string | null | undefined;
        readonly stop_details?: MessageAnswer['stop_details'];
      }
    | undefined;
  readonly usage?: MessageAnswer['usage'];
}

type Collected = { -readonly [Key in keyof AnswerBlock]: AnswerBlock[Key] } & { json?: string };

/**
 * The events of a message as stream events. They are put together to the message that the server would have sent at
 * once, so both ways give the same result. Events that stop before a stop reason end without `finish`.
 */
export async function* messageStream(
  events: AsyncIterable<MessageEvent>,
  context: ResultContext,
): AsyncGenerator<StreamEvent> {
  const blocks = new Map<number, Collected>();
  let message: MessageAnswer = {};
  for await (const event of events) {
    const index = event.index ?? 0;
    if (event.type === 'message_start') message = event.message ?? {};
    else if (event.type === 'content_block_start') blocks.set(index, { ...(event.content_block ?? { type: 'text' }) });
    else if (event.type === 'content_block_delta') yield* applyDelta(blocks.get(index), event.delta ?? {}, context);
    else if (event.type === 'message_delta') message = closed(message, event);
  }
  if (!message.stop_reason) return;
  const content = [...blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => finished(block));
  const result = messageResult({ ...message, content }, context);
  for (const part of result.content) yield { type: 'part', part };
  yield { type: 'finish', result };
}

function* applyDelta(
  block: Collected | undefined,
  delta: NonNullable<MessageEvent['delta']>,
  { plan }: ResultContext,
): Generator<StreamEvent> {
  if (block === undefined) return;
  if (delta.text !== undefined) {
    block.text = (block.text ?? '') + delta.text;
    yield { type: 'text-delta', text: delta.text };
  } else if (delta.thinking !== undefined) {
    block.thinking = (block.thinking ?? '') + delta.thinking;
    yield { type: 'reasoning-delta', text: delta.thinking };
  } else if (delta.signature !== undefined) {
    block.signature = (block.signature ?? '') + delta.signature;
  } else if (delta.partial_json !== undefined) {
    block.json = (block.json ?? '') + delta.partial_json;
    if (plan.way === 'tool' && block.name === plan.tool) yield { type: 'text-delta', text: delta.partial_json };
  }
}

/** The counts of the last event are the whole ones; what it does not say was said at the start. */
function closed(message: MessageAnswer, event: MessageEvent): MessageAnswer {
  const counts = Object.entries(event.usage ?? {}).filter(([, count]) => count !== null && count !== undefined);
  return {
    ...message,
    stop_reason: event.delta?.stop_reason ?? message.stop_reason,
    stop_details: event.delta?.stop_details ?? message.stop_details,
    ...(counts.length > 0 ? { usage: { ...message.usage, ...Object.fromEntries(counts) } } : {}),
  };
}

function finished({ json, ...block }: Collected): AnswerBlock {
  if (json === undefined) return block;
  const read = toolArguments(json);
  return 'arguments' in read ? { ...block, input: read.arguments } : { ...block, invalidInput: read.invalidArguments };
}
