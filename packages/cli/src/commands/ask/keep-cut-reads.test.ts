import {
  type Adapter,
  AskemaError,
  createCallContext,
  type ExecuteOptions,
  type ResultEvent,
  type Row,
  resolveAdapter,
} from '@askema/core';
import { fixtureSpec } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { keepCutReads } from './keep-cut-reads.ts';

const COLUMNS = [{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' as const }];

/** An adapter whose statement `count N` gives N rows, four a batch; it knows what ran and what is open. */
function countingAdapter(fails: (n: number) => AskemaError | undefined = () => undefined) {
  const ran: { readonly sql: string; readonly maxRows: number }[] = [];
  const open = new Set<string>();
  async function* execute(sql: string, { maxRows }: ExecuteOptions): AsyncGenerator<ResultEvent> {
    ran.push({ sql, maxRows });
    open.add(sql);
    try {
      yield { type: 'columns', columns: COLUMNS };
      const all = Math.min(Number(sql.split(' ')[1]), maxRows);
      for (let n = 0; n < all; n += 4) {
        const error = fails(n);
        if (error !== undefined) throw error;
        yield { type: 'rows', rows: Array.from({ length: Math.min(4, all - n) }, (_, index) => [n + index]) };
      }
      yield { type: 'end', truncated: Number(sql.split(' ')[1]) > maxRows ? 'rows' : undefined };
    } finally {
      open.delete(sql);
    }
  }
  return { adapter: resolveAdapter(fixtureSpec(execute)), ran, open };
}

const keep = (adapter: Adapter, streamedRows?: number, signal = new AbortController().signal): Adapter =>
  keepCutReads(adapter, { maxRows: 6, streamedRows, signal });

async function streamed(adapter: Adapter, sql: string): Promise<readonly [number, unknown]> {
  const stream = await adapter.stream(sql);
  const rows: Row[] = [];
  for await (const batch of stream) rows.push(...batch);
  expect(rows).toEqual(rows.map((_, index) => [index]));
  return [rows.length, stream.end?.truncated];
}

describe('keepCutReads', () => {
  it('goes on behind the rows that were shown, and runs the statement once', async () => {
    const { adapter, ran, open } = countingAdapter();
    const kept = keep(adapter);
    const shown = await kept.query('count 30', { maxRows: 6 });
    expect(shown).toMatchObject({ columns: COLUMNS, truncated: 'rows' });
    expect(shown.rows).toEqual([[0], [1], [2], [3], [4], [5]]);
    expect(await streamed(kept, 'count 30')).toEqual([30, undefined]);
    expect(ran).toHaveLength(1);
    expect(open.size).toBe(0);
  });

  it('holds to the cap of all rows', async () => {
    const { adapter, ran } = countingAdapter();
    const kept = keep(adapter, 9);
    await kept.query('count 30', { maxRows: 6 });
    expect(await streamed(kept, 'count 30')).toEqual([9, 'rows']);
    expect(ran).toEqual([{ sql: 'count 30', maxRows: 9 }]);
  });

  it('keeps nothing of a result that is whole, and cuts by bytes as well', async () => {
    const { adapter, open } = countingAdapter();
    const kept = keep(adapter);
    const whole = await kept.query('count 6', { maxRows: 6 });
    expect(whole.rows).toHaveLength(6);
    expect(whole.truncated).toBeUndefined();
    expect(open.size).toBe(0);
    const cut = await kept.query('count 6', { maxRows: 6, maxBytes: 20 });
    expect(cut).toMatchObject({ rows: [[0], [1]], truncated: 'bytes' });
    expect(await streamed(kept, 'count 6')).toEqual([6, undefined]);
  });

  it('leaving the loop ends the statement', async () => {
    const { adapter, open } = countingAdapter();
    const kept = keep(adapter);
    await kept.query('count 30', { maxRows: 6 });
    expect(open.size).toBe(1);
    for await (const rows of await kept.stream('count 30')) {
      expect(rows).toHaveLength(6);
      break;
    }
    expect(open.size).toBe(0);
  });

  it('the next query, another statement, samples and plans end it', async () => {
    const { adapter, open } = countingAdapter();
    const kept = keep(adapter);
    const context = createCallContext();
    const others: readonly (() => Promise<unknown>)[] = [
      () => kept.query('count 3', { maxRows: 1 }),
      () => streamed(kept, 'count 3'),
      () => kept.planner.check('count 3', { timeoutMs: 1_000, context }),
    ];
    for (const other of others) {
      await kept.query('count 30', { maxRows: 6 });
      await other();
      expect([...open]).toEqual([]);
    }
  });

  it('is not kept while another query waits for a connection', async () => {
    const { adapter, open } = countingAdapter();
    const kept = keep(adapter);
    await Promise.all([kept.query('count 30', { maxRows: 6 }), kept.query('count 40', { maxRows: 6 })]);
    expect(open.size).toBeLessThanOrEqual(1);
    expect(await streamed(kept, 'count 30')).toEqual([30, undefined]);
    expect(open.size).toBe(0);
  });

  it('runs anew what was stopped while it was kept', async () => {
    let failures = 1;
    const { adapter, ran } = countingAdapter((n) => {
      if (n < 8 || failures === 0) return undefined;
      failures -= 1;
      return new AskemaError('QUERY_TIMEOUT', 'stopped');
    });
    const kept = keep(adapter);
    await kept.query('count 30', { maxRows: 6 });
    expect(await streamed(kept, 'count 30')).toEqual([30, undefined]);
    expect(ran).toHaveLength(2);
  });

  it("is stopped by the signal of its step while it runs, and by the command's from then on", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { adapter } = countingAdapter();
    const stream: Adapter['stream'] = (sql, options) => {
      signals.push(options?.context?.signal);
      if (sql === 'count 3') step.abort();
      return adapter.stream(sql, options);
    };
    const command = new AbortController();
    let step = new AbortController();
    const kept = keep({ ...adapter, stream }, undefined, command.signal);
    const query = (sql: string) => kept.query(sql, { maxRows: 6, context: createCallContext({ signal: step.signal }) });
    await query('count 30');
    step.abort();
    expect(signals[0]?.aborted).toBe(false);
    command.abort();
    expect(signals[0]?.aborted).toBe(true);
    step = new AbortController();
    await expect(query('count 3')).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
