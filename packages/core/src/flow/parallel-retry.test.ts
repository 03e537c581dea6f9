import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import {
  type EndedThread,
  START,
  type ThreadsDeps,
  type ThreadsState,
  threadsFlow,
} from './test-support/parallel-threads.ts';

const over = new AskemaError('BUDGET_EXCEEDED', 'no calls left');

/** Work in two calls, of which `isOut` may end the second. */
function calling(isOut: (call: string) => boolean) {
  const calls: string[] = [];
  const deps: ThreadsDeps = {
    work: (step, name, context) => {
      const call = `${step} ${name}`.trim();
      const ask = (part: string): Promise<string> =>
        context.memo('model', async () => {
          if (isOut(`${call} ${part}`)) throw over;
          calls.push(`${call} ${part}`);
          return `${step}-${name}`;
        });
      return ask('1').then(() => ask('2'));
    },
  };
  return { calls, deps };
}

type Options = Parameters<typeof threadsFlow>[0];

/** Notes how the threads ended, and breaks off when one failed. */
function strictFlow(options: Options = {}) {
  const flow = threadsFlow({ onError: 'collect', concurrency: 1, ...options });
  const { threads } = flow.steps;
  return flow.replace('threads', {
    ...threads,
    leave: (state: ThreadsState, ended: readonly EndedThread[]) => {
      threads.leave(state, ended);
      for (const item of ended) if (item.status === 'failed') throw item.error;
    },
  });
}

const isOut = (call: string): boolean => call === 'check b 2';
const never = (): boolean => false;

async function brokenOff(journal: Journal, options: Options = {}) {
  const flow = strictFlow(options);
  await expect(flow.run(START, calling(isOut).deps, { journal, runId: 'r' })).rejects.toBe(over);
  return flow;
}

describe('items that failed, when `leave` throws', () => {
  it('go on from their last finished call when the run is resumed, and no other does anything again', async () => {
    const journal = memoryJournal();
    const flow = await brokenOff(journal);
    const { calls, deps } = calling(never);
    const result = await flow.resume('r', deps, { journal });
    expect(calls).toEqual(['check b 2', 'vote 1', 'vote 2']);
    expect(result.state).toEqual((await flow.run(START, calling(never).deps)).state);
    expect((await flow.replay('r', { journal })).state).toEqual(result.state);
    expect((await flow.resume('r', deps, { journal })).state).toEqual(result.state);
    expect(calls).toHaveLength(3);
  });

  it('may fail again, and again be resumed', async () => {
    const journal = memoryJournal();
    const flow = await brokenOff(journal);
    const still = calling(isOut);
    await expect(flow.resume('r', still.deps, { journal })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(still.calls).toEqual([]);
    const { calls, deps } = calling(never);
    await flow.resume('r', deps, { journal });
    expect(calls).toEqual(['check b 2', 'vote 1', 'vote 2']);
  });

  it('are shown as they were by a replay, with what `leave` wrote', async () => {
    const journal = memoryJournal();
    const flow = await brokenOff(journal);
    const shown: unknown[] = [];
    const before = await journal.read('r');
    const onState = (state: Readonly<ThreadsState>): void => void shown.push(...state.found);
    await expect(flow.replay('r', { journal, onState })).rejects.toMatchObject({ message: over.message });
    expect(shown).toEqual(['0 good draft-a check-a', '1 BUDGET_EXCEEDED draft-b -', '2 good draft-c check-c']);
    expect(await journal.read('r')).toEqual(before);
  });

  it('take those along that were stopped because of them', async () => {
    const journal = memoryJournal();
    const enough: NonNullable<Options>['enough'] = (ended) => ended.length === 2;
    const flow = await brokenOff(journal, { enough });
    const all = strictFlow({ enough: (ended) => ended.some((item) => item.item === 2) });
    const { calls, deps } = calling(never);
    const result = await all.resume('r', deps, { journal });
    expect(calls).toEqual(['check b 2', 'draft c 1', 'draft c 2', 'check c 1', 'check c 2', 'vote 1', 'vote 2']);
    expect((await flow.replay('r', { journal })).state).toEqual(result.state);
  });

  it('go on in a fork from another item', async () => {
    const journal = memoryJournal();
    const flow = await brokenOff(journal);
    await flow.fork('r', { journal, newRunId: 's', from: 'f@1/threads#1/2/thread@1/check#1' });
    const { calls, deps } = calling(never);
    await flow.resume('s', deps, { journal });
    expect(calls.filter((call) => call.startsWith('check'))).toEqual([
      'check b 1',
      'check b 2',
      'check c 1',
      'check c 2',
    ]);
  });

  it('stay failed when `leave` had returned, whatever failed later', async () => {
    const journal = memoryJournal();
    const flow = threadsFlow({ onError: 'collect', concurrency: 1 });
    const late = calling((call) => isOut(call) || call === 'vote 2');
    await expect(flow.run(START, late.deps, { journal, runId: 'r' })).rejects.toBe(over);
    const { calls, deps } = calling(never);
    const { state } = await flow.resume('r', deps, { journal });
    expect(calls).toEqual(['vote 2']);
    expect(state.found[1]).toBe('1 BUDGET_EXCEEDED draft-b -');
  });

  it('go on after an abort, too', async () => {
    const journal = memoryJournal();
    const controller = new AbortController();
    const flow = threadsFlow({ onError: 'collect', concurrency: 1 });
    const stopping = calling((call) => {
      if (call === 'draft c 1') controller.abort();
      return isOut(call);
    });
    const run = flow.run(START, stopping.deps, { journal, runId: 'r', signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    const { calls, deps } = calling(never);
    const { state } = await flow.resume('r', deps, { journal });
    expect(calls).toContain('check b 2');
    expect(state.found[1]).toBe('1 good draft-b check-b');
  });
});
