import type { StreamEvent } from '@askema/core';
import { expect, test } from 'vitest';
import { settingsOf } from '../test-support/settings-of.ts';
import type { OutputItem, ResponsesAnswer } from './responses-answer.ts';
import { responsesResult } from './responses-result.ts';
import { type ResponsesEvent, responsesStream } from './responses-stream.ts';

const settings = settingsOf('gpt-6-luna');
const message = (text: string, phase?: string): OutputItem => ({
  type: 'message',
  id: 'msg_1',
  content: [{ type: 'output_text', text }],
  ...(phase === undefined ? {} : { phase }),
});
const resultOf = (answer: ResponsesAnswer) => responsesResult({ status: 'completed', ...answer }, settings, []);

test('what is said between tool calls is no answer, and goes back with its phase', () => {
  const commentary = message('I will look.', 'commentary');
  expect(resultOf({ output: [commentary, message('{"sql":""}', 'final_answer')] }).content).toEqual([
    { type: 'reasoning', text: 'I will look.', vendor: { provider: 'openai', data: commentary } },
    { type: 'text', text: '{"sql":""}' },
  ]);
});

test('items of a kind that we do not know are kept', () => {
  const item = { type: 'compaction', encrypted_content: 'x' };
  expect(resultOf({ output: [item] }).content).toEqual([
    { type: 'vendor', vendor: { provider: 'openai', data: item } },
  ]);
});

test('reasoning: the summary, or else the content of open models', () => {
  const textOfItem = (item: Omit<OutputItem, 'type'>) =>
    resultOf({ output: [{ type: 'reasoning', ...item }] }).content[0];
  expect(textOfItem({ summary: [{ text: 'a' }, { text: 'b' }] })).toMatchObject({ text: 'a\n\nb' });
  expect(textOfItem({ summary: [], content: [{ type: 'reasoning_text', text: 'c' }] })).toMatchObject({ text: 'c' });
});

test('a failed response is its failure; what is no response says so', () => {
  const failed = { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' }, output: [] };
  expect(() => resultOf(failed)).toThrow(
    expect.objectContaining({ failure: { vendorCodes: ['rate_limit_exceeded'], message: 'slow down' } }),
  );
  for (const answer of ['<html>', { choices: [] }, null])
    expect(() => responsesResult(answer, settings, [])).toThrow(
      expect.objectContaining({ code: 'MODEL_REQUEST_FAILED' }),
    );
});

async function eventsOf(...list: ResponsesEvent[]): Promise<StreamEvent[]> {
  async function* events(): AsyncGenerator<ResponsesEvent> {
    yield* list;
  }
  const collected: StreamEvent[] = [];
  for await (const event of responsesStream(events(), settings, [])) collected.push(event);
  return collected;
}

test('a last event without its output is completed from the items that came before', async () => {
  const events = await eventsOf(
    { type: 'response.output_item.done', output_index: 0, item: message('Twelve.') },
    { type: 'response.completed', response: { status: 'completed', output: [] } },
  );
  expect(events.at(-1)).toMatchObject({ type: 'finish', result: { content: [{ type: 'text', text: 'Twelve.' }] } });
});

test('deltas of commentary are no text, and parts of a summary are set apart', async () => {
  const delta = (type: string, text: string, summary_index = 0) => ({
    type,
    output_index: 0,
    summary_index,
    delta: text,
  });
  const summary = 'response.reasoning_summary_text.delta';
  const events = await eventsOf(
    { type: 'response.output_item.added', output_index: 0, item: message('', 'commentary') },
    delta('response.output_text.delta', 'I will look.'),
    { type: 'response.output_item.added', output_index: 1, item: { type: 'reasoning' } },
    delta(summary, 'a'),
    delta(summary, 'b', 1),
  );
  expect(events.map((event) => [event.type, 'text' in event && event.text])).toEqual([
    ['reasoning-delta', 'I will look.'],
    ['reasoning-delta', 'a'],
    ['reasoning-delta', '\n\n'],
    ['reasoning-delta', 'b'],
  ]);
});

test('an incomplete response ends a stream with its reason', async () => {
  const response = {
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [message('Twel')],
  };
  const events = await eventsOf({ type: 'response.incomplete', response });
  expect(events.at(-1)).toMatchObject({ result: { finishReason: { unified: 'length', raw: 'max_output_tokens' } } });
});
