import { type Message, systemMessage, userMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { anthropicBodyCheck } from '../test-support/anthropic-schema.ts';
import { requestOf, settingsOf } from '../test-support/settings-of.ts';
import { messageRequest } from './message-request.ts';

const check = anthropicBodyCheck();
const opus = settingsOf('claude-opus-5-5');
const sonnet = settingsOf('claude-sonnet-4-6');
const old = settingsOf('claude-3-7-sonnet-20250219');
const tool = {
  name: 'run',
  description: 'Runs.',
  parameters: { type: 'object', properties: { a: { type: 'string' } } },
};
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

function bodyOf(...arguments_: Parameters<typeof messageRequest>) {
  const { body, plan, warnings } = messageRequest(...arguments_);
  expect(check(JSON.parse(JSON.stringify(body)))).toEqual([]);
  return { body, plan, warnings };
}

test('only what was asked for is sent, and the limit that the protocol wants', () => {
  expect(bodyOf(requestOf(), opus).body).toEqual({
    model: 'claude-opus-5-5',
    max_tokens: 16_000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'How many?' }] }],
  });
});

test('sampling settings: none for newer models, one of two for some, none with thinking, and the caller is told', () => {
  const request = requestOf({ temperature: 0, topP: 0.5, seed: 1 });
  expect(bodyOf(request, opus).warnings).toEqual([
    'temperature was not sent: claude-opus-5-5 takes none.',
    'top_p was not sent: claude-opus-5-5 takes none.',
    'seed was not sent: the messages API has none.',
  ]);
  const one = bodyOf(request, sonnet);
  expect([one.body.temperature, one.body.top_p, one.warnings[0]?.split(' ')[0]]).toEqual([0, undefined, 'top_p']);
  expect(bodyOf(requestOf({ topP: 0.5 }), sonnet).body.top_p).toBe(0.5);
  const thinking = { anthropic: { thinking: { type: 'enabled', budget_tokens: 2000 } } };
  const { body, warnings } = bodyOf({ ...request, providerOptions: thinking }, old);
  expect(body).not.toHaveProperty('temperature');
  expect(warnings[0]).toBe('temperature was not sent: not together with thinking.');
});

test('an output schema: natively, with an effort of the caller beside it', () => {
  const output = { name: 'text2sql.generate sql', schema };
  const providerOptions = { anthropic: { output_config: { effort: 'low' } } };
  const { body } = bodyOf(requestOf({ output, providerOptions }), opus);
  expect(body.output_config).toEqual({ format: { type: 'json_schema', schema }, effort: 'low' });
  expect(body).not.toHaveProperty('tools');
});

test('an output schema of an older model: by a tool that must be called', () => {
  const output = { name: 'text2sql.generate sql', schema };
  const { body, plan } = bodyOf(requestOf({ output }), old);
  expect(body).toMatchObject({
    tools: [{ name: 'text2sql_generate_sql', input_schema: schema }],
    tool_choice: { type: 'tool', name: 'text2sql_generate_sql' },
  });
  expect(plan).toMatchObject({ way: 'tool', tool: 'text2sql_generate_sql' });
  const beside = bodyOf(requestOf({ output: { ...output, name: 'run' }, tools: [tool] }), old);
  expect(beside.body.tool_choice).toEqual({ type: 'any' });
  expect(beside.body.tools?.map((entry) => 'name' in entry && entry.name)).toEqual(['run', 'run_out']);
});

test('an output schema that can be had no other way is asked for in the instructions', () => {
  const open = { type: 'object', additionalProperties: { type: 'number' } };
  for (const settings of [opus, settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434' })]) {
    const { body } = bodyOf(
      requestOf({ messages: [systemMessage('Be brief.')], output: { name: 'x', schema: open } }),
      settings,
    );
    expect(body.system).toMatchObject([{ text: 'Be brief.' }, { text: expect.stringContaining(JSON.stringify(open)) }]);
    expect(body).not.toHaveProperty('output_config');
  }
  const thinking = { anthropic: { thinking: { type: 'enabled', budget_tokens: 2000 } } };
  const { plan } = bodyOf(requestOf({ output: { name: 'x', schema }, providerOptions: thinking }), old);
  expect(plan.way).toBe('instructions');
});

test('a forced tool is forced where the model allows it', () => {
  const forced = requestOf({ tools: [tool], toolChoice: { name: 'run' } });
  expect(bodyOf(forced, sonnet).body.tool_choice).toEqual({ type: 'tool', name: 'run' });
  const { body, warnings } = bodyOf(forced, opus);
  expect(body).not.toHaveProperty('tool_choice');
  expect(warnings).toEqual(['tool_choice was not sent: claude-opus-5-5 cannot be forced to call a tool here.']);
  expect(bodyOf(requestOf({ tools: [tool], toolChoice: 'none' }), opus).body.tool_choice).toEqual({ type: 'none' });
  expect(bodyOf(requestOf({ toolChoice: 'required' }), sonnet).body).not.toHaveProperty('tool_choice');
});

test('a conversation: turns of one side merge, blocks of the vendor go back as they came, foreign and empty ones do not', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' };
  const redacted = { type: 'redacted_thinking', data: 'xyz' };
  const own = (data: object) => ({ provider: 'anthropic', data: data as never });
  const messages: Message[] = [
    systemMessage('a'),
    userMessage('q'),
    userMessage('and'),
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', vendor: own(thinking) },
        { type: 'vendor', vendor: own(redacted) },
        { type: 'reasoning', text: 'foreign', vendor: { provider: 'openai', data: { type: 'reasoning' } } },
        { type: 'text', text: ' ' },
        { type: 'tool-call', id: 't1', name: 'run', arguments: { a: 'ü' } },
        { type: 'tool-call', id: 't2', name: 'run', invalidArguments: '{"a":' },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't1', name: 'run', text: '12' }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 't2', name: 'run', text: 'bad JSON', isError: true }],
    },
    { role: 'assistant', content: [] },
    systemMessage('b'),
    userMessage('go on'),
  ];
  const { body } = bodyOf(requestOf({ messages }), opus);
  expect(body.system).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]);
  expect(body.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'q' },
        { type: 'text', text: 'and' },
      ],
    },
    {
      role: 'assistant',
      content: [
        thinking,
        redacted,
        { type: 'tool_use', id: 't1', name: 'run', input: { a: 'ü' } },
        { type: 'tool_use', id: 't2', name: 'run', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: '12' },
        { type: 'tool_result', tool_use_id: 't2', content: 'bad JSON', is_error: true },
        { type: 'text', text: 'go on' },
      ],
    },
  ]);
});

test('provider options are merged last', () => {
  const providerOptions = { anthropic: { cache_control: { type: 'ephemeral' }, max_tokens: 5 } };
  expect(bodyOf(requestOf({ providerOptions }), opus).body).toMatchObject(providerOptions.anthropic);
});

test('ends of prefixes are marked for the cache, the last three of them, and on the vendor alone', () => {
  const part = (text: string, endsPrefix?: true) => ({ type: 'text' as const, text, endsPrefix });
  const content = [part('a', true), part('b'), part('c', true), part('d', true), part('e', true), part('f')];
  const request = requestOf({ messages: [systemMessage('s'), { role: 'user', content }] });
  const mark = { cache_control: { type: 'ephemeral' } };
  expect(bodyOf(request, opus).body.messages[0]?.content).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'bc', ...mark },
    { type: 'text', text: 'd', ...mark },
    { type: 'text', text: 'e', ...mark },
    { type: 'text', text: 'f' },
  ]);
  for (const other of [
    settingsOf('claude-opus-5-5', { promptCaching: false }),
    settingsOf('claude-opus-5-5', { baseURL: 'http://127.0.0.1:11434' }),
  ])
    expect(bodyOf(request, other).body.messages[0]?.content).toEqual([{ type: 'text', text: 'abcdef' }]);
});
