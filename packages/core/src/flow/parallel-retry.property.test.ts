import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import type { EndedItem } from './parallel-flow.ts';
import { end } from './routes.ts';
import type { StepContext } from './step.ts';
import { crashingJournal } from './test-support/crashing-journal.ts';

const over = new AskemaError('BUDGET_EXCEEDED', 'no calls left');

/** So many calls; then so many items of its own. */
interface Work {
  readonly calls: number;
  readonly inner: readonly Work[];
}
interface Item {
  work: Work;
  trail: unknown[];
}
interface Deps {
  /** Calls that this pass may make. */
  left: number;
  readonly executed: Map<string, number>;
}

const { work: works } = fc.letrec<{ work: Work }>((tie) => ({
  work: fc.record({
    calls: fc.nat({ max: 2 }),
    inner: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant([]),
      fc.array(tie('work'), { minLength: 1, maxLength: 3 }),
    ),
  }),
}));

const askModel = async (count: number, context: StepContext<Deps>): Promise<readonly string[]> => {
  const answers: string[] = [];
  for (let call = 0; call < count; call += 1) {
    answers.push(
      await context.memo('model', async ({ path }) => {
        await new Promise<void>((resolve) => setImmediate(resolve));
        if (context.deps.left <= 0) throw over;
        context.deps.left -= 1;
        context.deps.executed.set(path, (context.deps.executed.get(path) ?? 0) + 1);
        return path;
      }),
    );
  }
  return answers;
};
const ask = defineStep<Item, Deps>()({
  name: 'ask',
  actions: ['inner', 'done'],
  prep: (state) => state.work.calls,
  exec: askModel,
  post: (state, _count, answers) => {
    state.trail.push(answers);
    return state.work.inner.length > 0 ? 'inner' : 'done';
  },
});
/** May fail when the items before it have been gathered. */
const last = defineStep<Item, Deps>()({
  name: 'last',
  exec: (_input, context) => askModel(1, context),
  post: (state, _input, answers) => void state.trail.push(answers),
});

/** How one level gathers its items: does it break off when one failed, and how many that finished are enough? */
interface Level {
  readonly isStrict: boolean;
  readonly enough: number;
}
const gather = (state: Item, ended: readonly EndedItem<Item, string>[], isStrict: boolean): void => {
  state.trail.push(ended.map((item) => [item.status, item.state.trail]));
  for (const item of ended) if (isStrict && item.status === 'failed') throw item.error;
};
const leaf = createFlow<Item, Deps>({ name: 'leaf' })
  .step(ask, { inner: end('done'), done: end })
  .build();
const wrap = (inner: typeof leaf, { isStrict, enough }: Level, concurrency: number) =>
  createFlow<Item, Deps>({ name: 'level' })
    .step(ask, { inner: 'items', done: end })
    .parallel(
      'items',
      inner,
      { default: 'last' },
      {
        enter: (state) => state.work.inner.map((work): Item => ({ work, trail: [] })),
        leave: (state, ended) => gather(state, ended, isStrict),
        enough: (ended) => ended.filter(({ status }) => status === 'finished').length >= enough,
        concurrency,
        onError: 'collect',
      },
    )
    .step(last, { default: end('done') })
    .build();
const ALL: Level = { isStrict: true, enough: Number.POSITIVE_INFINITY };
const level = fc.oneof(
  fc.constant(ALL),
  fc.record({ isStrict: fc.boolean(), enough: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY) }),
);

const ENDLESS = Number.POSITIVE_INFINITY;
const call: Work = { calls: 1, inner: [] };
const workOf = (calls: number, ...inner: readonly Work[]): Work => ({ calls, inner });

describe('items of items', () => {
  const run = async (flow: ReturnType<typeof wrap>, work: Work, left: number) => {
    const journal = memoryJournal();
    const executed = new Map<string, number>();
    const first = flow.run({ work, trail: [] }, { left, executed }, { journal, runId: 'r' });
    await expect(first).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    executed.clear();
    const { state } = await flow.resume('r', { left: ENDLESS, executed }, { journal });
    expect((await flow.replay('r', { journal })).state).toEqual(state);
    return { state, calls: [...executed.keys()] };
  };

  it('stay as they were where the outer node was left with their failure', async () => {
    const flow = wrap(wrap(leaf, ALL, 1) as never, { ...ALL, isStrict: false }, 1);
    const { state, calls } = await run(flow, workOf(0, workOf(0, call, call)), 1);
    expect(calls).toEqual(['level@1/last#1/model#1']);
    expect(JSON.stringify(state.trail)).toMatch(/\["failed",\[\[\],\[\["finished",.*\["failed"/);
  });

  it('are as far as they came where they were tried again and then stopped', async () => {
    const flow = wrap(wrap(leaf, ALL, 1) as never, { ...ALL, enough: 1 }, 2);
    const { state } = await run(flow, workOf(0, workOf(0, workOf(9)), call), 0);
    expect(state.trail[1]).toMatchObject([
      ['stopped', [[]]],
      ['finished', [{ length: 1 }]],
    ]);
  });
});

describe('items whose budget ends again and again, in a process that crashes', () => {
  it('are taken up until all is done, and nothing that was recorded is asked twice', async () => {
    const seen = { retried: 0, crashes: 0, nested: 0, whole: 0, stopped: 0 };
    const passes = fc.array(fc.record({ left: fc.nat({ max: 4 }), crash: fc.option(fc.nat({ max: 20 })) }), {
      maxLength: 6,
    });
    const levels = fc.tuple(level, level, level);
    await fc.assert(
      fc.asyncProperty(
        works,
        levels,
        fc.integer({ min: 1, max: 3 }),
        passes,
        async (work, plan, concurrency, broken) => {
          const flow = plan.reduce(
            (inner, one) => wrap(inner as typeof leaf, one, concurrency),
            leaf as ReturnType<typeof wrap>,
          );
          const start: Item = { work, trail: [] };
          const journal = memoryJournal();
          const executed = new Map<string, number>();
          const go = async (left: number, crash: number | undefined) => {
            const deps: Deps = { left, executed };
            const before = await journal.read('r');
            const known = new Map(executed);
            const crashing = crashingJournal(journal, crash);
            const pass =
              before.length === 0
                ? flow.run(start, deps, { runId: 'r', journal: crashing })
                : flow.resume('r', deps, { journal: crashing });
            const result = await pass.catch((thrown: unknown) => {
              if (String(thrown).includes('dead')) seen.crashes += 1;
              else expect(thrown).toMatchObject({ code: 'BUDGET_EXCEEDED' });
              return undefined;
            });
            // What an abandoned call still does belongs to this pass.
            for (let ticks = 0; ticks < 3; ticks += 1) await new Promise<void>((resolve) => setImmediate(resolve));
            for (const { kind, path } of before) {
              if (kind === 'call') expect([path, executed.get(path)]).toEqual([path, known.get(path)]);
            }
            return result;
          };
          for (const { left, crash } of broken) await go(left, crash ?? undefined);
          // A crash leaves ends of items that stand: then the first pass ends as failed, and the next one takes them
          // up.
          let result: Awaited<ReturnType<typeof go>>;
          for (let pass = 0; pass < 4 && result === undefined; pass += 1) result = await go(ENDLESS, undefined);
          expect((await flow.replay('r', { journal })).state).toEqual(result?.state);
          expect((await go(0, undefined))?.state).toEqual(result?.state);
          if (plan.every((one) => one === ALL)) {
            const whole = await flow.run(start, { left: ENDLESS, executed: new Map() });
            expect(result?.state).toEqual(whole.state);
            seen.whole += 1;
          }
          if (JSON.stringify(result?.state).includes('"stopped"')) seen.stopped += 1;
          const retries = (await journal.read('r')).filter(({ kind }) => kind === 'retry');
          if (retries.length > 0) seen.retried += 1;
          if (retries.some(({ path }) => path.split('items#').length > 2)) seen.nested += 1;
        },
      ),
      { numRuns: propertyRuns(250) },
    );
    // The plans must be of the kind that this is about.
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(3);
  }, 120_000);
});
