import { assistantMessage, type Message, systemMessage, userMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { openAiBodyCheck } from '../test-support/openai-schema.ts';
import { requestOf, settingsOf } from '../test-support/settings-of.ts';
import { chatRequest } from './chat-request.ts';

const check = openAiBodyCheck();
const local = settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434/v1' });
const tool = {
  name: 'run',
  description: 'Runs.',
  parameters: { type: 'object', properties: { a: { type: 'string' } } },
};

function bodyOf(...arguments_: Parameters<typeof chatRequest>) {
  const { body, warnings } = chatRequest(...arguments_);
  expect(check?.(JSON.parse(JSON.stringify(body)), 'chat') ?? []).toEqual([]);
  return { body, warnings };
}

test('only what was asked for is sent', () => {
  expect(bodyOf(requestOf(), local)).toEqual({
    body: { model: 'qwen3:8b', messages: [{ role: 'user', content: 'How many?' }] },
    warnings: [],
  });
});

test('a local model gets the older names, a model of OpenAI the newer ones', () => {
  const request = requestOf({ messages: [systemMessage('Be brief.')], maxOutputTokens: 99 });
  expect(bodyOf(request, local).body).toMatchObject({ messages: [{ role: 'system' }], max_tokens: 99 });
  const o3 = bodyOf(request, settingsOf('o3', { api: 'chat' })).body;
  expect(o3).toMatchObject({ messages: [{ role: 'developer' }], max_completion_tokens: 99 });
  expect(o3).not.toHaveProperty('max_tokens');
});

test('a reasoning model gets no sampling settings and no stop, and the caller is told', () => {
  const request = requestOf({ temperature: 0, topP: 0.5, stop: ['x'] });
  const { body, warnings } = bodyOf(request, settingsOf('o3', { api: 'chat' }));
  expect(Object.keys(body)).toEqual(['model', 'messages']);
  expect(warnings).toEqual([
    'temperature was not sent: o3 takes none.',
    'top_p was not sent: o3 takes none.',
    'stop was not sent: o3 takes none.',
  ]);
});

test('with reasoning effort none, newer models take sampling settings', () => {
  const settings = settingsOf('gpt-5.4', { api: 'chat' });
  const request = requestOf({ temperature: 0 });
  expect(bodyOf(request, settings).warnings[0]).toMatch(
    /only with reasoning effort "none" \(providerOptions\.openai\)/,
  );
  const none = { ...request, providerOptions: { openai: { reasoning_effort: 'none' } } };
  expect(bodyOf(none, settings)).toMatchObject({ body: { temperature: 0, reasoning_effort: 'none' }, warnings: [] });
});

test('tools: strict where the schema allows it, a choice only when there is one', () => {
  const strict = { ...tool, parameters: { ...tool.parameters, required: ['a'], additionalProperties: false } };
  const { body } = bodyOf(requestOf({ tools: [tool, strict], toolChoice: 'auto' }), local);
  expect(body.tools?.map((entry) => entry.type === 'function' && entry.function.strict)).toEqual([undefined, true]);
  expect(body).not.toHaveProperty('tool_choice');
  expect(bodyOf(requestOf({ tools: [tool], toolChoice: 'required' }), local).body.tool_choice).toBe('required');
  expect(bodyOf(requestOf({ toolChoice: 'required' }), local).body).not.toHaveProperty('tool_choice');
});

test('tools that the model does not take over this API are refused before the request', () => {
  const request = requestOf({ tools: [tool] });
  for (const model of ['gpt-6-astra', 'gpt-6-luna'])
    expect(() => chatRequest(request, settingsOf(model, { api: 'chat' }))).toThrow(
      expect.objectContaining({ code: 'CAPABILITY_UNSUPPORTED', message: expect.stringContaining("api: 'responses'") }),
    );
  const none = { ...request, providerOptions: { openai: { reasoning_effort: 'none' } } };
  expect(bodyOf(none, settingsOf('gpt-6-luna', { api: 'chat' })).body.tools).toHaveLength(1);
});

test('an output schema: its name is made to fit, and a model that cannot be held to it says so', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const request = requestOf({ output: { name: 'text2sql.generate sql', schema } });
  expect(bodyOf(request, local).body.response_format).toEqual({
    type: 'json_schema',
    json_schema: { name: 'text2sql_generate_sql', schema, strict: true },
  });
  const { body, warnings } = bodyOf(request, settingsOf('gpt-4-turbo', { api: 'chat' }));
  expect(body).not.toHaveProperty('response_format');
  expect(warnings).toEqual(['output was not sent: gpt-4-turbo cannot be held to a schema.']);
});

const reasoning = (provider: string, text: string) => ({
  type: 'reasoning' as const,
  text,
  vendor: { provider, data: { chatField: 'reasoning' } },
});

test('a conversation: roles, calls, results; reasoning only within the current tool loop and only our own', () => {
  const loop: Message[] = [
    {
      role: 'assistant',
      content: [reasoning('openai', 'new'), { type: 'tool-call', id: 'c1', name: 'run', arguments: { a: 'ü' } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', name: 'run', text: '12' }] },
    { role: 'assistant', content: [reasoning('other', 'foreign'), { type: 'text', text: 'wait' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c2', name: 'run', invalidArguments: '{"a":' }] },
  ];
  const old: Message = { role: 'assistant', content: [reasoning('openai', 'old'), { type: 'text', text: 'b' }] };
  const { body } = bodyOf(requestOf({ messages: [userMessage('a'), old, userMessage('c'), ...loop] }), local);
  expect(body.messages).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'user', content: 'c' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run', arguments: '{"a":"ü"}' } }],
      reasoning: 'new',
    },
    { role: 'tool', tool_call_id: 'c1', content: '12' },
    { role: 'assistant', content: 'wait' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c2', type: 'function', function: { name: 'run', arguments: '{"a":' } }],
    },
  ]);
  expect(bodyOf(requestOf({ messages: [assistantMessage('')] }), local).body.messages).toEqual([
    { role: 'assistant', content: '' },
  ]);
});

test('provider options are merged last, and only those of this provider', () => {
  const providerOptions = { ollama: { top_k: 5, messages: [] }, openai: { top_k: 9 } };
  const settings = settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434/v1', provider: 'ollama' });
  const { body } = chatRequest(requestOf({ providerOptions }), settings);
  expect(body).toMatchObject({ top_k: 5, messages: [] });
});
