import type { JsonValue } from '@askema/core';
import type { LoopbackAnswer } from './loopback-reply.ts';
import { deltasOf, serverSentEvent } from './server-sent-event.ts';

const STOP = { length: 'max_tokens', 'content-filter': 'refusal', refusal: 'refusal' } as const;

type Block =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonValue };

/** A message (https://platform.claude.com/docs/en/api/messages). */
export function answerMessages(answer: LoopbackAnswer, model: string) {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: blocksOf(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    ...usage(answer),
  };
}

/** The events of the same (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export function streamMessages(answer: LoopbackAnswer, model: string): string[] {
  const whole = answerMessages(answer, model);
  const event = (type: string, data: object) => serverSentEvent({ type, ...data }, type);
  const counts = 'usage' in whole ? whole.usage : undefined;
  const atStart = counts === undefined ? {} : { usage: { ...counts, output_tokens: 1 } };
  const atEnd = counts === undefined ? {} : { usage: counts };
  return [
    event('message_start', { message: { ...whole, content: [], stop_reason: null, ...atStart } }),
    event('ping', {}),
    ...whole.content.flatMap((block, index) => [
      event('content_block_start', { index, content_block: begun(block) }),
      ...deltas(block).map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason: whole.stop_reason, stop_sequence: null }, ...atEnd }),
    event('message_stop', {}),
  ];
}

function blocksOf(answer: LoopbackAnswer): Block[] {
  return [
    ...(answer.reasoning === undefined
      ? []
      : [{ type: 'thinking' as const, thinking: answer.reasoning, signature: `signature:${answer.reasoning.length}` }]),
    ...(answer.text === undefined ? [] : [{ type: 'text' as const, text: answer.text }]),
    ...(answer.toolCalls ?? []).map((call) => ({
      type: 'tool_use' as const,
      id: call.id,
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function begun(block: Block): object {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

function deltas(block: Block): object[] {
  if (block.type === 'text') return deltasOf(block.text).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'tool_use')
    return deltasOf(JSON.stringify(block.input)).map((json) => ({ type: 'input_json_delta', partial_json: json }));
  return [
    ...deltasOf(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: block.signature },
  ];
}

function stopReason(answer: LoopbackAnswer): string {
  if (answer.finish !== undefined) return STOP[answer.finish];
  return answer.toolCalls?.length ? 'tool_use' : 'end_turn';
}

/** The protocol counts cached input apart from the rest. */
function usage({ usage: counts }: LoopbackAnswer) {
  if (counts === undefined) return {};
  const cached = counts.cachedInputTokens;
  const written = counts.cacheWriteTokens;
  return {
    usage: {
      input_tokens: (counts.inputTokens ?? 0) - (cached ?? 0) - (written ?? 0),
      output_tokens: counts.outputTokens ?? 0,
      ...(cached === undefined ? {} : { cache_read_input_tokens: cached }),
      ...(written === undefined ? {} : { cache_creation_input_tokens: written }),
      ...(counts.reasoningTokens === undefined
        ? {}
        : { output_tokens_details: { thinking_tokens: counts.reasoningTokens } }),
    },
  };
}
