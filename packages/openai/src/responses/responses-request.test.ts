import { type Message, systemMessage, userMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { openAiBodyCheck } from '../test-support/openai-schema.ts';
import { requestOf, settingsOf } from '../test-support/settings-of.ts';
import { responsesRequest } from './responses-request.ts';

const check = openAiBodyCheck();
const luna = settingsOf('gpt-6-luna');

function bodyOf(...arguments_: Parameters<typeof responsesRequest>) {
  const { body, warnings } = responsesRequest(...arguments_);
  expect(check?.(JSON.parse(JSON.stringify(body)), 'responses') ?? []).toEqual([]);
  return { body, warnings };
}

test('nothing is stored at the vendor, so a reasoning model sends its reasoning along', () => {
  expect(bodyOf(requestOf(), luna).body).toEqual({
    model: 'gpt-6-luna',
    input: [{ type: 'message', role: 'user', content: 'How many?' }],
    store: false,
    include: ['reasoning.encrypted_content'],
  });
  expect(bodyOf(requestOf(), settingsOf('gpt-4.1')).body).not.toHaveProperty('include');
});

test('what this API does not have is told', () => {
  const request = requestOf({ stop: ['x'], seed: 1, maxOutputTokens: 5, temperature: 0 });
  const { body, warnings } = bodyOf(request, settingsOf('gpt-4.1'));
  expect(body).toMatchObject({ max_output_tokens: 16, temperature: 0 });
  expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(['stop', 'seed', 'maxOutputTokens']);
});

test('tools are told whether they are strict; a format and provider options share one object', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } };
  const schema = { ...parameters, required: ['a'], additionalProperties: false };
  const { body } = bodyOf(
    requestOf({
      messages: [systemMessage('Be brief.'), userMessage('x')],
      tools: [
        { name: 'loose', description: '', parameters },
        { name: 'strict', description: '', parameters: schema },
      ],
      toolChoice: { name: 'loose' },
      output: { name: 'a.b', schema },
      providerOptions: { openai: { text: { verbosity: 'low' }, reasoning: { effort: 'low' } } },
    }),
    luna,
  );
  expect(body.tools?.map((tool) => 'strict' in tool && tool.strict)).toEqual([false, true]);
  expect(body).toMatchObject({
    input: [{ role: 'developer', content: 'Be brief.' }, { role: 'user' }],
    tool_choice: { type: 'function', name: 'loose' },
    text: { format: { type: 'json_schema', name: 'a_b', schema, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'low' },
  });
});

test('items of the vendor go back as they came and where they stood; foreign ones and those without content do not', () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'abc' };
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    name: 'run',
    arguments: '{ "a": 1 }',
    status: 'completed',
  };
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };
  const own = (data: object) => ({ provider: 'openai', data: data as never });
  const messages: Message[] = [
    userMessage('x'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', vendor: own(item) },
        { type: 'reasoning', text: 'nothing to send', vendor: own({ ...item, encrypted_content: null }) },
        { type: 'reasoning', text: 'signed elsewhere', vendor: { provider: 'anthropic', data: { type: 'thinking' } } },
        { type: 'reasoning', text: 'of chat completions', vendor: own({ chatField: 'reasoning' }) },
        { type: 'vendor', vendor: own(search) },
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', id: 'c1', name: 'run', arguments: { a: 1 }, vendor: own(call) },
        { type: 'tool-call', id: 'c2', name: 'run', arguments: { b: 2 } },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', name: 'run', text: '12' }] },
  ];
  expect(bodyOf(requestOf({ messages }), luna).body.input).toEqual([
    { type: 'message', role: 'user', content: 'x' },
    item,
    search,
    { type: 'message', role: 'assistant', content: 'Let me look.' },
    call,
    { type: 'function_call', call_id: 'c2', name: 'run', arguments: '{"b":2}' },
    { type: 'function_call_output', call_id: 'c1', output: '12' },
  ]);
});
