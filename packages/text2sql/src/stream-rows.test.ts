import { type Outcome, type QueryResult, type Row, resolveAdapter } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from './create-text2sql.ts';
import { scriptedAdapter } from './fixtures/scripted-adapter.ts';
import { scriptedSolver } from './fixtures/scripted-solver.ts';
import type { Text2SqlOptions } from './text2sql-options.ts';

/** An adapter that yields batches of two rows without end, and counts what was asked of it. */
function endlessAdapter() {
  const seen = { batches: 0, stopped: 0, sent: [] as { readonly sql: string; readonly access: string }[] };
  const adapter = resolveAdapter({
    ...scriptedAdapter(() => []),
    executor: {
      async *execute(sql, { access, context }) {
        seen.sent.push({ sql, access });
        try {
          yield { type: 'columns', columns: [{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' }] };
          for (let n = 0n; ; n += 2n) {
            context.signal?.throwIfAborted();
            seen.batches += 1;
            yield { type: 'rows', rows: [[n], [n + 1n]] };
          }
        } finally {
          seen.stopped += 1;
        }
      },
    },
  });
  return { adapter, seen };
}

const open = (adapter: Text2SqlOptions['adapter'], more: Partial<Text2SqlOptions> = {}) =>
  createText2Sql({ adapter, model: scriptedSolver(['SELECT n FROM t']), ...more });

async function rowsOf(stream: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of stream) all.push(...rows);
  return all;
}

const outcome = (more: object): Outcome => ({ type: 'answered', sql: 'SELECT n FROM t', ...more }) as Outcome;
const result = (rows: readonly Row[], more: Partial<QueryResult> = {}): QueryResult => ({
  columns: [{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' }],
  rows,
  elapsedMs: 1,
  ...more,
});

describe('stream', () => {
  it('fetches a batch when it is asked for one, and stops the statement when the loop is left', async () => {
    const { adapter, seen } = endlessAdapter();
    const stream = await open(adapter).stream('SELECT n FROM t');
    expect(stream.columns).toEqual([{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' }]);
    expect(seen.batches).toBe(0);
    const taken: Row[] = [];
    for await (const rows of stream) {
      taken.push(...rows);
      expect(seen.batches).toBe(taken.length / 2);
      if (taken.length === 6) break;
    }
    expect(taken).toEqual([[0n], [1n], [2n], [3n], [4n], [5n]]);
    expect(seen).toMatchObject({ batches: 3, stopped: 1 });
    expect(stream.end).toBeUndefined();
  });

  it('a stream that nobody reads is stopped by `close`', async () => {
    const { adapter, seen } = endlessAdapter();
    const stream = await open(adapter).stream('SELECT n FROM t');
    await stream.close();
    expect(seen).toMatchObject({ batches: 0, stopped: 1 });
    expect(await rowsOf(stream)).toEqual([]);
  });

  it('holds to the caps that are asked for, and says so', async () => {
    const { adapter, seen } = endlessAdapter();
    const stream = await open(adapter).stream('SELECT n FROM t', { maxRows: 5 });
    expect(await rowsOf(stream)).toHaveLength(5);
    expect(stream.end).toMatchObject({ truncated: 'rows' });
    expect(seen.stopped).toBe(1);
    await expect(open(adapter).stream('SELECT n FROM t', { maxRows: 0 })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it('is not cut where a question would be, and only reads, also where writing is granted', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n): Row => [n]);
    const adapter = scriptedAdapter(() => rows, { access: 'write' });
    const stream = await open(adapter, { access: 'write', maxRows: 10 }).stream('SELECT n FROM t');
    expect(await rowsOf(stream)).toHaveLength(12_000);
    expect(stream.end?.truncated).toBeUndefined();
    expect(adapter.sent).toMatchObject([{ access: 'read' }]);
  });

  it('runs the statement of an outcome that was cut, from its first row', async () => {
    const adapter = scriptedAdapter(() => [[1], [2], [3]]);
    const store = open(adapter, { maxRows: 2 });
    const cut = await store.ask('Which?');
    expect(cut).toMatchObject({ result: { rows: [[1], [2]], truncated: 'rows' } });
    expect(await rowsOf(await store.stream(cut))).toEqual([[1], [2], [3]]);
    expect(adapter.sent.map(({ sql }) => sql)).toEqual(['SELECT n FROM t', 'SELECT n FROM t']);
  });

  it('hands over what an outcome holds, and runs nothing', async () => {
    const { adapter, seen } = endlessAdapter();
    const store = open(adapter);
    expect(await rowsOf(await store.stream(outcome({ result: result([[1], [2]]) })))).toEqual([[1], [2]]);
    const first = await store.stream(outcome({ result: result([[1], [2]], { truncated: 'rows' }) }), { maxRows: 2 });
    expect(await rowsOf(first)).toEqual([[1], [2]]);
    expect(first.end).toMatchObject({ truncated: 'rows' });
    expect(seen.sent).toEqual([]);
  });

  it('refuses an outcome without rows and an empty statement', async () => {
    const { adapter, seen } = endlessAdapter();
    const store = open(adapter);
    const refused = { type: 'refused', reason: 'no' } as Outcome;
    await expect(store.stream(refused)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('"refused"'),
    });
    await expect(store.stream(' \n')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(seen.sent).toEqual([]);
  });

  it('ends when the caller aborts, and begins nothing in a store that is closed', async () => {
    const { adapter, seen } = endlessAdapter();
    const controller = new AbortController();
    const store = open(adapter);
    const stream = await store.stream('SELECT n FROM t', { signal: controller.signal });
    const reading = (async () => {
      for await (const rows of stream) if (rows.length > 0) controller.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    expect(seen).toMatchObject({ batches: 1, stopped: 1 });
    await store.close();
    await expect(store.stream('SELECT n FROM t')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
    expect(seen.sent).toHaveLength(1);
  });
});
