import { createCallContext, type ResultEvent } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf, executeOptions } from './adapter-bench.ts';

/** Generous, because machines of CI are slow; what cannot be stopped goes on for ever. */
const SLACK_MS = 8_000;

/** Takes everything, and says how many rows there were. */
async function drain(events: AsyncIterable<ResultEvent>, onRows: () => void = () => undefined) {
  let rows = 0;
  let end: ResultEvent | undefined;
  for await (const event of events) {
    if (event.type === 'rows') {
      rows += event.rows.length;
      onRows();
    } else if (event.type === 'end') end = event;
  }
  return { rows, end };
}

/** What happens while rows are on their way. */
export const STREAMING_CASES = {
  'cap-bytes-streaming': {
    title: 'Bytes are counted over the whole result, not batch by batch.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const wide = `SELECT '${'y'.repeat(1_000)}' AS y, x FROM (${bench.statements.endlessRows}) AS endless`;
      const options = executeOptions({ maxRows: 1e9, maxBytes: 5_000_000 });
      const { rows, end } = await drain(spec.executor.execute(wide, options));
      expect(end).toMatchObject({ type: 'end', truncated: 'bytes' });
      // A row is sized as the adapter sizes it: at least its text, at most twice that.
      expect(rows).toBeGreaterThan(2_400);
      expect(rows).toBeLessThanOrEqual(5_000);
    },
  },

  'deadline-streaming': {
    title: 'The deadline holds while rows are handed over, too.',
    async run(bench) {
      const { spec, rows } = await bench.open('shop');
      const options = executeOptions({ maxRows: 1e12, maxBytes: 1e15, timeoutMs: 300 });
      const started = performance.now();
      const error = await errorOf(drain(spec.executor.execute(bench.statements.endlessRows, options)));
      expect(error.code).toBe('QUERY_TIMEOUT');
      expect(performance.now() - started).toBeLessThan(300 + SLACK_MS);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'abort-streaming': {
    title: 'An abort in the middle of the rows stops them.',
    async run(bench) {
      const { spec, rows } = await bench.open('shop');
      const controller = new AbortController();
      const context = createCallContext({ signal: controller.signal });
      const options = executeOptions({ maxRows: 1e12, maxBytes: 1e15, timeoutMs: 20_000, context });
      const stream = spec.executor.execute(bench.statements.endlessRows, options);
      const started = performance.now();
      expect(await errorOf(drain(stream, () => controller.abort()))).toMatchObject({ code: 'ABORTED' });
      expect(performance.now() - started).toBeLessThan(SLACK_MS);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'streams-side-by-side': {
    title: 'Ten results at a time, each with its own rows and caps.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          drain(spec.executor.execute(bench.statements.rows(200 + index), executeOptions({ maxRows: 205 }))),
        ),
      );
      expect(results.map(({ rows }) => rows)).toEqual([200, 201, 202, 203, 204, 205, 205, 205, 205, 205]);
      expect(results.map(({ end }) => end?.type === 'end' && end.truncated === 'rows')).toEqual(
        results.map((_, index) => index > 5),
      );
    },
  },

  'tags-hostile': {
    title: 'Tags of a call reach the engine as data, whatever is in them, and change no answer.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const tags = { run: "x'; DROP TABLE customer; --", note: '*/ SELECT 2 /* "größe" \n' };
      const { rows } = await adapter.scope({ tags }).query('SELECT 1');
      expect(rows).toEqual([[1]]);
    },
  },
} satisfies Record<string, AdapterCase>;
