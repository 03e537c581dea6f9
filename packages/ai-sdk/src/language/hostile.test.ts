import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { fromAiSdk } from '../from-ai-sdk.ts';
import { answering, eventsOf, requestOf, streaming } from '../test-support/mock-models.ts';

type Answer = Partial<LanguageModelV4GenerateResult>;
const circular: Record<string, unknown> = {};
circular.self = circular;
const call = { type: 'tool-call', toolCallId: 'a', toolName: 'run', input: '{}' };
const delta = (text: unknown) => ({ type: 'text-delta', id: '1', delta: text }) as LanguageModelV4StreamPart;

describe('an answer that is none', () => {
  it.each<[what: string, answer: object]>([
    ['no finish reason', { finishReason: null }],
    ['a part that is null', { content: [null] }],
    ['a text that is an object', { content: [{ type: 'text', text: { a: 1 } }] }],
    ['reasoning without a text', { content: [{ type: 'reasoning' }] }],
    ['metadata that is no JSON', { content: [{ type: 'text', text: 'a', providerMetadata: circular }] }],
    ['input that is an object', { content: [{ ...call, input: { a: 1 } }] }],
    ['a call without a name', { content: [{ ...call, toolName: undefined }] }],
  ])('is refused as one: %s', async (_, answer) => {
    const { model } = answering(answer as Answer);
    await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_REQUEST_FAILED' });
  });

  it.each<[what: string, answer: unknown]>([
    ['nothing', null],
    ['no stream', { stream: [] }],
  ])('is refused where it is to stream: %s', async (_, answer) => {
    const model = fromAiSdk(new MockLanguageModelV4({ doStream: async () => answer as never }));
    await expect(eventsOf(model)).rejects.toMatchObject({ code: 'MODEL_REQUEST_FAILED' });
  });

  it('is refused where a piece of text is none, and where the end has no reason', async () => {
    await expect(eventsOf(streaming(delta({ a: 1 })))).rejects.toMatchObject({ code: 'MODEL_REQUEST_FAILED' });
    const end = { type: 'finish', finishReason: null } as unknown as LanguageModelV4StreamPart;
    await expect(eventsOf(streaming(null as never, delta('a'), end))).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });
});

it('what accompanies an answer cannot spoil it, nor give tokens back', async () => {
  const { model } = answering({
    finishReason: { unified: 'a label of its own' as never, raw: { a: 1 } as never },
    usage: { inputTokens: { total: -5_000 }, outputTokens: { total: Number.POSITIVE_INFINITY } } as never,
    warnings: [null] as never,
    response: { id: { a: 1 } as never, modelId: 7 as never },
  });
  expect(await model.generate(requestOf())).toEqual({
    content: [{ type: 'text', text: 'Twelve.' }],
    finishReason: { unified: 'other' },
    usage: {},
    warnings: ['The provider warns of something that it does not name.'],
  });
});

describe('a stream without end', () => {
  const endless = (text: string) => new ReadableStream({ pull: (controller) => controller.enqueue(delta(text)) });

  it('ends with its time, though it never waits', async () => {
    const model = fromAiSdk(new MockLanguageModelV4({ doStream: { stream: endless('') } }), { timeoutMs: 20 });
    await expect(eventsOf(model)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
  });

  it('ends where no answer is as long', async () => {
    const model = fromAiSdk(new MockLanguageModelV4({ doStream: { stream: endless('x'.repeat(1_000_000)) } }));
    await expect(eventsOf(model)).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
  });
});
