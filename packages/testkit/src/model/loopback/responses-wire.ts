import type { LoopbackAnswer } from './loopback-reply.ts';
import { deltasOf, serverSentEvent } from './server-sent-event.ts';

const INCOMPLETE = { length: 'max_output_tokens', 'content-filter': 'content_filter' } as const;

/** A response (https://developers.openai.com/api/docs/api-reference/responses/object). */
export function answerResponses(answer: LoopbackAnswer, model: string) {
  const incomplete = answer.finish === 'length' || answer.finish === 'content-filter' ? answer.finish : undefined;
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model,
    status: incomplete === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: incomplete === undefined ? null : { reason: INCOMPLETE[incomplete] },
    output: outputItems(answer),
    ...usage(answer),
  };
}

/** The events of the same (https://developers.openai.com/api/docs/api-reference/responses-streaming). */
export function streamResponses(answer: LoopbackAnswer, model: string): string[] {
  const whole = answerResponses(answer, model);
  let sequence = 0;
  const event = (type: string, data: object) => serverSentEvent({ type, sequence_number: sequence++, ...data }, type);
  return [
    event('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } }),
    ...whole.output.flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: begun(item) }),
      ...deltas(item).map(({ type, text }) =>
        event(type, { output_index, item_id: item.id, content_index: 0, summary_index: 0, delta: text }),
      ),
      event('response.output_item.done', { output_index, item }),
    ]),
    event(`response.${whole.status}`, { response: whole }),
  ];
}

type Item = ReturnType<typeof outputItems>[number];

function outputItems(answer: LoopbackAnswer) {
  const part =
    answer.finish === 'refusal'
      ? { type: 'refusal', refusal: answer.text ?? '' }
      : { type: 'output_text', text: answer.text ?? '', annotations: [] };
  return [
    ...(answer.reasoning === undefined
      ? []
      : [
          {
            id: 'rs_1',
            type: 'reasoning' as const,
            summary: [{ type: 'summary_text', text: answer.reasoning }],
            encrypted_content: `encrypted:${answer.reasoning.length}`,
          },
        ]),
    ...(answer.text === undefined
      ? []
      : [{ id: 'msg_1', type: 'message' as const, role: 'assistant', status: 'completed', content: [part] }]),
    ...(answer.toolCalls ?? []).map((call) => ({
      id: `fc_${call.id}`,
      type: 'function_call' as const,
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    })),
  ];
}

function begun(item: Item): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  return item.type === 'reasoning' ? { ...item, summary: [] } : { ...item, arguments: '' };
}

function deltas(item: Item): { type: string; text: string }[] {
  if (item.type === 'reasoning')
    return item.summary.flatMap((part) => typed('response.reasoning_summary_text.delta', part.text));
  if (item.type === 'function_call') return typed('response.function_call_arguments.delta', item.arguments);
  return item.content.flatMap((part) =>
    part.refusal === undefined
      ? typed('response.output_text.delta', part.text ?? '')
      : typed('response.refusal.delta', part.refusal),
  );
}

function typed(type: string, text: string): { type: string; text: string }[] {
  return deltasOf(text).map((delta) => ({ type, text: delta }));
}

function usage({ usage: counts }: LoopbackAnswer) {
  if (counts === undefined) return {};
  const input = counts.inputTokens ?? 0;
  const output = counts.outputTokens ?? 0;
  return {
    usage: {
      input_tokens: input,
      output_tokens: output,
      total_tokens: input + output,
      input_tokens_details: { cached_tokens: counts.cachedInputTokens },
      output_tokens_details: { reasoning_tokens: counts.reasoningTokens },
    },
  };
}
