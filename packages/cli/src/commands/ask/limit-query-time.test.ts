import { type Adapter, AskemaError, type Outcome, type QueryOptions, type QueryResult } from '@askema/core';
import { describe, expect, it, vi } from 'vitest';
import { limitQueryTime } from './limit-query-time.ts';

const RESULT: QueryResult = { columns: [], rows: [], elapsedMs: 0 };

/** An adapter whose statements take so long each, and time out as real ones do. The clock is faked. */
function slowAdapter(durations: readonly number[]) {
  const limits: (number | undefined)[] = [];
  const query = async (_: string, options: QueryOptions = {}) => {
    const duration = durations[limits.length] ?? 0;
    limits.push(options.timeoutMs);
    const limit = options.timeoutMs ?? Number.POSITIVE_INFINITY;
    vi.advanceTimersByTime(Math.min(duration, limit));
    if (duration > limit) throw new AskemaError('QUERY_TIMEOUT', 'stopped');
    return RESULT;
  };
  return { adapter: { query } as unknown as Adapter, limits };
}

describe('limitQueryTime', () => {
  it('gives all statements one time limit, and each no more than it asks for', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    try {
      const { adapter, limits } = slowAdapter([600, 300, 5_000]);
      const limited = limitQueryTime(adapter, 1_000);
      await limited.adapter.query('SELECT 1');
      await limited.adapter.query('SELECT 2', { timeoutMs: 350 });
      await expect(limited.adapter.query('SELECT 3', { timeoutMs: 9_000 })).rejects.toMatchObject({
        code: 'BUDGET_EXCEEDED',
        message: expect.stringMatching(/1\.0 s together.*--timeout/),
      });
      expect(limits).toEqual([1_000, 350, 100]);
      await expect(limited.adapter.query('SELECT 4')).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
      expect(limits).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('leaves a time limit of its own and other errors to the caller', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    try {
      const { adapter } = slowAdapter([500]);
      const limited = limitQueryTime(adapter, 1_000);
      await expect(limited.adapter.query('SELECT 1', { timeoutMs: 100 })).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it('tells its own end as a timeout, and leaves other budgets alone', () => {
    const { explain } = limitQueryTime(slowAdapter([]).adapter, 1_000);
    const base = {
      question: 'q',
      runId: 'r',
      candidates: [],
      usage: {},
      calls: 1,
      executions: 1,
      elapsedMs: 1,
      warnings: [],
    };
    const own = new AskemaError('BUDGET_EXCEEDED', 'm', { details: { queryTimeLimitMs: 1_000 } }).toJSON();
    expect(explain({ ...base, type: 'budgetExceeded', error: own })).toMatchObject({
      type: 'failed',
      error: { code: 'QUERY_TIMEOUT' },
    });
    const other: Outcome = { ...base, type: 'budgetExceeded', error: new AskemaError('BUDGET_EXCEEDED', 'm').toJSON() };
    expect(explain(other)).toBe(other);
  });
});
