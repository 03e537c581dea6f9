import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { crashingJournal } from './test-support/crashing-journal.ts';
import { type Deferred, deferred, settle } from './test-support/deferred.ts';
import {
  type EndedThread,
  gatedThreads,
  instant,
  START,
  type Thread,
  type ThreadsDeps,
  threadsFlow,
} from './test-support/parallel-threads.ts';
import { withAppend } from './test-support/with-append.ts';

const two = (ended: readonly EndedThread[]): boolean => ended.length === 2;

/** Work at once that notes what was called. */
function counting(work: ThreadsDeps['work'] = instant.work) {
  const calls: string[] = [];
  const deps: ThreadsDeps = {
    work: (step, name, context) => {
      calls.push(`${step} ${name}`.trim());
      return work(step, name, context);
    },
  };
  return { calls, deps };
}

/** Runs `threads` until `a` has drafted, `c` and `b` have ended, and the others were stopped; then ends it. */
async function stoppedRun(journal: Journal) {
  const { deps, finish, item } = gatedThreads();
  const flow = threadsFlow({ enough: two });
  const run = flow.run({ names: ['a', 'b', 'c', 'd'], found: [] }, deps, { journal, runId: 'r' });
  await settle();
  await finish('draft a');
  await item('c');
  await item('b');
  return { flow, result: await run };
}

/** A journal that holds entries at such paths back until the test lets them through. */
function slowJournal(paths: RegExp, held: { readonly path: string; readonly gate: Deferred<void> }[]): Journal {
  return withAppend(memoryJournal(), async (entries, write) => {
    await write(entries);
    const path = entries.at(-1)?.path ?? '';
    if (!paths.test(path)) return;
    const gate = deferred();
    held.push({ path, gate });
    await gate.promise;
  });
}

describe('a recorded parallel flow', () => {
  it('is replayed with the same items finished, failed and stopped', async () => {
    const journal = memoryJournal();
    const { flow, result } = await stoppedRun(journal);
    expect(result.state.found[0]).toBe('0 stopped draft-a -');
    // Another question or none at all: what was recorded counts.
    for (const enough of [two, () => false, () => true]) {
      const replayed = await threadsFlow({ enough }).replay('r', { journal });
      expect(replayed.state).toEqual(result.state);
      expect(replayed).toMatchObject({ steps: (result as { steps: number }).steps });
    }
    const { calls, deps } = counting();
    expect((await flow.resume('r', deps, { journal })).state).toEqual(result.state);
    expect(calls).toEqual([]);
  });

  it('hands ends to the journal together, and counts them in that order', async () => {
    const held: { readonly path: string; readonly gate: Deferred<void> }[] = [];
    const counted: number[][] = [];
    const flow = threadsFlow({
      enough: (ended) => {
        counted.push(ended.map(({ item }) => item));
        return false;
      },
    });
    const { deps, item } = gatedThreads();
    const run = flow.run(START, deps, { journal: slowJournal(/threads#1\/\d+$/, held) });
    await settle();
    await item('b');
    await item('a');
    expect(held.map(({ path }) => path)).toEqual(['f@1/threads#1/1', 'f@1/threads#1/0']);
    held[1]?.gate.resolve();
    await settle();
    expect(counted).toEqual([]);
    held[0]?.gate.resolve();
    await settle();
    expect(counted).toEqual([[1], [1, 0]]);
    await item('c');
    held[2]?.gate.resolve();
    expect(await run).toMatchObject({ status: 'finished' });
  });

  it('asks for no dependencies in a replay', async () => {
    const inner = createFlow<Thread, { readonly tag: string }>({ name: 'inner' })
      .step(
        defineStep<Thread, { readonly tag: string }>()({
          name: 's',
          exec: (_input, context) => context.deps.tag,
          post: (state, _input, tag) => {
            state.sql = tag;
          },
        }),
        { default: end },
      )
      .build();
    const flow = createFlow<{ sql?: string }, { readonly tags: readonly string[] }>({ name: 'f' })
      .parallel(
        'p',
        inner,
        { default: 'q' },
        {
          enter: () => [{ name: 'a' }],
          leave: (state, ended) => {
            state.sql = ended[0]?.state.sql ?? '';
          },
          deps: ({ tags }) => ({ tag: tags[0] ?? '' }),
          concurrency: ({ tags }) => tags.length,
        },
      )
      .flow(
        'q',
        inner,
        { default: end },
        {
          enter: () => ({ name: 'b' }),
          leave: (state, found) => {
            state.sql += found.sql ?? '';
          },
          deps: ({ tags }) => ({ tag: tags[1] ?? '' }),
        },
      )
      .build();
    const journal = memoryJournal();
    const result = await flow.run({}, { tags: ['1', '2'] }, { journal, runId: 'r' });
    expect(result.state).toEqual({ sql: '12' });
    expect((await flow.replay('r', { journal })).state).toEqual({ sql: '12' });
    await expect(flow.run({}, { tags: [] }, { journal })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/`p` was given concurrency 0/),
    });
  });

  it.each(Array.from({ length: 22 }, (_, index) => index + 1))('goes on after a crash behind entry %i', async (at) => {
    const journal = memoryJournal();
    const { calls, deps } = counting();
    const flow = threadsFlow({ concurrency: 2 });
    await flow.run(START, deps, { journal: crashingJournal(journal, at), runId: 'r' }).catch(() => {});
    const recorded = (await journal.read('r')).filter((entry) => entry.kind === 'exec' && /#\d+$/.test(entry.path));
    const before = calls.length;
    const result = await flow.resume('r', deps, { journal });
    expect(result.state).toEqual((await flow.run(START, instant)).state);
    expect(calls.length - before).toBe(7 - recorded.length);
  });

  it('does not take up again what had failed or was stopped when the process died', async () => {
    const journal = memoryJournal();
    const { deps, finish, fail } = gatedThreads();
    const flow = threadsFlow({ enough: two, onError: 'collect' });
    // The header, the draft of b; c fails: its attempt, its end; b ends: its check, its end. Then a is stopped, and
    // that is lost.
    const run = flow.run(START, deps, { journal: crashingJournal(journal, 8), runId: 'r' });
    const dead = expect(run).rejects.toThrow('dead');
    await settle();
    await finish('draft b');
    await fail('draft c', new AskemaError('BUDGET_EXCEEDED', 'no calls left'));
    await finish('check b');
    await dead;
    const ends = (await journal.read('r')).filter((entry) => entry.kind === 'exec' && /\/\d$/.test(entry.path));
    expect(ends.map((entry) => entry.path)).toEqual(['f@1/threads#1/2', 'f@1/threads#1/1']);
    const again = counting();
    const result = await flow.resume('r', again.deps, { journal });
    expect(again.calls).toEqual(['vote']);
    expect(result.state.found).toEqual(['0 stopped - -', '1 good draft-b check-b', '2 BUDGET_EXCEEDED - -', 'vote-']);
  });

  it('asks `enough` only about what is recorded, and stands by what was stopped', async () => {
    const journal = memoryJournal();
    const asked: number[] = [];
    const first = (ended: readonly EndedThread[]): boolean => asked.push(ended.length) > 0;
    const one = threadsFlow({ enough: first, concurrency: 1 });
    // The header, both steps of a, its end, the end of b, which was stopped.
    const crash = (runId: string, entries: number): Promise<unknown> =>
      one.run(START, instant, { journal: crashingJournal(journal, entries), runId }).catch(() => {});
    await crash('early', 4);
    expect(asked).toEqual([]);
    await crash('late', 7);
    expect(asked).toEqual([1]);
    const { calls, deps } = counting();
    const { state } = await threadsFlow({ enough: () => false }).resume('late', deps, { journal });
    expect(state.found.slice(0, 3)).toEqual(['0 good draft-a check-a', '1 stopped - -', '2 stopped - -']);
    expect(calls).toEqual(['vote']);
  });

  it('notices an item that goes another way, also one that had failed', async () => {
    const journal = memoryJournal();
    const { deps } = counting((step, name) => {
      if (step === 'check') throw new Error('no model');
      return `${step}-${name}`;
    });
    const flow = threadsFlow({ onError: 'collect' });
    await flow.run(START, deps, { journal, runId: 'r' });
    const { draft } = flow.steps.threads.flow.steps;
    const changed = flow.steps.threads.flow.replace('draft', { ...draft, prep: (state) => `${state.name}!` });
    await expect(flow.replaceFlow('threads', changed).replay('r', { journal })).rejects.toMatchObject({
      code: 'FLOW_NOT_DETERMINISTIC',
      details: { path: 'f@1/threads#1/0/thread@1/draft#1' },
    });
  });

  it('says what was replayed', async () => {
    const journal = memoryJournal();
    const flow = threadsFlow({ concurrency: 1 });
    const told = async (runId: string): Promise<readonly string[]> => {
      const replayed: string[] = [];
      await flow.resume(runId, instant, {
        journal,
        onEvent: (event) => event.type === 'step-finished' && event.replayed && replayed.push(event.path),
      });
      return replayed;
    };
    await flow.run(START, instant, { journal, runId: 'r' });
    expect(await told('r')).toHaveLength(8);
    await flow.fork('r', { journal, newRunId: 's', from: 'f@1/threads#1/2/thread@1/check#1' });
    const paths = ['0/thread@1/draft', '0/thread@1/check', '1/thread@1/draft', '1/thread@1/check', '2/thread@1/draft'];
    expect(await told('s')).toEqual(paths.map((path) => `f@1/threads#1/${path}#1`));
  });

  it('tries an item that failed the run again, and no other', async () => {
    const journal = memoryJournal();
    const flow = threadsFlow({ concurrency: 1 });
    const broken = counting((step, name) => {
      if (step === 'check' && name === 'b') throw new Error('no model');
      return `${step}-${name}`;
    });
    await expect(flow.run(START, broken.deps, { journal, runId: 'r' })).rejects.toThrow('no model');
    await expect(flow.replay('r', { journal })).rejects.toThrow('no model');
    const { calls, deps } = counting();
    await flow.resume('r', deps, { journal });
    expect(calls).toEqual(['check b', 'draft c', 'check c', 'vote']);
  });

  it('stops when `enter` gives other items than were recorded', async () => {
    const journal = memoryJournal();
    await threadsFlow().run(START, instant, { journal, runId: 'r' });
    const other = (names: readonly string[]) => {
      const flow = threadsFlow();
      return flow.replace('threads', { ...flow.steps.threads, enter: () => names.map((name) => ({ name })) });
    };
    for (const names of [['a', 'x', 'c'], ['a', 'b'], []]) {
      await expect(other(names).replay('r', { journal })).rejects.toMatchObject({
        code: 'FLOW_NOT_DETERMINISTIC',
        message: expect.stringMatching(/`enter` returned/),
      });
    }
    await expect(other(['a', 'b', 'c', 'd']).replay('r', { journal })).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
    });
  });
});

describe('forking a run with a parallel flow', () => {
  const first = async () => {
    const journal = memoryJournal();
    return { journal, ...(await stoppedRun(journal)) };
  };

  it('shares all items when it begins behind them', async () => {
    const { journal, flow, result } = await first();
    await flow.fork('r', { journal, newRunId: 's', from: 'vote' });
    const { calls, deps } = counting();
    const forked = await flow.resume('s', deps, { journal });
    expect(calls).toEqual(['vote']);
    expect(forked.state.found.slice(0, -1)).toEqual(result.state.found.slice(0, -1));
  });

  it('does all items again when it begins with them', async () => {
    const { journal, flow } = await first();
    await flow.fork('r', { journal, newRunId: 's', from: 'threads', edit: (state) => void state.names.splice(1) });
    const { calls, deps } = counting();
    await flow.resume('s', deps, { journal });
    expect(calls).toEqual(['draft a', 'check a', 'vote']);
  });

  it('does one item again from a step on, and goes on with those that were stopped because of it', async () => {
    const { journal, flow } = await first();
    const from = 'f@1/threads#1/1/thread@1/check#1';
    await expect(flow.fork('r', { journal, newRunId: 's', from })).resolves.toEqual({ runId: 's', path: from });
    const { calls, deps } = counting();
    const forked = await flow.resume('s', deps, { journal });
    expect(calls.slice(0, 3).sort()).toEqual(['check a', 'check b', 'draft d']);
    expect(forked.state.found[2]).toBe('2 good draft-c check-c');
    expect((await flow.replay('s', { journal })).state).toEqual(forked.state);
    await expect(
      flow.fork('r', { journal, newRunId: 't', from: 'f@1/threads#1/9/thread@1/check#1' }),
    ).rejects.toMatchObject({ code: 'FLOW_INVALID' });
    await expect(
      flow.fork('r', { journal, newRunId: 't', from, edit: (state) => void state.names.pop() }),
    ).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
