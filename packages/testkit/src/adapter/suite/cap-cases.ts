import { type AdapterSpec, createCallContext, type ExecuteOptions } from '@askema/core';
import { expect } from 'vitest';
import { TEXTS } from '../fixture/values.ts';
import { type AdapterCase, errorOf, eventsOf, executeOptions } from './adapter-bench.ts';

/** Generous, because machines of CI are slow; a query that cannot be stopped takes far longer. */
const SLACK_MS = 8_000;

/** What the adapter's own executor gives; `Adapter.query` would cut once more. */
async function resultOf({ executor }: AdapterSpec, sql: string, options: Partial<ExecuteOptions>) {
  const events = await eventsOf(executor.execute(sql, executeOptions(options)));
  const rows = events.reduce((count, event) => count + (event.type === 'rows' ? event.rows.length : 0), 0);
  const end = events.at(-1);
  return { rows, truncated: end?.type === 'end' ? end.truncated : 'no end' };
}

/** Caps, deadlines and aborts. */
export const CAP_CASES = {
  'events-order': {
    title: '`columns` once, `rows` any number of times, `end` once.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const options = executeOptions({ maxRows: 5_000 });
      const events = await eventsOf(spec.executor.execute(bench.statements.rows(3_000), options));
      expect(events[0]?.type).toBe('columns');
      expect(events.at(-1)).toMatchObject({ type: 'end' });
      expect(events.slice(1, -1).every(({ type }) => type === 'rows')).toBe(true);
      const rows = events.flatMap((event) => (event.type === 'rows' ? event.rows : []));
      expect(rows).toEqual(Array.from({ length: 3_000 }, (_, index) => [index + 1]));
    },
  },

  'events-empty': {
    title: 'A result without rows has its columns and its end.',
    async run(bench) {
      const { spec, table } = await bench.open('shop');
      const events = await eventsOf(spec.executor.execute(`SELECT * FROM ${table('coupon')}`, executeOptions()));
      expect(events.map(({ type }) => type)).toEqual(['columns', 'end']);
    },
  },

  'cap-rows': {
    title: 'The row cap cuts, says so, and does not say so when the result just fits.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const run = (count: number) => resultOf(spec, bench.statements.rows(count), { maxRows: 10 });
      expect(await run(11)).toEqual({ rows: 10, truncated: 'rows' });
      expect(await run(10)).toEqual({ rows: 10, truncated: undefined });
    },
  },

  'cap-rows-endless': {
    title: 'A result without end is cut as well, at once.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const result = await resultOf(spec, bench.statements.endlessRows, { maxRows: 2_500 });
      expect(result).toEqual({ rows: 2_500, truncated: 'rows' });
    },
  },

  'cap-bytes': {
    title: 'The byte cap cuts between rows.',
    async run(bench) {
      const { spec, table, column } = await bench.open('values');
      const sql = `SELECT ${column('v')} FROM ${table('texts')} ORDER BY ${column('id')}`;
      // All texts but the last one are short; then comes a NULL.
      const cut = await resultOf(spec, sql, { maxBytes: 10_000 });
      expect(cut).toEqual({ rows: TEXTS.length - 1, truncated: 'bytes' });
      const whole = await resultOf(spec, sql, { maxBytes: 1_000_000 });
      expect(whole).toEqual({ rows: TEXTS.length + 1, truncated: undefined });
    },
  },

  'cap-bytes-one-cell': {
    title: 'A cell that is larger than the cap is not handed over.',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const result = await resultOf(spec, bench.statements.text(5_000_000), { maxBytes: 1_000_000 });
      expect(result).toEqual({ rows: 0, truncated: 'bytes' });
    },
  },

  deadline: {
    title: 'The deadline stops a query that works for ever, and the next one is answered.',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      await rows('SELECT 1');
      const started = performance.now();
      const error = await errorOf(adapter.query(bench.statements.endless, { timeoutMs: 300 }));
      expect(error).toMatchObject({ code: 'QUERY_TIMEOUT', details: { errorClass: 'timeout' } });
      expect(error.message).toContain('300');
      expect(performance.now() - started).toBeLessThan(300 + SLACK_MS);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'deadline-heavy': {
    title: 'Also one that is no loop, only far too much.',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const started = performance.now();
      const error = await errorOf(adapter.query(bench.statements.heavy, { timeoutMs: 300 }));
      expect(error.code).toBe('QUERY_TIMEOUT');
      expect(performance.now() - started).toBeLessThan(300 + SLACK_MS);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  abort: {
    title: "The caller's abort is no timeout.",
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      await rows('SELECT 1');
      const controller = new AbortController();
      const context = createCallContext({ signal: controller.signal });
      const promise = adapter.query(bench.statements.endless, { timeoutMs: 20_000, context });
      setTimeout(() => controller.abort(), 100);
      const started = performance.now();
      expect(await errorOf(promise)).toMatchObject({ code: 'ABORTED', retryable: false });
      expect(performance.now() - started).toBeLessThan(SLACK_MS);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'abort-before': {
    title: 'A call that was aborted before it began does nothing.',
    async run(bench) {
      const { adapter, spec } = await bench.open('shop');
      const context = createCallContext({ signal: AbortSignal.abort() });
      expect((await errorOf(adapter.query('SELECT 1', { context }))).code).toBe('ABORTED');
      const events = eventsOf(spec.executor.execute('SELECT 1', executeOptions({ context })));
      expect((await errorOf(events)).code).toBe('ABORTED');
    },
  },

  'early-return': {
    title: 'Leaving the iteration early stops the query, and frees what it held.',
    async run(bench) {
      const { spec, rows } = await bench.open('shop');
      for (let round = 0; round < 10; round += 1) {
        const seen: string[] = [];
        const events = spec.executor.execute(bench.statements.endlessRows, executeOptions({ maxRows: 1e9 }));
        for await (const event of events) {
          seen.push(event.type);
          if (event.type === 'rows') break;
        }
        expect(seen).toEqual(['columns', 'rows']);
      }
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  backpressure: {
    title: 'A consumer that takes its time does not make the adapter collect the result in memory.',
    needs: 'unfinished results',
    async run(bench) {
      const { spec } = await bench.open('shop');
      const wide = `SELECT '${'y'.repeat(4_000)}', x FROM (${bench.statements.endlessRows}) AS endless`;
      const started = async (timeoutMs: number) => {
        const options = executeOptions({ maxRows: 1e9, maxBytes: 1e12, timeoutMs });
        const iterator = spec.executor.execute(wide, options)[Symbol.asyncIterator]();
        await iterator.next();
        await iterator.next();
        return { timeoutMs, iterator };
      };
      // A machine that does much at once may need more than a second for the first rows.
      const { timeoutMs, iterator } = await started(1_000).catch(() => started(10_000));
      const before = process.memoryUsage.rss();
      // Longer than the deadline: it counts although nobody asks for more.
      await new Promise((resolve) => setTimeout(resolve, timeoutMs + 300));
      expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
      const drained = async (): Promise<void> => {
        while ((await iterator.next()).done !== true);
      };
      expect((await errorOf(drained())).code).toBe('QUERY_TIMEOUT');
    },
  },
} satisfies Record<string, AdapterCase>;
