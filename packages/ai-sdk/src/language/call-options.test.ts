import { systemMessage } from '@askema/core';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { fromAiSdk } from '../from-ai-sdk.ts';
import { answering, answerOf, requestOf } from '../test-support/mock-models.ts';

const parameters = { type: 'object', properties: {} };

test('every setting of a request reaches the SDK, and nothing that was not asked for', async () => {
  const { mock, model } = answering({}, {});
  await model.generate(requestOf());
  await model.generate(
    requestOf({
      temperature: 0,
      topP: 0.9,
      maxOutputTokens: 64,
      stop: ['END'],
      seed: 7,
      tools: [{ name: 'run', description: 'Runs.', parameters }],
      toolChoice: { name: 'run' },
      providerOptions: { mock: { store: false } },
    }),
  );
  const key = { 'Idempotency-Key': expect.stringMatching(/^[0-9a-f]{64}$/) };
  const always = { abortSignal: expect.any(AbortSignal), headers: key, prompt: expect.any(Array) };
  expect(mock.doGenerateCalls).toEqual([
    always,
    {
      ...always,
      temperature: 0,
      topP: 0.9,
      maxOutputTokens: 64,
      stopSequences: ['END'],
      seed: 7,
      tools: [{ type: 'function', name: 'run', description: 'Runs.', inputSchema: parameters }],
      toolChoice: { type: 'tool', toolName: 'run' },
      providerOptions: { mock: { store: false } },
    },
  ]);
});

test('a prompt is one text, or ends a part where the provider is asked to keep what stands before', async () => {
  const messages = [
    systemMessage('Rules.'),
    {
      role: 'user',
      content: [
        { type: 'text', text: 'schema ' },
        { type: 'text', text: 'data', endsPrefix: true },
        { type: 'text', text: 'question' },
      ],
    },
  ] as const;
  const mock = new MockLanguageModelV4({ doGenerate: async () => answerOf() });
  const keep = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  await fromAiSdk(mock).generate(requestOf({ messages }));
  await fromAiSdk(mock, { prefixOptions: keep }).generate(requestOf({ messages }));
  const system = { role: 'system', content: 'Rules.' };
  expect(mock.doGenerateCalls.map(({ prompt }) => prompt)).toEqual([
    [system, { role: 'user', content: [{ type: 'text', text: 'schema dataquestion' }] }],
    [
      system,
      {
        role: 'user',
        content: [
          { type: 'text', text: 'schema data', providerOptions: keep },
          { type: 'text', text: 'question' },
        ],
      },
    ],
  ]);
});
