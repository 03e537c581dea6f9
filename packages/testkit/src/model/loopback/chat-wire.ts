import type { LoopbackAnswer } from './loopback-reply.ts';
import { deltasOf, serverSentEvent } from './server-sent-event.ts';

const FINISH = { length: 'length', 'content-filter': 'content_filter', refusal: 'stop' } as const;

/** A chat completion (https://developers.openai.com/api/docs/api-reference/chat/object). */
export function answerChat(answer: LoopbackAnswer, model: string) {
  const refused = answer.finish === 'refusal';
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: finishReason(answer),
        message: {
          role: 'assistant',
          content: refused ? null : (answer.text ?? null),
          refusal: refused ? (answer.text ?? '') : null,
          ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
          ...(answer.toolCalls === undefined ? {} : { tool_calls: answer.toolCalls.map(toolCall) }),
        },
      },
    ],
    ...usage(answer),
  };
}

/** The chunks of the same (https://developers.openai.com/api/docs/api-reference/chat/streaming), usage last. */
export function streamChat(answer: LoopbackAnswer, model: string): string[] {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model };
  const chunk = (delta: object, finish: string | null = null) =>
    serverSentEvent({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const field = answer.finish === 'refusal' ? 'refusal' : 'content';
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltasOf(answer.reasoning ?? '').map((text) => chunk({ reasoning_content: text })),
    ...deltasOf(answer.text ?? '').map((text) => chunk({ [field]: text })),
    ...(answer.toolCalls ?? []).flatMap((call, index) => {
      const whole = toolCall(call);
      return [
        chunk({ tool_calls: [{ ...whole, index, function: { name: call.name, arguments: '' } }] }),
        ...deltasOf(whole.function.arguments).map((text) =>
          chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
        ),
      ];
    }),
    chunk({}, finishReason(answer)),
    ...(answer.usage === undefined ? [] : [serverSentEvent({ ...head, choices: [], ...usage(answer) })]),
    serverSentEvent('[DONE]'),
  ];
}

function finishReason(answer: LoopbackAnswer): string {
  if (answer.finish !== undefined) return FINISH[answer.finish];
  return answer.toolCalls?.length ? 'tool_calls' : 'stop';
}

function toolCall(call: NonNullable<LoopbackAnswer['toolCalls']>[number]) {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  };
}

function usage({ usage: counts }: LoopbackAnswer) {
  if (counts === undefined) return {};
  const input = counts.inputTokens ?? 0;
  const output = counts.outputTokens ?? 0;
  return {
    usage: {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: counts.cachedInputTokens },
      completion_tokens_details: { reasoning_tokens: counts.reasoningTokens },
    },
  };
}
