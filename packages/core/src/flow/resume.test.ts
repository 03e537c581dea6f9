import { describe, expect, it } from 'vitest';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { addStep, FINISHED, START, type TrailDeps, type TrailState, trailFlow } from './test-support/journaled-flow.ts';

describe('resume', () => {
  it('takes a failed run up at the step that failed', async () => {
    const journal = memoryJournal();
    const flow = trailFlow();
    const first: TrailDeps = { calls: [], fail: new Set(['loop']) };
    await expect(flow.run(START, first, { journal, runId: 'r' })).rejects.toThrow('loop failed');
    const second: TrailDeps = { calls: [] };
    const result = await flow.resume('r', second, { journal });
    expect(result).toMatchObject({ status: 'finished', action: 'done', runId: 'r', state: FINISHED, steps: 4 });
    expect(second.calls).toEqual(['loop', 'loop']);
  });

  it('gives the result of a finished run again, and changes nothing', async () => {
    const journal = memoryJournal();
    const flow = trailFlow();
    await flow.run(START, { calls: [] }, { journal, runId: 'r' });
    const before = await journal.read('r');
    const deps: TrailDeps = { calls: [] };
    await expect(flow.resume('r', deps, { journal })).resolves.toMatchObject({ action: 'done', state: FINISHED });
    expect(deps.calls).toEqual([]);
    expect(await journal.read('r')).toEqual(before);
  });

  it('carries tags and tenant over, and exact values', async () => {
    const journal = memoryJournal();
    interface Rich {
      big: bigint;
      bytes: Uint8Array;
      gone?: undefined;
      result?: unknown;
    }
    let blocked = true;
    const seen: unknown[] = [];
    const step = defineStep<Rich>()({
      name: 's',
      prep: (state) => state.big,
      exec: (big, context) => {
        seen.push([context.tags, context.tenant]);
        if (blocked) throw new Error('not yet');
        return { big: big + 1n, missing: undefined, not: Number.NaN };
      },
      post: (state, _input, result) => {
        state.result = result;
      },
    });
    const flow = createFlow<Rich>({ name: 'rich' }).step(step, { default: end }).build();
    const state = { big: 2n ** 70n, bytes: new Uint8Array([1, 2]), gone: undefined };
    const options = { journal, runId: 'r', tags: { team: 'x' }, tenant: 't' };
    await expect(flow.run(state, {}, options)).rejects.toThrow('not yet');
    blocked = false;
    await flow.resume('r', {}, { journal });
    const again = await flow.resume('r', {}, { journal });
    expect(again.state).toEqual({
      ...state,
      result: { big: 2n ** 70n + 1n, missing: undefined, not: Number.NaN },
    });
    expect(seen[1]).toEqual([{ team: 'x' }, 't']);
  });

  it('repeats only the items of a batch that were not finished', async () => {
    const journal = memoryJournal();
    const calls: number[] = [];
    let broken = true;
    const batch = defineBatchStep<TrailState>()({
      name: 'batch',
      prep: () => [1, 2, 3, 4],
      exec: async (item) => {
        calls.push(item);
        if (broken && item === 3) throw new Error('no');
        return item * 2;
      },
      post: (state, _items, results) => {
        state.n = results.reduce((sum, value) => sum + value, 0);
      },
    });
    const flow = createFlow<TrailState>({ name: 'f' }).step(batch, { default: end }).build();
    await expect(flow.run(START, {}, { journal, runId: 'r' })).rejects.toThrow('no');
    broken = false;
    await expect(flow.resume('r', {}, { journal })).resolves.toMatchObject({ state: { n: 20 } });
    expect(calls).toEqual([1, 2, 3, 3, 4]);
  });

  it('resumes inside an inner flow with a state of its own', async () => {
    const journal = memoryJournal();
    const outer = createFlow<{ total: number }, TrailDeps>({ name: 'outer' })
      .flow(
        'inner',
        trailFlow(),
        { done: end },
        {
          enter: (state) => ({ n: state.total, trail: [] }),
          leave: (state, inner) => {
            state.total = inner.n;
          },
        },
      )
      .build();
    const failing = { calls: [], fail: new Set(['two']) };
    await expect(outer.run({ total: 10 }, failing, { journal, runId: 'r' })).rejects.toThrow('two failed');
    const deps: TrailDeps = { calls: [] };
    await expect(outer.resume('r', deps, { journal })).resolves.toMatchObject({ state: { total: FINISHED.n } });
    expect(deps.calls).toEqual(['two', 'loop', 'loop']);
    expect((await journal.read('r')).find((entry) => entry.kind === 'exec')?.path).toBe(
      'outer@1/inner#1/trail@1/one#1',
    );
  });

  it('refuses an unknown run, a taken run id and an answer that nobody asked for', async () => {
    const journal = memoryJournal();
    const flow = trailFlow();
    await flow.run(START, { calls: [] }, { journal, runId: 'run-one' });
    await expect(flow.resume('run-on', { calls: [] }, { journal })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'The journal has no run `run-on`. Did you mean `run-one`?',
    });
    await expect(flow.run(START, { calls: [] }, { journal, runId: 'run-one' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/exists already/),
    });
    await expect(flow.resume('run-one', { calls: [] }, { journal, answer: 1 })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/waits for no answer/),
    });
  });

  it('keeps a second process out while a run is going', async () => {
    const journal = memoryJournal();
    const flow = trailFlow();
    const peek = { ...addStep('one', 1), exec: () => flow.resume('r', { calls: [] }, { journal }).then(() => 0) };
    const inside = flow.replace('one', peek).run(START, { calls: [] }, { journal, runId: 'r' });
    await expect(inside).rejects.toMatchObject({ code: 'JOURNAL_LOCKED', retryable: true });
  });

  it('stops when the journal cannot be written, whatever the step makes of that', async () => {
    const journal = memoryJournal();
    const full = {
      ...journal,
      open: async (runId: string) => {
        const opened = await journal.open(runId);
        return {
          ...opened,
          append: async (entries: Parameters<typeof opened.append>[0]) => {
            if (entries.some((entry) => entry.kind === 'call')) throw new Error('disk full');
            return opened.append(entries);
          },
        };
      },
    };
    const step = defineStep<TrailState>()({
      name: 's',
      exec: (_input, context) => context.memo('a', async () => 1).catch(() => 2),
      fallback: () => 3,
      post: () => {},
      retry: { attempts: 5, when: () => true },
    });
    const flow = createFlow<TrailState>({ name: 'f' }).step(step, { default: end }).build();
    await expect(flow.run(START, {}, { journal: full, runId: 'r' })).rejects.toThrow('disk full');
  });
});

describe('a changed flow', () => {
  const recorded = async () => {
    const journal = memoryJournal();
    await expect(
      trailFlow().run(START, { calls: [], fail: new Set(['loop']) }, { journal, runId: 'r' }),
    ).rejects.toThrow();
    return journal;
  };

  it.each([
    ['another name', () => trailFlow().with({ name: 'other' }), /`trail@1`, and this is `other@1`/],
    ['another version', () => trailFlow().with({ version: 2 }), /`trail@1`, and this is `trail@2`/],
    ['another step', () => trailFlow().before('two', addStep('extra', 1)), /other steps or routes/],
    ['a step less', () => trailFlow().without('one'), /other steps or routes/],
    ['another route', () => trailFlow().reroute('loop', { again: end('tired') }), /other steps or routes/],
    ['a step of another name in its place', () => trailFlow().replace('two', addStep('ten', 10)), /other steps/],
  ])('with %s is FLOW_CHANGED', async (_what, change, message) => {
    const journal = await recorded();
    const changed = { code: 'FLOW_CHANGED', message: expect.stringMatching(message) };
    await expect(change().resume('r', { calls: [] }, { journal })).rejects.toMatchObject(changed);
    await expect(change().replay('r', { journal })).rejects.toMatchObject(changed);
  });

  it('with another exec or step limit is not', async () => {
    const journal = await recorded();
    const flow = trailFlow().with({ maxSteps: 50 });
    const mended = flow.replace('loop', { ...flow.steps.loop, retry: { attempts: 2 } });
    await expect(mended.resume('r', { calls: [] }, { journal })).resolves.toMatchObject({ state: FINISHED });
  });
});

describe('a flow that is not deterministic', () => {
  const flowOf = (world: { prep: unknown; action: 'left' | 'right'; note: unknown }) => {
    const decide = defineStep<{ note?: unknown }>()({
      name: 'decide',
      actions: ['left', 'right'],
      prep: () => world.prep,
      exec: () => 1,
      post: (state) => {
        state.note = world.note;
        return world.action;
      },
    });
    const last = defineStep<{ note?: unknown }>()({
      name: 'last',
      exec: () => {
        if (world.prep === 'crash') throw new Error('crash');
        return 1;
      },
      post: () => {},
    });
    return createFlow<{ note?: unknown }>({ name: 'f' })
      .step(decide, { left: 'last', right: 'last' })
      .step(last, { default: end })
      .build();
  };
  const cases = [
    ['prep returns something else', { prep: 'b' }, /decide#1`: `prep` returned something other/],
    ['post returns another action', { action: 'right' }, /decide#1`: `post` returned `right`, and `left` was recorded/],
    ['post writes something else', { note: 2 }, /ended with another action or state/],
  ] as const;

  it.each(cases)('is noticed on resume and replay when %s', async (_what, change, message) => {
    const journal = memoryJournal();
    const world: Parameters<typeof flowOf>[0] = { prep: 'a', action: 'left', note: 1 };
    const flow = flowOf(world);
    await flow.run({}, {}, { journal, runId: 'r' });
    const before = await journal.read('r');
    Object.assign(world, change);
    const expected = { code: 'FLOW_NOT_DETERMINISTIC', message: expect.stringMatching(message) };
    await expect(flow.resume('r', {}, { journal })).rejects.toMatchObject(expected);
    await expect(flow.replay('r', { journal })).rejects.toMatchObject(expected);
    expect(await journal.read('r')).toEqual(before);
  });
});
