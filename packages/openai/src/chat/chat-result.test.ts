import { expect, test } from 'vitest';
import { settingsOf } from '../test-support/settings-of.ts';
import type { ChatAnswerMessage } from './chat-completion.ts';
import { chatResult } from './chat-result.ts';

const settings = settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434/v1', provider: 'ollama' });
const resultOf = (message: ChatAnswerMessage, finish_reason: string | null = 'stop') =>
  chatResult({ choices: [{ message, finish_reason }] }, settings, []);

test('the least that a server can send', () => {
  expect(resultOf({ content: 'Twelve.' })).toEqual({
    content: [{ type: 'text', text: 'Twelve.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {},
    warnings: [],
  });
  expect(resultOf({}, null)).toMatchObject({ content: [], finishReason: { unified: 'other', raw: undefined } });
});

test('reasoning by whatever field it comes, and left in the text by local servers', () => {
  for (const chatField of ['reasoning', 'reasoning_content'])
    expect(resultOf({ [chatField]: 'hm', content: 'Twelve.' }).content).toEqual([
      { type: 'reasoning', text: 'hm', vendor: { provider: 'ollama', data: { chatField } } },
      { type: 'text', text: 'Twelve.' },
    ]);
  expect(resultOf({ content: '<think>hm</think>\nTwelve.' }).content).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'Twelve.' },
  ]);
});

test('tool calls: without an id, with an object as arguments, with arguments that are no JSON, called `stop`', () => {
  const call = (fields: object) => ({ function: { name: 'run', ...fields } });
  const tool_calls = [call({ arguments: { a: 1 } }), { id: 'x', ...call({ arguments: '{"a":' }) }, call({})];
  expect(resultOf({ content: null, tool_calls })).toMatchObject({
    content: [
      { type: 'tool-call', id: 'call_0', name: 'run', arguments: { a: 1 } },
      { type: 'tool-call', id: 'x', name: 'run', invalidArguments: '{"a":' },
      { type: 'tool-call', id: 'call_2', name: 'run', arguments: {} },
    ],
    finishReason: { unified: 'tool-calls', raw: 'stop' },
  });
});

test('a failure that came with HTTP 200', () => {
  const answer = { error: { code: 429, message: 'slow down' } };
  expect(() => chatResult(answer, settings, [])).toThrow(
    expect.objectContaining({ failure: { status: 429, vendorCodes: ['429'], message: 'slow down' } }),
  );
});

test('an answer that is no completion', () => {
  for (const answer of ['<html>', {}, { choices: [] }, null])
    expect(() => chatResult(answer, settings, [])).toThrow(expect.objectContaining({ code: 'MODEL_REQUEST_FAILED' }));
});
