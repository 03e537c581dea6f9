import { type FinishReason, textOf } from '@askema/core';
import { expect, test } from 'vitest';
import { answering, NO_USAGE, requestOf } from '../test-support/mock-models.ts';

const output = { name: 'askema.test answer', schema: { type: 'object' } };

test('6: the schema goes to the SDK under a name that vendors take', async () => {
  const { mock, model } = answering({ content: [{ type: 'text', text: '{"a":1}' }] });
  expect(textOf((await model.generate(requestOf({ output }))).content)).toBe('{"a":1}');
  expect(mock.doGenerateCalls[0]?.responseFormat).toEqual({
    type: 'json',
    name: 'askema_test_answer',
    schema: { type: 'object' },
  });
});

test('6: where the provider says which text is the answer, that is it, without the drafts', async () => {
  const drafts = {
    content: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Draft. ' },
      { type: 'text', text: '{"a":1}' },
    ] as const,
  };
  const answer = { content: [...drafts.content], structuredOutputText: '{"a":1}' };
  const { model } = answering(answer, answer, { content: [...drafts.content], structuredOutputText: '' });
  const { content } = await model.generate(requestOf({ output }));
  expect(content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  expect(textOf(content)).toBe('{"a":1}');
  expect(textOf((await model.generate(requestOf())).content)).toBe('Draft. {"a":1}');
  // An empty one is a choice, too.
  expect(textOf((await model.generate(requestOf({ output }))).content)).toBe('');
});

test('7: counts come one to one, and what was not counted stays unknown', async () => {
  const { model } = answering(
    {
      usage: {
        inputTokens: { total: 100, noCache: 30, cacheRead: 64, cacheWrite: 6 },
        outputTokens: { total: 20, text: 12, reasoning: 8 },
      },
    },
    { usage: { ...NO_USAGE, outputTokens: { total: 0, text: Number.NaN, reasoning: Number.NaN } } },
    { usage: NO_USAGE },
    { usage: undefined as never },
  );
  const usages = [];
  for (let call = 0; call < 4; call++) usages.push((await model.generate(requestOf())).usage);
  expect(usages.map((usage) => JSON.stringify(usage))).toEqual([
    JSON.stringify({
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 64,
      cacheWriteTokens: 6,
      reasoningTokens: 8,
    }),
    '{"outputTokens":0}',
    '{}',
    '{}',
  ]);
});

test.each<
  [unified: 'stop' | 'length' | 'content-filter' | 'error' | 'other', raw: string | undefined, ours: FinishReason]
>([
  ['stop', 'end_turn', 'stop'],
  ['length', 'max_tokens', 'length'],
  ['content-filter', 'SAFETY', 'content-filter'],
  ['content-filter', 'refusal', 'refusal'],
  ['content-filter', 'stop', 'refusal'],
  ['error', 'failed', 'error'],
  ['other', 'pause_turn', 'other'],
])('%s (%s) is %s', async (unified, raw, ours) => {
  const { model } = answering({ finishReason: { unified, raw } });
  expect((await model.generate(requestOf())).finishReason).toEqual({ unified: ours, raw });
});

test('a call that was cut off is cut off, though it is a call', async () => {
  const content = [{ type: 'tool-call', toolCallId: 'c1', toolName: 'run', input: '{"sql": "SEL' }] as const;
  const { model } = answering({ content: [...content], finishReason: { unified: 'length', raw: 'max_tokens' } });
  expect((await model.generate(requestOf())).finishReason.unified).toBe('length');
});

test('warnings are sentences; id and model of the answer are kept', async () => {
  const { model } = answering({
    warnings: [
      { type: 'unsupported', feature: 'seed' },
      { type: 'compatibility', feature: 'responseFormat', details: 'sent as a tool' },
      { type: 'deprecated', setting: 'user', message: 'Use safetyIdentifier.' },
      { type: 'other', message: 'Something else.' },
    ],
    response: { id: 'resp-1', modelId: 'm-2026', timestamp: new Date(0) },
  });
  expect(await model.generate(requestOf())).toMatchObject({
    warnings: [
      'seed is not supported.',
      'responseFormat is imitated: sent as a tool',
      'user is deprecated: Use safetyIdentifier.',
      'Something else.',
    ],
    responseId: 'resp-1',
    modelId: 'm-2026',
  });
});

test('what is no answer of the SDK is no answer', async () => {
  const nothing = { content: [], finishReason: { unified: 'other', raw: undefined } } as const;
  const { model } = answering(
    { content: undefined as never },
    { finishReason: 'stop' as never },
    { ...nothing, content: [] },
  );
  for (const _ of [1, 2, 3])
    await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_REQUEST_FAILED' });
});
