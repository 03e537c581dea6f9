import { systemMessage, textOf, userMessage } from '@askema/core';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openai } from './openai.ts';
import { requestOf } from './test-support/settings-of.ts';

const mock = new LLMock({ port: 0 });
let baseURL: string;
beforeAll(async () => {
  baseURL = `${await mock.start()}/v1`;
  mock.onMessage(/how many/i, { content: 'Zwölf 🦊.' });
  mock.onMessage(/run/i, { toolCalls: [{ name: 'run', arguments: '{"a":1}' }] });
});
afterAll(() => mock.stop());

const tools = [{ name: 'run', description: 'Runs.', parameters: { type: 'object', properties: {} } }];

test.each(['chat', 'responses'] as const)(
  'a stand-in that others wrote understands %s, at once and as a stream',
  async (api) => {
    const model = openai({ model: 'gpt-4.1-mini', apiKey: 'k', baseURL, api });
    const request = requestOf({ messages: [systemMessage('Be brief.'), userMessage('How many?')] });
    expect(textOf((await model.generate(request)).content)).toBe('Zwölf 🦊.');
    let streamed = '';
    for await (const event of model.stream(request)) if (event.type === 'text-delta') streamed += event.text;
    expect(streamed).toBe('Zwölf 🦊.');
    const called = await model.generate(requestOf({ messages: [userMessage('run it')], tools }));
    expect(called).toMatchObject({
      content: [{ type: 'tool-call', name: 'run', arguments: { a: 1 } }],
      finishReason: { unified: 'tool-calls' },
    });
  },
);
