import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { RunEvent } from '../events/run-event.ts';
import { createFlow } from './create-flow.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { settle } from './test-support/deferred.ts';
import {
  type EndedThread,
  gatedThreads,
  instant,
  START,
  type Thread,
  type ThreadsDeps,
  type ThreadsState,
  thread,
  threadsFlow,
  vote,
} from './test-support/parallel-threads.ts';

describe('a parallel flow', () => {
  it('runs the inner flow once per item, at the same time, each on a state of its own', async () => {
    const { deps, begun, item } = gatedThreads();
    const run = threadsFlow().run(START, deps);
    await settle();
    expect(begun).toEqual(['draft a', 'draft b', 'draft c']);
    for (const name of ['c', 'a', 'b']) await item(name);
    const result = await run;
    expect(result.state.found).toEqual([
      '0 good draft-a check-a',
      '1 good draft-b check-b',
      '2 good draft-c check-c',
      'voted',
    ]);
    expect(result).toMatchObject({ status: 'finished', action: 'default', steps: 8 });
  });

  it('runs no more items at once than it may', async () => {
    for (const concurrency of [2, () => 2]) {
      const { deps, begun, item } = gatedThreads();
      const run = threadsFlow({ concurrency }).run(START, deps);
      await settle();
      expect(begun).toEqual(['draft a', 'draft b']);
      await item('b');
      expect(begun).toEqual(['draft a', 'draft b', 'check b', 'draft c']);
      await item('a');
      await item('c');
      await run;
    }
  });

  it('tells paths, idempotency keys and memo calls of items apart', async () => {
    const paths: string[] = [];
    const keys = new Set<string>();
    const journal = memoryJournal();
    const events: RunEvent[] = [];
    const deps: ThreadsDeps = {
      work: (step, name, context) =>
        context.memo(
          'model',
          async (inner) => {
            paths.push(inner.path);
            keys.add(inner.idempotencyKey);
            inner.emit?.({ type: 'model', data: {} });
            return `${step}-${name}-${paths.length}`;
          },
          { key: 'the same request' },
        ),
    };
    const onEvent = (event: RunEvent): void => void events.push(event);
    const result = await threadsFlow().run(START, deps, { journal, runId: 'r', onEvent });
    expect(paths.map((path) => path.replace(/~.*/, ''))).toEqual([
      'f@1/threads#1/0/thread@1/draft#1/model',
      'f@1/threads#1/1/thread@1/draft#1/model',
      'f@1/threads#1/2/thread@1/draft#1/model',
      'f@1/threads#1/0/thread@1/check#1/model',
      'f@1/threads#1/1/thread@1/check#1/model',
      'f@1/threads#1/2/thread@1/check#1/model',
      'f@1/vote#1/model',
    ]);
    expect(keys.size).toBe(7);
    expect(result.state.found[0]).toBe('0 good draft-a-1 check-a-4');
    expect(events.filter((event) => event.type === 'call').map((event) => event.path)).toEqual(paths);
    const spans = new Set(events.map((event) => event.spanId));
    for (const event of events) if (event.parentSpanId !== undefined) expect(spans).toContain(event.parentSpanId);
  });

  it('passes nothing on when there are no items', async () => {
    const result = await threadsFlow({ enough: () => false }).run({ names: [], found: [] }, instant);
    expect(result.state.found).toEqual(['vote-']);
  });

  it('leads where `leave` says', async () => {
    const flow = createFlow<ThreadsState, ThreadsDeps>({ name: 'f' })
      .parallel(
        'threads',
        thread,
        { agreed: end, torn: 'vote' },
        {
          actions: ['agreed', 'torn'],
          enter: (state) => state.names.map((name): Thread => ({ name })),
          leave: (_state, ended) => (ended.every((item) => item.status === 'finished') ? 'agreed' : 'torn'),
        },
      )
      .step(vote, { default: end('voted') })
      .build();
    expect(flow.actions).toEqual(['agreed', 'voted']);
    await expect(flow.run(START, instant)).resolves.toMatchObject({ action: 'agreed' });
  });
});

describe('enough', () => {
  const two = (ended: readonly EndedThread[]): boolean => ended.length === 2;

  it('stops what runs and what waits', async () => {
    const { deps, begun, aborted, finish, item } = gatedThreads();
    const run = threadsFlow({ enough: two, concurrency: 3 }).run({ names: ['a', 'b', 'c', 'd'], found: [] }, deps);
    await settle();
    await finish('draft a');
    await item('c');
    expect(begun).toContain('draft d');
    await item('b');
    expect(aborted).toEqual(['check a', 'draft d']);
    expect((await run).state.found).toEqual([
      '0 stopped draft-a -',
      '1 good draft-b check-b',
      '2 good draft-c check-c',
      '3 stopped - -',
      'voted',
    ]);
  });

  it('is asked in the order in which items end, and told how many there are', async () => {
    const asked: string[] = [];
    const { deps, item } = gatedThreads();
    const enough = (ended: readonly EndedThread[], items: number): boolean => {
      asked.push(`${ended.map((one) => one.state.name).join('')}/${items}`);
      return false;
    };
    const run = threadsFlow({ enough }).run(START, deps);
    await settle();
    for (const name of ['b', 'c', 'a']) await item(name);
    await run;
    expect(asked).toEqual(['b/3', 'bc/3']);
  });

  it('does not begin what it makes needless', async () => {
    const begun: string[] = [];
    const deps: ThreadsDeps = { work: (step, name) => `${begun.push(`${step} ${name}`)}` };
    await threadsFlow({ enough: two, concurrency: 1 }).run(START, deps);
    expect(begun).toEqual(['draft a', 'check a', 'draft b', 'check b', 'vote ']);
  });
});

describe('an item that fails', () => {
  it('stops the others and fails the run', async () => {
    const { deps, begun, aborted, fail } = gatedThreads();
    const run = threadsFlow({ concurrency: 2 }).run(START, deps);
    const failed = expect(run).rejects.toThrow('Step `draft` failed in exec: no model');
    await settle();
    await fail('draft b', new Error('no model'));
    await failed;
    expect(aborted).toEqual(['draft a']);
    expect(begun).toEqual(['draft a', 'draft b']);
  });

  it('is collected, with what it had found', async () => {
    const { deps, finish, fail, item } = gatedThreads();
    const run = threadsFlow({ onError: 'collect' }).run(START, deps);
    await settle();
    await finish('draft b');
    await fail('check b', new AskemaError('BUDGET_EXCEEDED', 'no calls left'));
    await item('a');
    await fail('draft c', new Error('anything'));
    expect((await run).state.found).toEqual([
      '0 good draft-a check-a',
      '1 BUDGET_EXCEEDED draft-b -',
      '2 INTERNAL - -',
      'voted',
    ]);
  });
});
