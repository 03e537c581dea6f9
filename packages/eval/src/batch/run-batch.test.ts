import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AskemaError, inProcessRunner, memoryJournal } from '@askema/core';
import { afterEach, describe, expect, it } from 'vitest';
import type { BatchOptions, BatchProgress, BatchResult } from './batch-options.ts';
import { readBatch, runBatch } from './run-batch.ts';

const folders: string[] = [];
afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

function folder(): string {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-batch-'));
  folders.push(root);
  return root;
}

const items = (count: number) => Array.from({ length: count }, (_, input) => ({ id: `i${input}`, input }));

async function resultsOf<Output>(out: string): Promise<BatchResult<Output>[]> {
  const all: BatchResult<Output>[] = [];
  for await (const result of readBatch<Output>(out)) all.push(result);
  return all;
}

describe('runBatch', () => {
  it('does each item once over any number of starts, and gives outputs back exactly', async () => {
    const out = folder();
    const done: number[] = [];
    const work = async (input: number) => {
      done.push(input);
      return { big: 2n ** 60n + BigInt(input), bytes: new Uint8Array([input]), none: undefined };
    };
    await runBatch({ items: items(2), work, out });
    const summary = await runBatch({ items: items(4), work, out, concurrency: 2 });
    expect(done).toEqual([0, 1, 2, 3]);
    expect(summary).toMatchObject({ total: 4, done: 4, failed: 0, unfinished: 0 });
    expect((await resultsOf(out)).map(({ id, output }) => [id, output])).toEqual(
      done.map((input) => [
        `i${input}`,
        { big: 2n ** 60n + BigInt(input), bytes: new Uint8Array([input]), none: undefined },
      ]),
    );
  });

  it('one bad item never ends it, whatever is bad; a later start does it again when told to', async () => {
    const out = folder();
    let broken = true;
    const seen: [number, number, string][] = [];
    const options: BatchOptions<number, unknown> = {
      items: items(4),
      out,
      work: async (input, { attempt, runId }) => {
        seen.push([input, attempt, runId]);
        if (broken && input === 1) throw new AskemaError('MODEL_UNAVAILABLE', 'down');
        if (broken && input === 2) return () => 'a function cannot be stored';
        return input;
      },
    };
    const first = await runBatch(options);
    expect(first).toMatchObject({ done: 2, failed: 2, unfinished: 0 });
    expect(first.failures.map(({ id, error }) => [id, error.code])).toEqual([
      ['i1', 'MODEL_UNAVAILABLE'],
      ['i2', 'INPUT_INVALID'],
    ]);
    broken = false;
    expect(await runBatch(options)).toMatchObject({ failed: 2 });
    expect(await runBatch({ ...options, retryFailed: true })).toMatchObject({ done: 4, failed: 0 });
    expect(seen.map(([input, attempt]) => [input, attempt])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [1, 2],
      [2, 2],
    ]);
    expect(new Set(seen.map(([, , runId]) => runId)).size).toBe(6);
  });

  it('ends at its budget, counts what earlier starts and attempts paid, and goes on with a larger one', async () => {
    const out = folder();
    const done: number[] = [];
    const options: BatchOptions<number, number> = {
      items: items(6),
      out,
      work: async (input) => {
        done.push(input);
        return input;
      },
      costOf: () => 0.5,
    };
    expect(await runBatch({ ...options, budgetUsd: 1 })).toMatchObject({ done: 2, unfinished: 4, stopped: 'budget' });
    expect(await runBatch({ ...options, budgetUsd: 1 })).toMatchObject({ done: 2, stopped: 'budget', spentUsd: 1 });
    expect(await runBatch({ ...options, budgetUsd: 2 })).toMatchObject({ done: 4, stopped: 'budget', spentUsd: 2 });
    const last = await runBatch({ ...options, budgetUsd: 3 });
    expect(last).toMatchObject({ done: 6, unfinished: 0, spentUsd: 3 });
    expect(last.stopped).toBeUndefined();
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('stops on the signal without recording what was under way, and says how far it is', async () => {
    const out = folder();
    const controller = new AbortController();
    const progress: BatchProgress<number>[] = [];
    const summary = await runBatch({
      items: items(4),
      out,
      signal: controller.signal,
      onProgress: (event) => progress.push(event),
      work: async (input: number) => {
        if (input === 2) controller.abort();
        return input;
      },
    });
    expect(summary).toMatchObject({ done: 2, unfinished: 2, stopped: 'signal' });
    expect(progress.map(({ finished, total }) => [finished, total])).toEqual([
      [0, 4],
      [1, 4],
      [2, 4],
    ]);
    expect(progress[0]?.remainingMs).toBeUndefined();
    expect(progress[2]?.remainingMs).toBeGreaterThanOrEqual(0);
    expect((await resultsOf(out)).map(({ id }) => id)).toEqual(['i0', 'i1']);
    expect(JSON.parse(readFileSync(path.join(out, 'summary.json'), 'utf8'))).toMatchObject({ stopped: 'signal' });
  });

  it('a runner that remembers gives the results of before to another folder that shares its run', async () => {
    const journal = memoryJournal();
    const done: number[] = [];
    const options: Omit<BatchOptions<number, number>, 'out'> = {
      items: items(3),
      work: async (input) => {
        done.push(input);
        return input * 2;
      },
      runner: (jobs) => inProcessRunner({ jobs, journal }),
    };
    const [first, second] = [folder(), folder()];
    await runBatch({ ...options, out: first });
    const summary = await runBatch({ ...options, out: second });
    expect(done).toEqual([0, 1, 2]);
    expect(summary).toMatchObject({ done: 3 });
    expect(await resultsOf(second)).toEqual(await resultsOf(first));
    await runBatch({ ...options, out: folder(), runId: 'another' });
    expect(done).toHaveLength(6);
  });

  it('a job that dies is a failed item; a queue that is gone ends the run, and nothing is lost', async () => {
    const out = folder();
    const work = async (input: number) => input;
    const dying: BatchOptions<number, number> = {
      items: items(3),
      work,
      out,
      runner: async (jobs) => {
        const inner = await inProcessRunner({ jobs });
        return {
          ...inner,
          enqueue: (async (name, input, { id }) => {
            if (id.endsWith('-i1')) return { id, result: Promise.reject(new Error('the worker died')) };
            return inner.enqueue(name, input, { id });
          }) as typeof inner.enqueue,
        };
      },
    };
    const summary = await runBatch(dying);
    expect(summary).toMatchObject({ done: 2, failed: 1 });
    expect(summary.failures[0]?.error.message).toContain('the worker died');

    const gone: BatchOptions<number, number> = {
      items: items(9),
      work,
      out,
      runner: async (jobs) => {
        const inner = await inProcessRunner({ jobs });
        return {
          ...inner,
          enqueue: (async (name, input, { id }) => {
            if (id.endsWith('-i5')) throw new AskemaError('INPUT_INVALID', 'no queue');
            return inner.enqueue(name, input, { id });
          }) as typeof inner.enqueue,
        };
      },
    };
    await expect(runBatch(gone)).rejects.toThrow('no queue');
    expect((await resultsOf(out)).map(({ id }) => id)).toEqual(expect.arrayContaining(['i3', 'i4']));
  });

  it('refuses what makes no sense before anything is done', async () => {
    const work = async (input: number) => input;
    const twice = [...items(1), ...items(1)];
    const out = path.join(folder(), 'out');
    const refused = (wrong: object) => expect(runBatch({ items: items(2), work, out, ...wrong })).rejects;
    await refused({ items: twice }).toMatchObject({ code: 'INPUT_INVALID' });
    for (const wrong of [
      { concurrency: 0 },
      { budgetUsd: 1 },
      { budgetUsd: -1, costOf: () => 1 },
      { runId: 'a/b' },
      { shard: { index: 3, of: 2 } },
      { shard: { index: 1.5, of: 2 } },
    ])
      await refused(wrong).toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(resultsOf(out)).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
  });
});
