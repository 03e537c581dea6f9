import { type StreamEvent, textOf } from '@askema/core';
import { expect } from 'vitest';
import type { StreamFault } from '../loopback/index.ts';
import {
  answering,
  eventsOf,
  expectEndAtDeadline,
  type ModelBench,
  type ModelCase,
  requestOf,
  resultOf,
  streamOf,
} from './model-bench.ts';

const WHOLE = {
  reasoning: 'Count the rows first.',
  text: 'There are twelve customers.',
  toolCalls: [{ id: 'toolu_1', name: 'execute_sql', arguments: { sql: 'SELECT count(*) FROM customer' } }],
  usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64, reasoningTokens: 8 },
};

const deltas = (events: readonly StreamEvent[], type: 'text-delta' | 'reasoning-delta') =>
  events.map((event) => (event.type === type ? event.text : '')).join('');

/** Reads the first delta of an answer that then breaks in the middle, and goes on reading. */
async function readBroken({ server, model }: ModelBench, fault: StreamFault): Promise<StreamEvent[]> {
  server.reply(answering({ text: 'There are twelve customers, and all of them are happy.' }, { fault }));
  return eventsOf(model, requestOf());
}

/** Streams: the same answer, piece by piece, and never half of it. */
export const STREAM_CASES = {
  /** A stream ends with the result that `generate` gives; its deltas add up to the text; each part comes whole. */
  async 'stream-equals-generate'({ server, model }) {
    server.reply(answering(WHOLE), answering(WHOLE));
    const events = await eventsOf(model, requestOf());
    const result = resultOf(events);
    expect(result).toEqual(await model.generate(requestOf()));
    expect(deltas(events, 'text-delta')).toBe(textOf(result.content));
    expect(deltas(events, 'reasoning-delta')).toBe(WHOLE.reasoning);
    expect(events.filter((event) => event.type === 'text-delta').length).toBeGreaterThan(1);
    expect(events.flatMap((event) => (event.type === 'part' ? [event.part] : []))).toEqual(result.content);
    expect(result.usage).toMatchObject(WHOLE.usage);
    expect(server.requests.map((request) => request.stream)).toEqual([true, false]);
  },

  /** Characters of several bytes that are cut in two on the wire stay whole. */
  async 'stream-unicode'({ server, model }) {
    const text = 'Zażółć 東京 🦊👩‍👩‍👧 ünïcode';
    server.reply(answering({ text }, { pieceBytes: 1 }));
    const events = await eventsOf(model, requestOf());
    expect(deltas(events, 'text-delta')).toBe(text);
    expect(textOf(resultOf(events).content)).toBe(text);
  },

  /** A refusal has its finish reason in a stream, too. */
  async 'stream-refusal'({ server, model }) {
    server.reply(answering({ text: 'I cannot help with that.', finish: 'refusal' }));
    expect(resultOf(await eventsOf(model, requestOf())).finishReason.unified).toBe('refusal');
  },

  /** A connection that breaks in the middle is an error that may be retried. */
  async 'stream-drop'(bench) {
    await expect(readBroken(bench, 'drop')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  },

  /** A stream that ends politely in the middle is the same. */
  async 'stream-cut'(bench) {
    await expect(readBroken(bench, 'end')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  },

  /** So is an error that the server reports in the middle. */
  async 'stream-error'(bench) {
    await expect(readBroken(bench, 'error')).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  },

  /** A stream that stops moving ends at the deadline. */
  async 'stream-deadline'(bench) {
    await expectEndAtDeadline(bench, (model) => readBroken({ ...bench, model }, 'hang'));
  },

  /** An abort in the middle stops the request on the wire. */
  async 'stream-abort'({ server, model }) {
    server.reply(answering({ text: 'There are twelve customers, and counting.' }, { fault: 'hang' }));
    const controller = new AbortController();
    const consume = async () => {
      for await (const event of streamOf(model, requestOf({ signal: controller.signal })))
        if (event.type === 'text-delta') controller.abort();
    };
    await expect(consume()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await server.requests[0]?.ended).toBe('cut');
  },

  /** A consumer that leaves early stops the request on the wire. */
  async 'stream-left-early'({ server, model }) {
    server.reply(answering({ text: 'There are twelve customers, and counting.' }, { fault: 'hang' }));
    for await (const event of streamOf(model, requestOf())) if (event.type === 'text-delta') break;
    expect(await server.requests[0]?.ended).toBe('cut');
  },

  /** An error response to a request for a stream is the same error as without. */
  async 'stream-rejected'({ server, model }) {
    server.reply({ kind: 'failure', failure: 'rate-limit', headers: { 'retry-after': '2' } });
    await expect(eventsOf(model, requestOf())).rejects.toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      retryable: true,
      details: { retryAfterMs: 2000 },
    });
  },
} satisfies Record<string, ModelCase>;
