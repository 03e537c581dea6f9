import { createCallContext, type ModelRequest, type StreamEvent, userMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { scriptedModel } from './scripted-model.ts';

const requestOf = (text: string, signal?: AbortSignal): ModelRequest => ({
  messages: [userMessage(text)],
  sample: 0,
  context: createCallContext({ path: 'flow@1/step#1', signal }),
});

test('answers from a list in order and records the requests', async () => {
  const model = scriptedModel(['one', { json: { a: 1 } }]);
  expect((await model.generate(requestOf('first'))).content).toEqual([{ type: 'text', text: 'one' }]);
  expect((await model.generate(requestOf('second'))).content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  expect(model.requests.map((request) => request.messages[0]?.content[0])).toEqual([
    { type: 'text', text: 'first' },
    { type: 'text', text: 'second' },
  ]);
});

test('a recorded request does not change with the conversation of the caller', async () => {
  const messages = [userMessage('first')];
  const model = scriptedModel(['one']);
  await model.generate({ ...requestOf(''), messages });
  messages.push(userMessage('later'));
  expect(model.requests[0]?.messages).toHaveLength(1);
});

test('says which call has no reply, and quotes it', async () => {
  const model = scriptedModel(['one']);
  await model.generate(requestOf('first'));
  await expect(model.generate(requestOf('How many customers?'))).rejects.toMatchObject({
    code: 'RECORDING_MISSING',
    retryable: false,
    message: expect.stringMatching(/call 2 at flow@1\/step#1: its list holds 1 reply.*How many customers\?/),
  });
});

test('answers from a function, which sees the request and the index', async () => {
  const model = scriptedModel((request, index) => (index < 2 ? `${index}:${request.sample}` : undefined));
  const texts = await Promise.all(
    [7, 8].map(async (sample) => (await model.generate({ ...requestOf('x'), sample })).content[0]),
  );
  expect(texts).toEqual([
    { type: 'text', text: '0:7' },
    { type: 'text', text: '1:8' },
  ]);
  await expect(model.generate(requestOf('x'))).rejects.toThrow(/its function returned undefined/);
});

test('rejects with an error of the script, and goes on after it', async () => {
  const model = scriptedModel([new Error('no luck'), 'fine']);
  await expect(model.generate(requestOf('x'))).rejects.toThrow('no luck');
  expect((await model.generate(requestOf('x'))).content[0]).toMatchObject({ text: 'fine' });
});

test('tool calls, reasoning and usage', async () => {
  const model = scriptedModel([
    {
      reasoning: 'Let me look.',
      toolCalls: [{ name: 'execute_sql', arguments: { sql: 'SELECT 1' } }],
      usage: { inputTokens: 5 },
    },
  ]);
  expect(await model.generate(requestOf('x'))).toMatchObject({
    content: [
      { type: 'reasoning', text: 'Let me look.' },
      { type: 'tool-call', id: 'call-1', name: 'execute_sql', arguments: { sql: 'SELECT 1' } },
    ],
    finishReason: { unified: 'tool-calls' },
    usage: { inputTokens: 5 },
  });
});

test('streams the same answer in chunks of whole characters', async () => {
  const model = scriptedModel([{ reasoning: 'hm', text: '🦊🦊🦊ab' }], { chunkLength: 2 });
  const events: StreamEvent[] = [];
  for await (const event of model.stream(requestOf('x'))) events.push(event);
  expect(events.filter((event) => event.type === 'text-delta').map((event) => event.text)).toEqual([
    '🦊🦊',
    '🦊a',
    'b',
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'finish', result: { finishReason: { unified: 'stop' } } });
});

test('an aborted call rejects with ABORTED, also in the middle of a stream', async () => {
  await expect(scriptedModel(['x']).generate(requestOf('x', AbortSignal.abort()))).rejects.toMatchObject({
    code: 'ABORTED',
  });
  const controller = new AbortController();
  const seen: StreamEvent[] = [];
  const consume = async () => {
    for await (const event of scriptedModel(['a long text']).stream(requestOf('x', controller.signal))) {
      seen.push(event);
      controller.abort();
    }
  };
  await expect(consume()).rejects.toMatchObject({ code: 'ABORTED' });
  expect(seen).toHaveLength(1);
});
