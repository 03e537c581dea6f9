import { createCallContext } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf } from './adapter-bench.ts';

/** Many at a time, and closing. */
export const CONCURRENCY_CASES = {
  'concurrent-queries': {
    title: 'Forty queries at a time, each with its own answer.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const asked = Array.from({ length: 40 }, (_, index) => adapter.query(`SELECT ${index} AS n`));
      const answers = await Promise.all(asked);
      expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(answers.map((_, index) => index));
    },
  },

  'slow-beside-quick': {
    title: 'A slow query does not hold up a quick one.',
    needs: 'parallel statements',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const controller = new AbortController();
      const context = createCallContext({ signal: controller.signal });
      const slow = errorOf(adapter.query(bench.statements.endless, { timeoutMs: 20_000, context }));
      slow.catch(() => undefined);
      expect(await rows('SELECT 1')).toEqual([[1]]);
      controller.abort();
      expect((await slow).code).toBe('ABORTED');
    },
  },

  'event-loop': {
    title: "The caller's event loop goes on while the engine works.",
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      await rows('SELECT 1');
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }, 10);
      await errorOf(adapter.query(bench.statements.heavy, { timeoutMs: 1_500 }));
      clearInterval(timer);
      // Blocked, it would stand still for all of the 1,500.
      expect(longest).toBeLessThan(1_200);
    },
  },

  'close-twice': {
    title: 'Closing twice is allowed, also at the same time.',
    async run(bench) {
      const { adapter, spec, rows } = await bench.openOwn('shop');
      await rows('SELECT 1');
      await Promise.all([spec.close(), spec.close(), adapter.close()]);
      await spec.close();
    },
  },

  'close-unused': {
    title: 'An adapter that was never used can be closed.',
    async run(bench) {
      const { spec } = await bench.openOwn('shop');
      await spec.close();
    },
  },

  'close-while-running': {
    title: 'Closing stops what runs, within a bounded time.',
    async run(bench) {
      const { adapter, spec, rows } = await bench.openOwn('shop');
      await rows('SELECT 1');
      const running = errorOf(adapter.query(bench.statements.endless, { timeoutMs: 20_000 }));
      setTimeout(() => spec.close().catch(() => undefined), 100);
      const started = performance.now();
      expect(['DATABASE_CLOSED', 'ABORTED']).toContain((await running).code);
      await spec.close();
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  },

  'close-then-query': {
    title: 'A closed adapter says that it is closed.',
    async run(bench) {
      const { adapter, spec } = await bench.openOwn('shop');
      await spec.close();
      expect((await errorOf(adapter.query('SELECT 1'))).code).toBe('DATABASE_CLOSED');
    },
  },
} satisfies Record<string, AdapterCase>;
