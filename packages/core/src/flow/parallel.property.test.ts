import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import type { Flow } from './flow.ts';
import type { JournalEntry } from './journal.ts';
import { memoryJournal } from './memory-journal.ts';
import type { EndedItem } from './parallel-flow.ts';
import { end } from './routes.ts';
import { crashingJournal } from './test-support/crashing-journal.ts';

/** One step of an item: so many calls, each so many ticks long; then it may fail, or run items of its own. */
interface StepPlan {
  readonly calls: number;
  readonly ticks: number;
  readonly fails: boolean;
  readonly nested: readonly (readonly StepPlan[])[];
}
interface Plan {
  readonly items: readonly (readonly StepPlan[])[];
  readonly concurrency: number;
  /** So many finished items are enough. */
  readonly enough: number;
  readonly rounds: number;
}
interface Item {
  plan: StepPlan[];
  at: number;
  trail: unknown[];
}
interface State {
  round: number;
  seen: unknown[];
}
interface Deps {
  /** Every real execution of a call, by path. */
  readonly executed: Map<string, number>;
}

const { items: itemPlans } = fc.letrec<{ step: StepPlan; items: StepPlan[][] }>((tie) => ({
  step: fc.record({
    calls: fc.nat({ max: 2 }),
    ticks: fc.nat({ max: 3 }),
    fails: fc.nat({ max: 3 }).map((dice) => dice === 0),
    nested: fc.oneof({ maxDepth: 1, withCrossShrink: true }, fc.constant([]), tie('items')),
  }),
  items: fc.array(fc.array(tie('step'), { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
}));
const plan: fc.Arbitrary<Plan> = fc.record({
  items: itemPlans,
  concurrency: fc.integer({ min: 1, max: 4 }),
  enough: fc.integer({ min: 1, max: 4 }),
  rounds: fc.integer({ min: 1, max: 2 }),
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const work = defineStep<Item, Deps>()({
  name: 'work',
  actions: ['more', 'nested', 'done'],
  prep: (state) => state.plan[state.at],
  exec: async (step, context) => {
    const { deps } = context;
    const results: string[] = [];
    for (let call = 0; call < (step?.calls ?? 0); call += 1) {
      results.push(
        await context.memo('model', async (inner) => {
          for (let ticks = 0; ticks < (step?.ticks ?? 0); ticks += 1) await tick();
          deps.executed.set(inner.path, (deps.executed.get(inner.path) ?? 0) + 1);
          return inner.path;
        }),
      );
    }
    if (step?.fails) {
      await context.memo('model', async (inner) => {
        throw new AskemaError('BUDGET_EXCEEDED', `nothing left at ${inner.path}`);
      });
    }
    return results;
  },
  post: (state, step, results) => {
    state.trail.push(results);
    if (step !== undefined && step.nested.length > 0) return 'nested';
    state.at += 1;
    return state.at < state.plan.length ? 'more' : 'done';
  },
});
const next = defineStep<Item, Deps>()({
  name: 'next',
  actions: ['more', 'done'],
  exec: () => 1,
  post: (state) => {
    state.at += 1;
    return state.at < state.plan.length ? 'more' : 'done';
  },
});
const begin = (steps: readonly StepPlan[]): Item => ({ plan: [...steps], at: 0, trail: [] });
const show = (ended: EndedItem<Item, string>): unknown => [
  ended.item,
  ended.status,
  ended.status === 'failed' ? ended.error.message : '',
  ended.state.at,
  ended.state.trail,
];
const isEnough =
  (count: number) =>
  (ended: readonly EndedItem<Item, string>[]): boolean =>
    ended.filter((item) => item.status === 'finished').length >= count;

const leaf = createFlow<Item, Deps>({ name: 'leaf' })
  .step(work, { more: 'work', nested: 'next', done: end })
  .step(next, { more: 'work', done: end })
  .build();
const item = (enough: number) =>
  createFlow<Item, Deps>({ name: 'item' })
    .step(work, { more: 'work', nested: 'nested', done: end })
    .parallel(
      'nested',
      leaf,
      { default: 'next' },
      {
        enter: (state) => (state.plan[state.at]?.nested ?? []).map(begin),
        leave: (state, ended) => void state.trail.push(ended.map(show)),
        enough: isEnough(enough),
        onError: 'collect',
      },
    )
    .step(next, { more: 'work', done: end })
    .build();
const last = defineStep<State, Deps>()({
  name: 'last',
  actions: ['again', 'done'],
  prep: (state) => state.round,
  exec: (round) => round + 1,
  post: (state, _round, round) => {
    state.round = round;
    return round % 2 === 0 ? 'done' : 'again';
  },
});
const flowOf = ({ items, concurrency, enough, rounds }: Plan): Flow<State, Deps, string> =>
  createFlow<State, Deps>({ name: 'f' })
    .parallel(
      'threads',
      item(enough),
      { default: 'last' },
      {
        enter: () => items.map(begin),
        leave: (state, ended) => void state.seen.push(ended.map(show)),
        concurrency,
        enough: isEnough(enough),
        onError: 'collect',
      },
    )
    .step(last, { again: rounds === 1 ? end('done') : 'threads', done: end })
    .build();

const ok: StepPlan = { calls: 0, ticks: 0, fails: false, nested: [] };
const failing: StepPlan = { ...ok, fails: true };
/** Once found at random: an item is stopped while what it resumes ends by its recorded results alone. */
const nestedEndsWithoutWork: Plan = {
  items: [[{ ...ok, nested: [[ok], [failing]] }], [{ ...ok, nested: [[failing]] }], [{ ...ok, nested: [[failing]] }]],
  concurrency: 3,
  enough: 1,
  rounds: 1,
};

const isItemEnd = (entry: JournalEntry): boolean => entry.kind === 'exec' && /\/\d+$/.test(entry.path);

describe('parallel items that fail, are stopped, and crash anywhere', () => {
  it('do nothing twice, and end as they were recorded to end', async () => {
    const seen = { stopped: 0, failed: 0, crashes: 0, partial: 0 };
    await fc.assert(
      fc.asyncProperty(plan, fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), async (itemPlan, crashes) => {
        const flow = flowOf(itemPlan);
        const start: State = { round: 0, seen: [] };
        const journal = memoryJournal();
        const deps: Deps = { executed: new Map() };
        let result: Awaited<ReturnType<typeof flow.run>> | undefined;
        for (const crash of [...crashes, undefined]) {
          const before = await journal.read('r');
          const executed = new Map(deps.executed);
          const crashing = crashingJournal(journal, crash);
          const pass =
            before.length === 0
              ? flow.run(start, deps, { runId: 'r', journal: crashing })
              : flow.resume('r', deps, { journal: crashing });
          result = await pass.catch((thrown: unknown) => {
            if (!String(thrown).includes('dead')) throw thrown;
            seen.crashes += 1;
            return undefined;
          });
          // What an abandoned call still does belongs to this pass.
          for (let ticks = 0; ticks < 5; ticks += 1) await tick();
          for (const { kind, path } of before) {
            if (kind === 'call' || kind === 'exec')
              expect([path, deps.executed.get(path)]).toEqual([path, executed.get(path)]);
          }
        }
        const entries = await journal.read('r');
        const ends = entries.filter(isItemEnd).map((entry) => entry.path);
        expect(new Set(ends).size).toBe(ends.length);
        const replayed = await flow.replay('r', { journal });
        expect(replayed.state).toEqual(result?.state);
        expect(replayed).toMatchObject({ steps: (result as { steps: number }).steps });
        const again = await flow.resume('r', deps, { journal });
        expect(again.state).toEqual(result?.state);
        const text = JSON.stringify(result?.state.seen);
        if (text.includes('"stopped"')) seen.stopped += 1;
        if (text.includes('"failed"')) seen.failed += 1;
        if (/"stopped","",[1-9]/.test(text)) seen.partial += 1;
      }),
      { numRuns: propertyRuns(300), examples: [[nestedEndsWithoutWork, [14]]] },
    );
    // The plans must be of the kind that this is about.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(3);
  }, 120_000);

  it('can be forked at every step, and repeat nothing that came before it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (itemPlan, choice) => {
        const flow = flowOf(itemPlan);
        const journal = memoryJournal();
        const deps: Deps = { executed: new Map() };
        const result = await flow.run({ round: 0, seen: [] }, deps, { journal, runId: 'r' });
        const steps = (await journal.read('r')).filter((entry) => entry.kind === 'step');
        const from = steps[choice % steps.length]?.path ?? '';
        await flow.fork('r', { journal, newRunId: 's', from });
        for (let ticks = 0; ticks < 5; ticks += 1) await tick();
        const shared = (await journal.read('s')).map((entry) => entry.path);
        expect(shared.filter((path) => path === from || path.startsWith(`${from}/`))).toEqual([]);
        const again: Deps = { executed: new Map() };
        const forked = await flow.resume('s', again, { journal });
        for (const path of again.executed.keys()) {
          expect(shared.filter((known) => path === known || path.startsWith(`${known}/model`))).toEqual([]);
        }
        expect((await flow.replay('s', { journal })).state).toEqual(forked.state);
        expect((await flow.replay('r', { journal })).state).toEqual(result.state);
      }),
      { numRuns: propertyRuns(60) },
    );
  }, 120_000);
});
