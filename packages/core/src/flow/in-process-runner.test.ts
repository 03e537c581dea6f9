import { describe, expect, it } from 'vitest';
import { type InProcessRunnerOptions, inProcessRunner } from './in-process-runner.ts';
import { memoryJournal } from './memory-journal.ts';
import type { JobContext } from './runner.ts';
import { type Deferred, deferred, settle } from './test-support/deferred.ts';

/** A job that waits for the test, by its input. */
function gatedJobs() {
  const begun: string[] = [];
  const aborted: string[] = [];
  const gates = new Map<string, Deferred<string>>();
  const jobs = {
    wait: async (input: string, context: JobContext) => {
      begun.push(input);
      const gate = deferred<string>();
      gates.set(input, gate);
      context.signal.addEventListener('abort', () => aborted.push(input));
      return gate.promise;
    },
  };
  return { jobs, begun, aborted, finish: (input: string) => gates.get(input)?.resolve(`done ${input}`), gates };
}

describe('inProcessRunner', () => {
  it('runs no more jobs at once than it may, in the order in which they came', async () => {
    const { jobs, begun, finish } = gatedJobs();
    const runner = await inProcessRunner({ jobs, concurrency: 2 });
    const handles = await Promise.all(['a', 'b', 'c'].map((id) => runner.enqueue('wait', id, { id })));
    await settle();
    expect(begun).toEqual(['a', 'b']);
    finish('b');
    await settle();
    expect(begun).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    expect(await Promise.all(handles.map((handle) => handle.result))).toEqual(['done a', 'done b', 'done c']);
    await runner.close();
  });

  it('keeps no result where it is told not to, and does a job again that comes again', async () => {
    const journal = memoryJournal();
    const calls: number[] = [];
    const jobs = { double: async (input: number) => calls.push(input) };
    const runner = await inProcessRunner({ jobs, journal, remember: false });
    for (let time = 0; time < 2; time += 1) await (await runner.enqueue('double', 1, { id: 'one' })).result;
    expect(calls).toEqual([1, 1]);
    expect((await journal.read('runner')).filter((entry) => entry.kind === 'call')).toEqual([]);
    await runner.close();
  });

  it('does not do again what a journal remembers, and tries again what failed', async () => {
    const journal = memoryJournal();
    const calls: number[] = [];
    let broken = true;
    const options: InProcessRunnerOptions<{ double: (input: number) => Promise<number> }> = {
      journal,
      jobs: {
        double: async (input) => {
          calls.push(input);
          if (broken && input === 2) throw new Error('no');
          return input * 2;
        },
      },
    };
    const enqueueAll = async () => {
      const runner = await inProcessRunner(options);
      const handles = await Promise.all([1, 2, 3].map((n) => runner.enqueue('double', n, { id: `item ${n}` })));
      const results = await Promise.allSettled(handles.map((handle) => handle.result));
      await runner.close();
      return results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
    };
    expect(await enqueueAll()).toEqual([2, 'failed', 6]);
    broken = false;
    expect(await enqueueAll()).toEqual([2, 4, 6]);
    expect(calls).toEqual([1, 2, 3, 2]);
  });

  it('takes another input under the same id for other work', async () => {
    const { jobs, begun, finish } = gatedJobs();
    const runner = await inProcessRunner({ jobs });
    const first = await runner.enqueue('wait', 'a', { id: 'x' });
    const same = await runner.enqueue('wait', 'a', { id: 'x' });
    expect(same).toBe(first);
    await expect(runner.enqueue('wait', 'b', { id: 'x' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await settle();
    finish('a');
    await first.result;
    const other = await runner.enqueue('wait', 'b', { id: 'x' });
    await settle();
    finish('b');
    await expect(other.result).resolves.toBe('done b');
    expect(begun).toEqual(['a', 'b']);
    await runner.close();
  });

  it('cancels what runs and what waits', async () => {
    const { jobs, begun, aborted } = gatedJobs();
    const runner = await inProcessRunner({ jobs });
    const a = await runner.enqueue('wait', 'a', { id: 'a' });
    const b = await runner.enqueue('wait', 'b', { id: 'b' });
    const c = await runner.enqueue('wait', 'c', { id: 'c' });
    await settle();
    await runner.cancel('b');
    await expect(b.result).rejects.toMatchObject({ code: 'ABORTED', message: 'Job `b` was stopped by its caller.' });
    await runner.cancel('nobody');
    await runner.close();
    await expect(a.result).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(c.result).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(runner.enqueue('wait', 'd', { id: 'd' })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(begun).toEqual(['a']);
    expect(aborted).toEqual(['a']);
  });

  it('does not keep what a cancelled job comes up with later', async () => {
    const { jobs, begun, finish } = gatedJobs();
    const runner = await inProcessRunner({ jobs });
    const cancelled = await runner.enqueue('wait', 'a', { id: 'a' });
    await settle();
    await runner.cancel('a');
    await expect(cancelled.result).rejects.toMatchObject({ code: 'ABORTED' });
    finish('a');
    await settle();
    const again = await runner.enqueue('wait', 'a', { id: 'a' });
    await settle();
    finish('a');
    await expect(again.result).resolves.toBe('done a');
    expect(begun).toEqual(['a', 'a']);
    await runner.close();
  });

  it('carries values to a job, before and after it waits, and across a restart', async () => {
    const journal = memoryJournal();
    const jobs = {
      collect: async (count: number, context: JobContext) => {
        const values: unknown[] = [];
        while (values.length < count) values.push(await context.receive());
        return values;
      },
    };
    const first = await inProcessRunner({ jobs, journal });
    await first.signal('x', 'early');
    const cut = await first.enqueue('collect', 3, { id: 'x' });
    await settle();
    await first.signal('x', 'live');
    await first.close();
    await expect(cut.result).rejects.toMatchObject({ code: 'ABORTED' });
    const second = await inProcessRunner({ jobs, journal });
    const handle = await second.enqueue('collect', 3, { id: 'x' });
    await settle();
    await second.signal('x', null);
    await expect(handle.result).resolves.toEqual(['early', 'live', null]);
    await second.close();
  });

  it('does work once per path and key, also when it is asked for twice at the same time', async () => {
    const runner = await inProcessRunner({ jobs: {} });
    let calls = 0;
    const gate = deferred();
    const work = async () => {
      calls += 1;
      await gate.promise;
      return calls;
    };
    const both = Promise.all([runner.run('p', 'k', work), runner.run('p', 'k', work)]);
    await settle();
    gate.resolve();
    expect(await both).toEqual([1, 1]);
    expect(await runner.run('p', 'k', work)).toBe(1);
    expect(await runner.run('p', 'other key', work)).toBe(2);
    await expect(runner.run('q', 'k', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await runner.run('q', 'k', async () => 'later')).toBe('later');
    await runner.close();
  });

  it('names the job that was meant, and refuses inputs that are no plain data', async () => {
    const runner = await inProcessRunner({ jobs: { measure: async (_input: unknown) => 1 } });
    await expect(runner.enqueue('mesure' as 'measure', 1, { id: 'a' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'The runner knows no job `mesure`. Did you mean `measure`?',
    });
    await expect(runner.enqueue('measure', new Date(0), { id: 'a' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await runner.close();
  });

  it('keeps a second runner away from the same journal', async () => {
    const journal = memoryJournal();
    const runner = await inProcessRunner({ jobs: {}, journal });
    await expect(inProcessRunner({ jobs: {}, journal })).rejects.toMatchObject({ code: 'JOURNAL_LOCKED' });
    await runner.close();
    await (await inProcessRunner({ jobs: {}, journal })).close();
  });
});
