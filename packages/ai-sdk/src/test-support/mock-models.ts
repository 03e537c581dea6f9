import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { createCallContext, type ModelRequest, type StreamEvent, userMessage } from '@askema/core';
import { MockLanguageModelV4 } from 'ai/test';
import { type AiSdkModel, fromAiSdk } from '../from-ai-sdk.ts';

/** No count at all. */
export const NO_USAGE: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** What `doGenerate` gives, unless the parts say otherwise. */
export function answerOf(parts: Partial<LanguageModelV4GenerateResult> = {}): LanguageModelV4GenerateResult {
  return {
    content: [{ type: 'text', text: 'Twelve.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: NO_USAGE,
    warnings: [],
    ...parts,
  };
}

/** A model that gives these answers, one after the other, and the mock behind it, which has the calls. */
export function answering(...answers: readonly Partial<LanguageModelV4GenerateResult>[]) {
  const script = [...answers];
  const doGenerate = async () => answerOf(script.shift());
  const mock = new MockLanguageModelV4({ provider: 'mock.chat', doGenerate });
  return { mock, model: fromAiSdk(mock) };
}

/** A model that streams these parts. */
export function streaming(...parts: readonly LanguageModelV4StreamPart[]): AiSdkModel {
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
  return fromAiSdk(new MockLanguageModelV4({ doStream: { stream } }));
}

/** A request with one question, unless the parts say otherwise. */
export function requestOf(parts: Partial<ModelRequest> & { readonly signal?: AbortSignal } = {}): ModelRequest {
  const { signal, ...rest } = parts;
  return { messages: [userMessage('How many?')], sample: 0, context: createCallContext({ signal }), ...rest };
}

/** Every event of a stream. */
export async function eventsOf(model: AiSdkModel, request = requestOf()): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  return events;
}
