import { type StreamEvent, textOf } from '@askema/core';
import { expect, test } from 'vitest';
import { settingsOf } from '../test-support/settings-of.ts';
import { type ChatChunk, chatStream } from './chat-stream.ts';

const settings = settingsOf('qwen3:8b', { baseURL: 'http://127.0.0.1:11434/v1' });
type Delta = NonNullable<ChatChunk['choices']>[number]['delta'];

async function eventsOf(deltas: readonly Delta[], last: ChatChunk[] = [{ choices: [{ finish_reason: 'stop' }] }]) {
  async function* chunks(): AsyncGenerator<ChatChunk> {
    for (const delta of deltas) yield { choices: [{ delta }] };
    yield* last;
  }
  const events: StreamEvent[] = [];
  for await (const event of chatStream(chunks(), settings, [])) events.push(event);
  return events;
}
const resultOf = (events: readonly StreamEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'finish' ? last.result : undefined;
};

test('without a finish reason there is no end', async () => {
  expect(resultOf(await eventsOf([{ content: 'Twel' }], []))).toBeUndefined();
  expect(resultOf(await eventsOf([{ content: 'Twelve.' }]))).toMatchObject({ finishReason: { raw: 'stop' } });
});

test('usage comes after the finish reason', async () => {
  const last = [{ choices: [{ finish_reason: 'stop' }] }, { choices: [], usage: { prompt_tokens: 7 } }];
  expect(resultOf(await eventsOf([{ content: 'x' }], last))?.usage).toEqual({ inputTokens: 7 });
});

test('tool calls in pieces, side by side', async () => {
  const piece = (index: number, text: string, id?: string) => ({
    tool_calls: [
      {
        index,
        ...(id === undefined ? {} : { id }),
        function: { arguments: text, ...(id ? { name: `f${index}` } : {}) },
      },
    ],
  });
  const events = await eventsOf([piece(0, '{"a"', 'x'), piece(1, '{}', 'y'), piece(0, ':1}')]);
  expect(resultOf(events)?.content).toEqual([
    { type: 'tool-call', id: 'x', name: 'f0', arguments: { a: 1 } },
    { type: 'tool-call', id: 'y', name: 'f1', arguments: {} },
  ]);
});

test('tool calls without an index are whole, each under its own id', async () => {
  const whole = (id: string) => ({ tool_calls: [{ id, function: { name: 'run', arguments: '{}' } }] });
  const events = await eventsOf([whole('x'), whole('y')]);
  expect(resultOf(events)?.content.map((part) => part.type === 'tool-call' && part.id)).toEqual(['x', 'y']);
});

test('reasoning that is sent by two names at once is there once', async () => {
  const events = await eventsOf([{ reasoning: 'hm', reasoning_content: 'hm' }, { content: 'Twelve.' }]);
  expect(events.filter((event) => event.type === 'reasoning-delta')).toHaveLength(1);
  expect(resultOf(events)?.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
});

test('reasoning inside the text is told apart while it streams', async () => {
  const events = await eventsOf(['<th', 'ink>h', 'm</th', 'ink>\n', 'Twelve.'].map((content) => ({ content })));
  const sum = (type: string) =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
  expect([sum('reasoning-delta'), sum('text-delta')]).toEqual(['hm', 'Twelve.']);
  expect(textOf(resultOf(events)?.content ?? [])).toBe('Twelve.');
});
