import type { LanguageModelV4Content } from '@ai-sdk/provider';
import { type ModelResult, userMessage } from '@askema/core';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { fromAiSdk } from '../from-ai-sdk.ts';
import { answering, answerOf, requestOf } from '../test-support/mock-models.ts';

const CONTENT: LanguageModelV4Content[] = [
  { type: 'reasoning', text: 'Hm.', providerMetadata: { mock: { signature: 'sig-1' } } },
  { type: 'reasoning', text: 'Unsigned.' },
  { type: 'text', text: 'Let me look.', providerMetadata: { mock: { itemId: 'msg-1' } } },
  { type: 'text', text: '', providerMetadata: { mock: { thoughtSignature: 'sig-2' } } },
  { type: 'custom', kind: 'mock.compaction', providerMetadata: { mock: { content: 'sealed' } } },
  { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2]) } },
  { type: 'tool-call', toolCallId: 'c0', toolName: 'web', input: '{"q":"x"}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'c0', toolName: 'web', result: { found: 1 } },
  { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.org' },
  {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'run',
    input: '{"a":1}',
    providerMetadata: { mock: { id: 'fc-1' } },
  },
];

/** The next turn, after a journal has kept the answer. */
function next({ content }: ModelResult) {
  return requestOf({
    messages: [
      userMessage('How many?'),
      { role: 'assistant', content: JSON.parse(JSON.stringify(content)) },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', name: 'run', text: '12' }] },
    ],
  });
}

test('4: signatures, ids and content of the provider go back as they came, in their places', async () => {
  const { mock, model } = answering({ content: CONTENT }, {});
  await model.generate(next(await model.generate(requestOf())));
  expect(mock.doGenerateCalls[1]?.prompt.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { mock: { signature: 'sig-1' } } },
        { type: 'reasoning', text: 'Unsigned.', providerOptions: {} },
        { type: 'text', text: 'Let me look.', providerOptions: { mock: { itemId: 'msg-1' } } },
        { type: 'text', text: '', providerOptions: { mock: { thoughtSignature: 'sig-2' } } },
        { type: 'custom', kind: 'mock.compaction', providerOptions: { mock: { content: 'sealed' } } },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQI=' } },
        { type: 'tool-call', toolCallId: 'c0', toolName: 'web', input: { q: 'x' }, providerExecuted: true },
        { type: 'tool-result', toolCallId: 'c0', toolName: 'web', output: { type: 'json', value: { found: 1 } } },
        {
          type: 'tool-call',
          toolCallId: 'c1',
          toolName: 'run',
          input: { a: 1 },
          providerOptions: { mock: { id: 'fc-1' } },
        },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'run', output: { type: 'text', value: '12' } }],
    },
  ]);
});

test('4: another API of the same vendor gets the words alone', async () => {
  const { model } = answering({ content: CONTENT });
  const other = new MockLanguageModelV4({ provider: 'mock.responses', doGenerate: async () => answerOf() });
  await fromAiSdk(other).generate(next(await model.generate(requestOf())));
  expect(other.doGenerateCalls[0]?.prompt[1]).toEqual({
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'run', input: { a: 1 } },
    ],
  });
});

test('4: a turn of which another provider understands nothing is left out', async () => {
  const { model } = answering({ content: [{ type: 'reasoning', text: 'Hm.' }] });
  const other = new MockLanguageModelV4({ provider: 'other.chat', doGenerate: async () => answerOf() });
  const { content } = await model.generate(requestOf());
  const messages = [userMessage('a'), { role: 'assistant', content } as const, userMessage('b')];
  await fromAiSdk(other).generate(requestOf({ messages }));
  expect(other.doGenerateCalls[0]?.prompt.map(({ role }) => role)).toEqual(['user', 'user']);
});

test("a result that is a failure goes back as one, of our tools and of the vendor's", async () => {
  const web = { toolCallId: 'c0', toolName: 'web' };
  const { mock, model } = answering({ content: [{ type: 'tool-result', ...web, result: 'down', isError: true }] }, {});
  const { content } = await model.generate(requestOf());
  const failed = { type: 'tool-result', toolCallId: 'c1', name: 'run', text: 'no such table', isError: true } as const;
  const messages = [userMessage('a'), { role: 'assistant', content }, { role: 'tool', content: [failed] }] as const;
  await model.generate(requestOf({ messages }));
  expect(mock.doGenerateCalls[1]?.prompt.slice(1)).toMatchObject([
    { content: [{ ...web, output: { type: 'error-json', value: 'down' } }] },
    { content: [{ toolCallId: 'c1', output: { type: 'error-text', value: 'no such table' } }] },
  ]);
});

test('5: arguments that are no JSON are kept as text, and are not repeated to the vendor', async () => {
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'run' } as const;
  const { mock, model } = answering(
    { content: [{ ...call, input: '{"sql": "SELECT' }], finishReason: { unified: 'tool-calls', raw: 'tool_calls' } },
    { content: [{ ...call, input: '' }] },
  );
  const broken = await model.generate(requestOf());
  expect(broken).toMatchObject({
    content: [{ type: 'tool-call', id: 'c1', name: 'run', invalidArguments: '{"sql": "SELECT' }],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
  });
  const none = await model.generate(next(broken));
  expect(mock.doGenerateCalls[1]?.prompt[1]?.content).toEqual([{ ...call, input: {} }]);
  expect(none).toMatchObject({ content: [{ arguments: {} }], finishReason: { unified: 'tool-calls', raw: 'stop' } });
});
