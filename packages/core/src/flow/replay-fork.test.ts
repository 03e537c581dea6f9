import { describe, expect, it } from 'vitest';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import type { Journal } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { addStep, FINISHED, START, type TrailDeps, type TrailState, trailFlow } from './test-support/journaled-flow.ts';

async function recorded(fail?: string): Promise<Journal> {
  const journal = memoryJournal();
  const deps: TrailDeps = { calls: [], fail: new Set(fail === undefined ? [] : [fail]) };
  await trailFlow()
    .run(START, deps, { journal, runId: 'r' })
    .catch(() => {});
  return journal;
}

describe('replay', () => {
  it('gives the same result and calls no exec', async () => {
    const journal = await recorded();
    const before = await journal.read('r');
    // `replay` takes no dependencies at all: an exec would fail on `context.deps`.
    await expect(trailFlow().replay('r', { journal })).resolves.toMatchObject({
      status: 'finished',
      action: 'done',
      state: FINISHED,
      steps: 4,
    });
    expect(await journal.read('r')).toEqual(before);
  });

  it('scores recorded results with another post', async () => {
    const journal = await recorded();
    const flow = trailFlow();
    const louder = flow.replace('one', {
      ...flow.steps.one,
      post: (state, _n, sum) => {
        state.n = sum;
        state.trail.push('ONE');
      },
    });
    // Only what ends up in the state differs, so the journal says so at the end and not before.
    await expect(louder.replay('r', { journal })).rejects.toMatchObject({
      code: 'FLOW_NOT_DETERMINISTIC',
      details: { path: 'trail@1' },
    });
  });

  it('fails again with the recorded error when the run failed', async () => {
    const journal = await recorded('loop');
    await expect(trailFlow().replay('r', { journal })).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'Step `loop` failed in exec: loop failed',
    });
  });

  it('is suspended again when the run was', async () => {
    const journal = memoryJournal();
    const step = defineStep<TrailState>()({ name: 's', exec: (_i, context) => context.suspend('why'), post: () => {} });
    const flow = createFlow<TrailState>({ name: 'f' }).step(step, { default: end }).build();
    const suspended = await flow.run(START, {}, { journal, runId: 'r' });
    expect(await flow.replay('r', { journal })).toEqual(suspended);
  });

  it('names the result that is missing', async () => {
    const journal = await recorded();
    const cut: Journal = { ...journal, read: async (runId) => (await journal.read(runId)).slice(0, 4) };
    await expect(trailFlow().replay('r', { journal: cut })).rejects.toMatchObject({
      code: 'RECORDING_MISSING',
      message: expect.stringMatching(/no result for `trail@1\/loop#1`/),
    });
    await expect(trailFlow().replay('x', { journal })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

describe('fork', () => {
  it('does everything from a step on again, in a run of its own', async () => {
    const journal = await recorded();
    const before = await journal.read('r');
    const flow = trailFlow();
    const fork = await flow.fork('r', { journal, newRunId: 'r2', from: 'two' });
    expect(fork).toEqual({ runId: 'r2', path: 'trail@1/two#1' });
    const deps: TrailDeps = { calls: [] };
    await expect(flow.resume('r2', deps, { journal })).resolves.toMatchObject({ runId: 'r2', state: FINISHED });
    expect(deps.calls).toEqual(['two', 'loop', 'loop']);
    expect(await journal.read('r')).toEqual(before);
    expect((await journal.read('r2'))[0]).toMatchObject({ runId: 'r2', forkedFrom: { runId: 'r', path: 'two' } });
  });

  it.each([
    ['loop#2', ['loop']],
    ['trail@1/loop#1', ['loop', 'loop']],
    ['one', ['one', 'two', 'loop', 'loop']],
  ])('starts from %s', async (from, calls) => {
    const journal = await recorded();
    const flow = trailFlow();
    await flow.fork('r', { journal, newRunId: 'r2', from });
    const deps: TrailDeps = { calls: [] };
    await expect(flow.resume('r2', deps, { journal })).resolves.toMatchObject({ state: FINISHED });
    expect(deps.calls).toEqual(calls);
  });

  it('goes on with an edited state, also after another crash', async () => {
    const journal = await recorded();
    const flow = trailFlow();
    await flow.fork('r', {
      journal,
      newRunId: 'r2',
      from: 'loop',
      edit: (state) => {
        state.n = 100;
      },
    });
    await expect(flow.resume('r2', { calls: [], fail: new Set(['loop']) }, { journal })).rejects.toThrow('loop failed');
    const deps: TrailDeps = { calls: [] };
    await expect(flow.resume('r2', deps, { journal })).resolves.toMatchObject({
      state: { n: 105, trail: ['one', 'two', 'loop'] },
    });
    expect(deps.calls).toEqual(['loop']);
    await expect(flow.replay('r2', { journal })).resolves.toMatchObject({ state: { n: 105 } });
  });

  it('takes a failed run on with a changed flow of another version', async () => {
    const journal = await recorded('loop');
    const changed = trailFlow().with({ version: 2 }).after('loop', addStep('bonus', 1000), 'done');
    await changed.fork('r', { journal, newRunId: 'r2', from: 'loop' });
    const deps: TrailDeps = { calls: [] };
    await expect(changed.resume('r2', deps, { journal })).resolves.toMatchObject({
      state: { n: FINISHED.n + 1000, trail: [...FINISHED.trail, 'bonus'] },
    });
    expect(deps.calls).toEqual(['loop', 'loop', 'bonus']);
  });

  it('works inside an inner flow that shares the state, and edits it', async () => {
    const journal = memoryJournal();
    const outer = createFlow<TrailState, TrailDeps>({ name: 'outer' })
      .flow('inner', trailFlow(), { done: 'last' })
      .step(addStep('last', 1), { default: end })
      .build();
    await outer.run(START, { calls: [] }, { journal, runId: 'r' });
    await outer.fork('r', {
      journal,
      newRunId: 'r2',
      from: 'inner#1/trail@1/loop#2',
      edit: (state) => {
        state.trail = ['edited'];
      },
    });
    const deps: TrailDeps = { calls: [] };
    const result = await outer.resume('r2', deps, { journal });
    expect(result.state).toEqual({ n: FINISHED.n + 1, trail: ['edited', 'loop', 'last'] });
    expect(deps.calls).toEqual(['loop', 'last']);
  });

  it('refuses what it cannot do', async () => {
    const journal = await recorded();
    const flow = trailFlow();
    const fork = (from: string, newRunId = 'r2') => flow.fork('r', { journal, newRunId, from });
    await expect(fork('lop')).rejects.toMatchObject({
      code: 'FLOW_INVALID',
      message: expect.stringMatching(/never came to `lop`\. Did you mean `loop`/),
    });
    await expect(fork('loop#3')).rejects.toMatchObject({ code: 'FLOW_INVALID' });
    await expect(fork('two', 'r')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(flow.with({ name: 'other' }).fork('r', { journal, newRunId: 'x', from: 'two' })).rejects.toMatchObject(
      { code: 'FLOW_CHANGED' },
    );
    const otherBefore = flow.before('one', addStep('extra', 1));
    await expect(otherBefore.fork('r', { journal, newRunId: 'x', from: 'two' })).rejects.toMatchObject({
      code: 'FLOW_INVALID',
    });
    expect(await journal.runIds()).toEqual(['r']);
  });

  it('refuses to edit the state of an inner flow that has its own', async () => {
    const journal = memoryJournal();
    const mapping = {
      enter: (state: { total: number }) => ({ n: state.total, trail: [] }),
      leave: () => {},
    };
    const outer = createFlow<{ total: number }, TrailDeps>({ name: 'outer' })
      .flow('inner', trailFlow(), { done: end }, mapping)
      .build();
    await outer.run({ total: 1 }, { calls: [] }, { journal, runId: 'r' });
    const from = 'inner#1/trail@1/two#1';
    await expect(outer.fork('r', { journal, newRunId: 'x', from, edit: () => {} })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await outer.fork('r', { journal, newRunId: 'r2', from });
    const deps: TrailDeps = { calls: [] };
    await outer.resume('r2', deps, { journal });
    expect(deps.calls[0]).toBe('two');
  });
});
