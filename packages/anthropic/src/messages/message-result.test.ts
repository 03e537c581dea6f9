import { type StreamEvent, textOf } from '@askema/core';
import { expect, test } from 'vitest';
import { settingsOf } from '../test-support/settings-of.ts';
import type { MessageAnswer } from './message-answer.ts';
import { messageResult, type ResultContext } from './message-result.ts';
import { type MessageEvent, messageStream } from './message-stream.ts';

const settings = settingsOf('claude-opus-5-5');
const free: ResultContext = { settings, plan: { way: 'free' }, warnings: [] };
const byTool: ResultContext = { ...free, plan: { way: 'tool', tool: 'answer', schema: {} } };
const answerOf = (parts: Partial<MessageAnswer>): MessageAnswer => ({ content: [], stop_reason: 'end_turn', ...parts });

test('the least that a server can send', () => {
  expect(messageResult(answerOf({ content: [{ type: 'text', text: 'Twelve.' }] }), free)).toEqual({
    content: [{ type: 'text', text: 'Twelve.' }],
    finishReason: { unified: 'stop', raw: 'end_turn' },
    usage: {},
    warnings: [],
  });
});

test.each([
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  ['pause_turn', 'other'],
])('%s is %s', (stop_reason, unified) => {
  expect(messageResult(answerOf({ stop_reason }), free).finishReason).toEqual({ unified, raw: stop_reason });
});

test('why the model refused is told', () => {
  const stop_details = { category: 'cyber', explanation: 'It looks like an exploit.' };
  expect(messageResult(answerOf({ stop_reason: 'refusal', stop_details }), free).warnings).toEqual([
    'The model refused: cyber: It looks like an exploit.',
  ]);
});

test('redacted thinking and unknown blocks are kept', () => {
  const blocks = [
    { type: 'redacted_thinking', data: 'xyz' },
    { type: 'server_tool_use', id: 's' },
  ];
  expect(messageResult(answerOf({ content: blocks }), free).content).toEqual(
    blocks.map((data) => ({ type: 'vendor', vendor: { provider: 'anthropic', data } })),
  );
});

test('an answer that came by a tool is text, and no tool call', () => {
  const content = [{ type: 'tool_use', id: 't', name: 'answer', input: { sql: 'SELECT 1' } }];
  expect(messageResult(answerOf({ content, stop_reason: 'tool_use' }), byTool)).toMatchObject({
    content: [{ type: 'text', text: '{"sql":"SELECT 1"}' }],
    finishReason: { unified: 'stop', raw: 'tool_use' },
  });
  expect(messageResult(answerOf({ content, stop_reason: 'tool_use' }), free).finishReason.unified).toBe('tool-calls');
});

test('input is all of it: the vendor counts the cache apart', () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 64, cache_creation_input_tokens: 26, output_tokens: 5 };
  expect(messageResult(answerOf({ usage }), free).usage).toEqual({
    inputTokens: 100,
    cachedInputTokens: 64,
    cacheWriteTokens: 26,
    outputTokens: 5,
  });
});

test('an answer that is no message says so', () => {
  for (const answer of ['<html>', {}, null])
    expect(() => messageResult(answer, free)).toThrow(expect.objectContaining({ code: 'MODEL_REQUEST_FAILED' }));
});

async function eventsOf(context: ResultContext, ...list: MessageEvent[]): Promise<StreamEvent[]> {
  async function* events(): AsyncGenerator<MessageEvent> {
    yield* list;
  }
  const collected: StreamEvent[] = [];
  for await (const event of messageStream(events(), context)) collected.push(event);
  return collected;
}
const toolStart: MessageEvent = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 't', name: 'answer', input: {} },
};
const json = (partial_json: string): MessageEvent => ({
  type: 'content_block_delta',
  index: 0,
  delta: { partial_json },
});
const stop = (stop_reason: string, usage?: MessageAnswer['usage']): MessageEvent => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});

test('the counts at the end go before those at the start; what they do not say is kept', async () => {
  const start = { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } };
  const events = await eventsOf(free, start, stop('end_turn', { output_tokens: 7, input_tokens: null }));
  expect(events.at(-1)).toMatchObject({ result: { usage: { inputTokens: 9, outputTokens: 7 } } });
});

test('arguments that were cut off are kept as text', async () => {
  const events = await eventsOf(free, toolStart, json('{"a":'), stop('max_tokens'));
  expect(events.at(-1)).toMatchObject({
    result: {
      content: [{ type: 'tool-call', id: 't', name: 'answer', invalidArguments: '{"a":' }],
      finishReason: { unified: 'length' },
    },
  });
});

test('a tool call without arguments has none', async () => {
  const events = await eventsOf(free, toolStart, stop('tool_use'));
  expect(events.at(-1)).toMatchObject({ result: { content: [{ type: 'tool-call', arguments: {} }] } });
});

test('an answer that comes by a tool streams as text', async () => {
  const events = await eventsOf(byTool, toolStart, json('{"sql":'), json('"SELECT 1"}'), stop('tool_use'));
  const deltas = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  const last = events.at(-1);
  expect(deltas).toBe('{"sql":"SELECT 1"}');
  expect(last?.type === 'finish' && textOf(last.result.content)).toBe(deltas);
});

test('without a stop reason there is no end', async () => {
  expect((await eventsOf(free, toolStart, json('{}'))).some((event) => event.type === 'finish')).toBe(false);
});
