import { AskemaError, type JobContext } from '@askema/core';
import { expect } from 'vitest';
import { gates, type RunnerCase } from './runner-bench.ts';

const echo = { echo: async (input: unknown) => input };

/** What core's port promises, whoever keeps it. */
export const RUNNER_CASES = {
  /** Results come back to those who asked, whatever order the jobs ended in. */
  async results({ open }) {
    const runner = await open({ double: async (input: number) => input * 2 }, { concurrency: 3 });
    const handles = await Promise.all([1, 2, 3].map((n) => runner.enqueue('double', n, { id: `job ${n}` })));
    expect(handles.map(({ id }) => id)).toEqual(['job 1', 'job 2', 'job 3']);
    expect(await Promise.all(handles.map(({ result }) => result))).toEqual([2, 4, 6]);
  },

  /** Values arrive as exact as they left, both ways. */
  async 'exact-values'({ open }) {
    const runner = await open(echo);
    const value = {
      big: 9_007_199_254_740_993n,
      text: 'Zażółć 東京 🦊 \u0000 "quoted" \\ \ud800',
      bytes: new Uint8Array([0, 255]),
      nothing: null,
      list: [[], {}, [false, -0.5]],
    };
    expect(await (await runner.enqueue('echo', value, { id: 'Ü/? #1%' })).result).toEqual(value);
  },

  /** No more at once than it may, and no fewer. */
  async concurrency({ open }) {
    const jobs = gates();
    const runner = await open({ wait: jobs.wait }, { concurrency: 2 });
    const handles = [];
    for (const id of ['a', 'b', 'c']) handles.push(await runner.enqueue('wait', id, { id }));
    await jobs.beganAll(2);
    expect([...jobs.begun].sort()).toEqual(['a', 'b']);
    jobs.finish('b');
    await jobs.beganAll(3);
    expect(jobs.begun[2]).toBe('c');
    jobs.finish('a');
    jobs.finish('c');
    expect(await Promise.all(handles.map(({ result }) => result))).toEqual(['done a', 'done b', 'done c']);
  },

  /** What is done is not done again, in this process and after a restart; what failed is tried again. */
  async 'restart-results'({ open }) {
    const calls: number[] = [];
    let broken = true;
    const jobs = {
      double: async (input: number) => {
        calls.push(input);
        if (broken && input === 2) throw new Error('out of luck');
        return input * 2;
      },
    };
    const all = async (): Promise<unknown[]> => {
      const runner = await open(jobs);
      const handles = [];
      for (const n of [1, 2, 3]) handles.push(await runner.enqueue('double', n, { id: `item ${n}` }));
      const results = await Promise.allSettled(handles.map(({ result }) => result));
      await runner.close();
      return results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
    };
    expect(await all()).toEqual([2, 'failed', 6]);
    broken = false;
    expect(await all()).toEqual([2, 4, 6]);
    expect(await all()).toEqual([2, 4, 6]);
    expect([...calls].sort()).toEqual([1, 2, 2, 3]);
  },

  /** A job's own error arrives with its code, its words and whether to try again. */
  async errors({ open }) {
    const runner = await open({
      refuse: async (_input: string) => {
        throw new AskemaError('MODEL_RATE_LIMITED', 'Too many calls.', {
          retryable: true,
          details: { retryAfterMs: 1_500 },
        });
      },
    });
    const { result } = await runner.enqueue('refuse', 'x', { id: 'a' });
    await expect(result).rejects.toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      message: 'Too many calls.',
      retryable: true,
      details: { retryAfterMs: 1_500 },
    });
  },

  /** An id that is running takes the same input only; one that is done does other work for another. */
  async 'other-input'({ open }) {
    const jobs = gates();
    const runner = await open({ wait: jobs.wait }, { concurrency: 2 });
    const first = await runner.enqueue('wait', 'a', { id: 'x' });
    const same = await runner.enqueue('wait', 'a', { id: 'x' });
    await jobs.beganAll(1);
    await expect(runner.enqueue('wait', 'b', { id: 'x' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    jobs.finish('a');
    expect(await Promise.all([first.result, same.result])).toEqual(['done a', 'done a']);
    const other = await runner.enqueue('wait', 'b', { id: 'x' });
    jobs.finish('b');
    expect(await other.result).toBe('done b');
    expect(jobs.begun).toEqual(['a', 'b']);
  },

  /** Cancelling stops what runs and what waits, and nothing else. */
  async cancel({ open }) {
    const jobs = gates();
    const runner = await open({ wait: jobs.wait });
    const a = await runner.enqueue('wait', 'a', { id: 'a' });
    await jobs.beganAll(1);
    const b = await runner.enqueue('wait', 'b', { id: 'b' });
    const c = await runner.enqueue('wait', 'c', { id: 'c' });
    await runner.cancel('b');
    await expect(b.result).rejects.toMatchObject({ code: 'ABORTED' });
    await runner.cancel('a');
    await expect(a.result).rejects.toMatchObject({ code: 'ABORTED' });
    await runner.cancel('nobody');
    await jobs.beganAll(2);
    jobs.finish('c');
    expect(await c.result).toBe('done c');
    await runner.cancel('c');
    expect(await (await runner.enqueue('wait', 'c', { id: 'c' })).result).toBe('done c');
    expect(jobs.begun).toEqual(['a', 'c']);
    expect(jobs.stopped).toEqual(['a']);
  },

  /** What a cancelled job comes up with later is not its result; enqueued again, it is done again. */
  async 'cancelled-again'({ open }) {
    const jobs = gates({ deaf: true });
    const runner = await open({ wait: jobs.wait });
    const cancelled = await runner.enqueue('wait', 'a', { id: 'a' });
    await jobs.beganAll(1);
    await runner.cancel('a');
    await expect(cancelled.result).rejects.toMatchObject({ code: 'ABORTED' });
    const again = await runner.enqueue('wait', 'a', { id: 'a' });
    jobs.finish('a');
    expect(await again.result).toBe('done a');
    expect(jobs.begun).toEqual(['a', 'a']);
  },

  /** Closing stops everything; a second start that enqueues everything again does what was not done. */
  async 'close-and-resume'({ open }) {
    const jobs = gates();
    const first = await open({ wait: jobs.wait });
    const handles = [];
    for (const id of ['a', 'b', 'c']) handles.push(await first.enqueue('wait', id, { id }));
    jobs.finish('a');
    expect(await handles[0]?.result).toBe('done a');
    await jobs.beganAll(2);
    const left = Promise.allSettled(handles.slice(1).map(({ result }) => result));
    jobs.finish('b');
    await first.close();
    for (const { status } of await left) expect(['fulfilled', 'rejected']).toContain(status);
    await expect(first.enqueue('wait', 'd', { id: 'd' })).rejects.toMatchObject({ code: 'ABORTED' });
    jobs.finish('c');
    const second = await open({ wait: jobs.wait });
    const results = [];
    for (const id of ['a', 'b', 'c']) results.push(await (await second.enqueue('wait', id, { id })).result);
    expect(results).toEqual(['done a', 'done b', 'done c']);
    expect(jobs.begun.filter((input) => input === 'a')).toEqual(['a']);
  },

  /** Steps of a job are not done again when it is begun again. */
  async 'steps-of-a-job'({ open }) {
    const paid: string[] = [];
    let broken = true;
    const jobs = {
      two: async (input: string, { run }: JobContext) => {
        const step = (name: string) =>
          run(name, input, async () => {
            paid.push(name);
            return { name, big: 2n ** 70n };
          });
        const [one, two] = await Promise.all([step('one'), step('two')]);
        if (broken) throw new Error('after the steps');
        return [one, two];
      },
    };
    const first = await open(jobs);
    await expect((await first.enqueue('two', 'x', { id: 'j' })).result).rejects.toThrow('after the steps');
    await first.close();
    broken = false;
    const second = await open(jobs);
    const steps = ['one', 'two'].map((name) => ({ name, big: 2n ** 70n }));
    expect(await (await second.enqueue('two', 'x', { id: 'j' })).result).toEqual(steps);
    expect([...paid].sort()).toEqual(['one', 'two']);
    await (await second.enqueue('two', 'y', { id: 'j' })).result;
    await (await second.enqueue('two', 'x', { id: 'other' })).result;
    expect(paid).toHaveLength(6);
  },

  /** Values sent to a job arrive once each, in order: before it is enqueued, while it waits, and after a restart. */
  async signals({ open }) {
    const waiting = Promise.withResolvers<void>();
    const jobs = {
      collect: async (count: number, context: JobContext) => {
        const values: unknown[] = [];
        while (values.length < count) {
          values.push(await context.receive());
          if (values.length === 2) waiting.resolve();
        }
        return values;
      },
    };
    const first = await open(jobs);
    await first.signal('x', 'early');
    const cut = await first.enqueue('collect', 3, { id: 'x' });
    await first.signal('x', { live: 1n });
    await waiting.promise;
    await first.close();
    await expect(cut.result).rejects.toMatchObject({ code: 'ABORTED' });
    const second = await open(jobs);
    const handle = await second.enqueue('collect', 3, { id: 'x' });
    await second.signal('x', null);
    expect(await handle.result).toEqual(['early', { live: 1n }, null]);
  },

  /**
   * `run` does work once per path and key, also when it is asked twice at the same time, and after a restart; failures
   * are not kept.
   */
  async 'run-once'({ open }) {
    const first = await open({});
    let calls = 0;
    const gate = Promise.withResolvers<void>();
    const work = async () => {
      calls += 1;
      await gate.promise;
      return calls;
    };
    const both = Promise.all([first.run('p', 'k', work), first.run('p', 'k', work)]);
    gate.resolve();
    expect(await both).toEqual([1, 1]);
    expect(await first.run('p', 'k', work)).toBe(1);
    expect(await first.run('p', 'other key', work)).toBe(2);
    await expect(first.run('q', 'k', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await first.run('q', 'k', async () => 'later')).toBe('later');
    await first.close();
    expect(await (await open({})).run('p', 'k', work)).toBe(1);
    expect(calls).toBe(2);
  },

  /** Mistakes are named before anything is queued. */
  async mistakes({ open }) {
    const runner = await open({ measure: async (_input: unknown) => 1 });
    await expect(runner.enqueue('mesure' as 'measure', 1, { id: 'a' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'The runner knows no job `mesure`. Did you mean `measure`?',
    });
    await expect(runner.enqueue('measure', new Date(0), { id: 'a' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(await (await runner.enqueue('measure', 1, { id: 'a' })).result).toBe(1);
  },

  /** Closing twice is closing once, also at the same time. */
  async 'close-twice'({ open }) {
    const runner = await open(echo);
    await Promise.all([runner.close(), runner.close()]);
    await runner.close();
    await expect(runner.enqueue('echo', 1, { id: 'a' })).rejects.toMatchObject({ code: 'ABORTED' });
  },
} satisfies Record<string, RunnerCase>;
