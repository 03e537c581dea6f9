import { type Message, systemMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { chatRequest } from './chat/chat-request.ts';
import { responsesRequest } from './responses/responses-request.ts';
import { openAiBodyCheck } from './test-support/openai-schema.ts';
import { requestOf, settingsOf } from './test-support/settings-of.ts';

const vendor = settingsOf('gpt-6-luna');
const asks = (schema: string, question: string): readonly Message[] => [
  systemMessage('Rules.'),
  {
    role: 'user',
    content: [
      { type: 'text', text: schema, endsPrefix: true },
      { type: 'text', text: question },
    ],
  },
];

test('requests that begin alike have one key for the cache, on the vendor alone', () => {
  const check = openAiBodyCheck();
  const keyOf = (schema: string, question: string): unknown => {
    const { body } = responsesRequest(requestOf({ messages: asks(schema, question) }), vendor);
    expect(check?.(JSON.parse(JSON.stringify(body)), 'responses') ?? []).toEqual([]);
    expect(body.input).toMatchObject([{}, { content: `${schema}${question}` }]);
    const chat = chatRequest(requestOf({ messages: asks(schema, question) }), vendor).body;
    expect(check?.(JSON.parse(JSON.stringify(chat)), 'chat') ?? []).toEqual([]);
    expect(chat.prompt_cache_key).toBe(body.prompt_cache_key);
    return body.prompt_cache_key;
  };
  expect(keyOf('a', 'q')).toMatch(/^[\da-f]{32}$/);
  expect(keyOf('a', 'another')).toBe(keyOf('a', 'q'));
  expect(keyOf('b', 'q')).not.toBe(keyOf('a', 'q'));
  const local = settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434/v1' });
  expect(chatRequest(requestOf({ messages: asks('a', 'q') }), local).body).not.toHaveProperty('prompt_cache_key');
  expect(responsesRequest(requestOf(), vendor).body).not.toHaveProperty('prompt_cache_key');
});
