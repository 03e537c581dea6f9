import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { settle } from './test-support/deferred.ts';
import {
  type EndedThread,
  gatedThreads,
  START,
  type Thread,
  type ThreadsDeps,
  type ThreadsOptions,
  type ThreadsState,
  thread,
  threadsFlow,
} from './test-support/parallel-threads.ts';

const budget = (): AskemaError => new AskemaError('BUDGET_EXCEEDED', 'no calls left');
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', note));
afterEach(async () => {
  await settle();
  process.off('unhandledRejection', note);
  expect(unhandled.splice(0)).toEqual([]);
});

describe('an abort of the run', () => {
  it.each(['fail', 'collect'] as const)('stops all items and fails the run, with onError %s', async (onError) => {
    const { deps, begun, aborted, fail } = gatedThreads();
    const controller = new AbortController();
    const journal = memoryJournal();
    const options = { onError, concurrency: 2 };
    const run = threadsFlow(options).run(START, deps, { journal, runId: 'r', signal: controller.signal });
    const ended = expect(run).rejects.toMatchObject({
      code: 'ABORTED',
      message: 'The run of flow `f` was stopped by its caller.',
    });
    await settle();
    controller.abort();
    await ended;
    expect(aborted).toEqual(['draft a', 'draft b']);
    // What does not listen and fails later is nobody's business any more.
    await fail('draft a', new Error('late'));
    expect(begun).toEqual(['draft a', 'draft b']);
    expect((await journal.read('r')).filter((entry) => /\/\d$/.test(entry.path))).toEqual([]);
  });

  it('is no item that failed, also when its reason is a budget', async () => {
    const { deps } = gatedThreads();
    const controller = new AbortController();
    const reason = budget();
    const run = threadsFlow({ onError: 'collect' }).run(START, deps, { signal: controller.signal });
    const ended = expect(run).rejects.toBe(reason);
    await settle();
    controller.abort(reason);
    await ended;
  });

  it('does not undo what is there, when all items had ended', async () => {
    const { deps, item } = gatedThreads();
    const controller = new AbortController();
    const memory = memoryJournal();
    const journal: Journal = {
      ...memory,
      async open(runId) {
        const opened = await memory.open(runId);
        const append: typeof opened.append = async (entries) => {
          await opened.append(entries);
          if (entries.some((entry) => entry.path === 'f@1/threads#1/2')) controller.abort();
        };
        return { ...opened, append };
      },
    };
    const seen: number[] = [];
    const onState = (state: Readonly<ThreadsState>): void => void seen.push(state.found.length);
    const run = threadsFlow().run(START, deps, { journal, signal: controller.signal, onState });
    const ended = expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    for (const name of ['a', 'b', 'c']) await item(name);
    await ended;
    expect(seen).toEqual([3]);
  });

  it('ends only when nothing is written any more', async () => {
    const { deps, finish } = gatedThreads();
    const controller = new AbortController();
    const journal = memoryJournal();
    const flow = threadsFlow();
    const run = flow.run(START, deps, { journal, runId: 'r', signal: controller.signal }).catch(() => {});
    await settle();
    const finished = finish('draft a');
    controller.abort();
    await run;
    const entries = (await journal.read('r')).length;
    await finished;
    expect(await journal.read('r')).toHaveLength(entries);
    await expect(journal.open('r')).resolves.toBeDefined();
  });
});

describe('errors that are never collected', () => {
  const run = async (options: ThreadsOptions, change: Partial<Thread> = {}) => {
    const flow = threadsFlow({ onError: 'collect', ...options });
    const enter = (state: Readonly<ThreadsState>): Thread[] => state.names.map((name) => ({ name, ...change }));
    const deps: ThreadsDeps = { work: (step, name) => `${step}-${name}` };
    return flow.replace('threads', { ...flow.steps.threads, enter }).run(START, deps, { journal: memoryJournal() });
  };

  it('are those of the flow itself and of its functions', async () => {
    const wrong = thread.replace('check', { ...thread.steps.check, post: () => 'worse' as 'bad' });
    const flow = threadsFlow({ onError: 'collect' }).replaceFlow('threads', wrong);
    await expect(flow.run(START, { work: () => '' })).rejects.toMatchObject({ code: 'FLOW_INVALID' });
    const enough = (): boolean => {
      throw new TypeError('no');
    };
    await expect(run({ enough })).rejects.toThrow('Step `threads` failed in enough: no');
    await expect(run({ enough: (async () => true) as never })).rejects.toThrow('returned a promise from enough');
    await expect(run({}, { draft: (() => '') as never })).rejects.toThrow(
      'The state of item 0 of step `threads` holds a function at `draft`',
    );
    const noArray = threadsFlow();
    const broken = noArray.replace('threads', { ...noArray.steps.threads, enter: () => 'abc' as never });
    await expect(broken.run(START, { work: () => '' })).rejects.toMatchObject({ code: 'FLOW_INVALID' });
  });
});

describe('limits of an item', () => {
  it('are its own: maxSteps counts each run of the inner flow', async () => {
    const again = thread.reroute('check', { bad: 'draft' }).with({ maxSteps: 4 });
    const flow = threadsFlow({ onError: 'collect' }).replaceFlow('threads', again);
    let tries = 0;
    const work: ThreadsDeps['work'] = (step, name) =>
      step === 'check' && (name === 'c' || (name === 'b' && tries++ === 0)) ? 'bad' : `${step}-${name}`;
    const { state } = await flow.run(START, { work });
    expect(state.found).toEqual([
      '0 good draft-a check-a',
      '1 good draft-b check-b',
      '2 FLOW_STEP_LIMIT draft-c bad',
      'vote-',
    ]);
  });
});

describe('parallel flows inside parallel flows', () => {
  const outer = createFlow<{ found: unknown[] }, ThreadsDeps>({ name: 'outer' })
    .parallel(
      'groups',
      threadsFlow({ enough: (ended) => ended.length === 1, onError: 'collect' }),
      { default: end },
      {
        enter: () => [
          { names: ['a', 'b'], found: [] },
          { names: ['c', 'd'], found: [] },
        ],
        leave: (state, ended) => void state.found.push(...ended.map((group) => [group.status, ...group.state.found])),
        enough: (ended) => ended.length === 1,
      },
    )
    .build();

  it('stop with what they stand in', async () => {
    const { deps, aborted, begun, finish, item } = gatedThreads();
    const journal = memoryJournal();
    const run = outer.run({ found: [] }, deps, { journal, runId: 'r' });
    await settle();
    await finish('draft d');
    await item('b');
    expect(aborted).toEqual(['draft a', 'draft c', 'check d']);
    const { state } = await run;
    expect(state.found).toEqual([['finished', '0 stopped - -', '1 good draft-b check-b', 'voted'], ['stopped']]);
    expect(begun).toHaveLength(6);
    expect((await outer.replay('r', { journal })).state).toEqual(state);
    const paths = (await journal.read('r')).map((entry) => entry.path);
    expect(paths).toContain('outer@1/groups#1/1/f@1/threads#1/1/thread@1/draft#1');
    expect(paths).toContain('outer@1/groups#1/1');
    expect(paths).not.toContain('outer@1/groups#1/1/f@1/threads#1/1');
  });
});

describe('suspend in an item', () => {
  const suspending = (options: ThreadsOptions = {}) => {
    const ask = defineStep<Thread, ThreadsDeps>()({
      name: 'ask',
      prep: (state) => state.name,
      exec: (name, context) =>
        name === 'a' ? context.suspend<string>({ name }) : context.deps.work('ask', name, context),
      post: (state, _name, text) => {
        state.sql = text;
      },
    });
    return threadsFlow(options).replaceFlow('threads', thread.before('check', ask));
  };

  it('lets running items come to their end, begins no others, and repeats none of them', async () => {
    const { deps, begun, finish } = gatedThreads();
    const journal = memoryJournal();
    const flow = suspending({ concurrency: 2 });
    const run = flow.run(START, deps, { journal, runId: 'r' });
    await settle();
    for (const call of ['draft a', 'draft b', 'ask b', 'check b']) await finish(call);
    const path = 'f@1/threads#1/0/thread@1/ask#1/suspend#1';
    expect(await run).toEqual({ status: 'suspended', runId: 'r', request: { name: 'a' }, path, state: START });
    expect(begun).toEqual(['draft a', 'draft b', 'ask b', 'check b']);
    await expect(flow.replay('r', { journal })).resolves.toMatchObject({ status: 'suspended', path });
    const resumed = flow.resume('r', deps, { journal, answer: 'yes' });
    await settle();
    for (const call of ['check a', 'draft c', 'ask c', 'check c']) await finish(call);
    expect((await resumed).state.found.slice(0, 3)).toEqual([
      '0 good draft-a check-a',
      '1 good draft-b check-b',
      '2 good draft-c check-c',
    ]);
    expect(begun.slice(4).sort()).toEqual(['ask c', 'check a', 'check c', 'draft c']);
  });

  it('waits for its answer, even if it is needless by then', async () => {
    const { deps, finish } = gatedThreads();
    const journal = memoryJournal();
    const flow = suspending({ enough: (ended: readonly EndedThread[]) => ended.length === 1 });
    const run = flow.run(START, deps, { journal, runId: 'r' });
    await settle();
    for (const call of ['draft a', 'draft b', 'ask b', 'check b']) await finish(call);
    await expect(run).resolves.toMatchObject({ status: 'suspended' });
    const { state } = await flow.resume('r', deps, { journal, answer: 'no' });
    expect(state.found).toEqual(['0 stopped draft-a -', '1 good draft-b check-b', '2 stopped - -', 'voted']);
  });
});

describe('onState', () => {
  it('is shown the outer state, when the items have been gathered', async () => {
    const { deps, item } = gatedThreads();
    const seen: number[] = [];
    const onState = (state: Readonly<ThreadsState>): void => void seen.push(state.found.length);
    const run = threadsFlow().run(START, deps, { onState });
    await settle();
    for (const name of ['a', 'b', 'c']) await item(name);
    await run;
    expect(seen).toEqual([3, 4]);
  });
});
