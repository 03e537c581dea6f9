import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow, type FlowBuilder } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import type { Flow, FlowSteps } from './flow.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import type { StepContext } from './step.ts';
import { crashingJournal } from './test-support/crashing-journal.ts';

/** What happens inside one exec: calls one after another, or at the same time, some with calls inside. */
interface Work {
  readonly calls: readonly { readonly name: string; readonly nested: number; readonly delay: number }[];
  readonly concurrent: boolean;
  /** The first attempt fails with a retryable error. */
  readonly flaky: boolean;
}
type Part =
  | { readonly kind: 'step'; readonly work: Work }
  | { readonly kind: 'batch'; readonly items: readonly Work[]; readonly concurrency: number }
  | { readonly kind: 'inner'; readonly parts: readonly Part[]; readonly own: boolean }
  | {
      readonly kind: 'parallel';
      readonly parts: readonly Part[];
      readonly items: number;
      readonly concurrency: number;
    };
interface Plan {
  readonly parts: readonly Part[];
  /** The last step goes back to the first one so often. */
  readonly rounds: number;
}
interface State {
  seen: unknown[];
  rounds: number;
}
interface Deps {
  /** Every real execution, by path; a second one of the same is counted. */
  readonly executed: Map<string, number>;
  readonly flaked: Set<string>;
}

const work: fc.Arbitrary<Work> = fc.record({
  calls: fc.array(
    fc.record({ name: fc.constantFrom('a', 'b'), nested: fc.integer({ min: 0, max: 2 }), delay: fc.nat({ max: 3 }) }),
    { maxLength: 4 },
  ),
  concurrent: fc.boolean(),
  flaky: fc.boolean(),
});
const { part } = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('step' as const), work }),
    fc.record({
      kind: fc.constant('batch' as const),
      items: fc.array(work, { maxLength: 4 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({
      kind: fc.constant('inner' as const),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
      own: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('parallel' as const),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
      items: fc.integer({ min: 0, max: 3 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
    }),
  ),
}));
const plan: fc.Arbitrary<Plan> = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 4 }),
  rounds: fc.integer({ min: 1, max: 3 }),
});

function execute(deps: Deps, path: string): void {
  deps.executed.set(path, (deps.executed.get(path) ?? 0) + 1);
}

async function doWork({ calls, concurrent, flaky }: Work, context: StepContext<Deps>): Promise<unknown> {
  const { deps } = context;
  const one = (call: Work['calls'][number]): Promise<unknown> =>
    context.memo(call.name, async (inner) => {
      for (let tick = 0; tick < call.delay; tick += 1) await new Promise((resolve) => setImmediate(resolve));
      const nested: unknown[] = [];
      for (let index = 0; index < call.nested; index += 1) {
        nested.push(
          await inner.memo?.('nested', async (innermost) => {
            execute(deps, innermost.path);
            return innermost.path;
          }),
        );
      }
      execute(deps, inner.path);
      return [inner.path, ...nested];
    });
  const results: unknown[] = [];
  if (concurrent) results.push(...(await Promise.all(calls.map(one))));
  else for (const call of calls) results.push(await one(call));
  if (flaky && !deps.flaked.has(context.path)) {
    deps.flaked.add(context.path);
    throw new AskemaError('DATABASE_UNAVAILABLE', 'flaky', { retryable: true });
  }
  execute(deps, context.path);
  return results;
}

type AnyFlow = Flow<State, Deps, string>;

function build(name: string, parts: readonly Part[], rounds: number): AnyFlow {
  let builder: FlowBuilder<State, Deps, FlowSteps, string> = createFlow<State, Deps>({ name, maxSteps: 1000 });
  for (const [index, current] of parts.entries()) {
    const next = index === parts.length - 1 ? 'last' : `s${index + 1}`;
    builder = addPart(builder, `s${index}`, current, next);
  }
  const last = defineStep<State, Deps>()({
    name: 'last',
    actions: ['again', 'done'],
    prep: (state) => state.rounds,
    exec: (done) => done + 1,
    post: (state, _before, done) => {
      state.rounds = done;
      return done % rounds === 0 ? 'done' : 'again';
    },
  });
  return builder.step(last, { again: 's0', done: end }).build();
}

function addPart(
  builder: FlowBuilder<State, Deps, FlowSteps, string>,
  name: string,
  current: Part,
  next: string,
): FlowBuilder<State, Deps, FlowSteps, string> {
  const retry = { attempts: 2 };
  if (current.kind === 'inner') {
    const inner = build(`inner-${name}`, current.parts, 1);
    const mapping = {
      enter: (state: Readonly<State>): State => ({ seen: [state.seen.length], rounds: 0 }),
      leave: (state: State, found: Readonly<State>) => void state.seen.push(found.seen),
    };
    return builder.flow(name, inner, { done: next } as Record<string, string>, current.own ? mapping : undefined);
  }
  if (current.kind === 'parallel') {
    return builder.parallel(
      name,
      build(`item-${name}`, current.parts, 1),
      { default: next },
      {
        enter: (state) =>
          Array.from({ length: current.items }, (_, item): State => ({ seen: [item, state.seen.length], rounds: 0 })),
        leave: (state, ended) => void state.seen.push(ended.map((item) => [item.status, item.state.seen])),
        concurrency: current.concurrency,
      },
    );
  }
  if (current.kind === 'batch') {
    const batch = defineBatchStep<State, Deps>()({
      name,
      prep: () => current.items,
      exec: doWork,
      post: (state, _items, results) => void state.seen.push(results),
      concurrency: current.concurrency,
      retry,
    });
    return builder.step(batch, { default: next });
  }
  const step = defineStep<State, Deps>()({
    name,
    prep: (state) => state.seen.length,
    exec: (_length, context) => doWork(current.work, context),
    post: (state, _length, result) => void state.seen.push(result),
    retry,
  });
  return builder.step(step, { default: next });
}

const newDeps = (): Deps => ({ executed: new Map(), flaked: new Set() });

describe('a run that crashes anywhere', () => {
  it('is resumed to the same state, and nothing that was journaled is done again', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 3 }),
        async (flowPlan, crashes) => {
          const flow = build('f', flowPlan.parts, flowPlan.rounds);
          const start: State = { seen: [], rounds: 0 };
          const expected = await flow.run(start, newDeps());
          const journal = memoryJournal();
          const deps = newDeps();
          let outcome = await attempt(() =>
            flow.run(start, deps, { runId: 'r', journal: crashingJournal(journal, crashes[0]) }),
          );
          for (const crash of [...crashes.slice(1), undefined]) {
            const entries = await journal.read('r');
            const finished = entries.filter((entry) => entry.kind === 'exec' || entry.kind === 'call');
            const before = new Map(finished.map((entry) => [entry.path, deps.executed.get(entry.path)]));
            if (entries.length === 0) {
              outcome = await attempt(() =>
                flow.run(start, deps, { runId: 'r', journal: crashingJournal(journal, crash) }),
              );
            } else {
              outcome = await attempt(() => flow.resume('r', deps, { journal: crashingJournal(journal, crash) }));
            }
            for (const [path, count] of before) expect([path, deps.executed.get(path)]).toEqual([path, count]);
          }
          expect(outcome).toMatchObject({
            status: 'finished',
            state: expected.state,
            steps: (expected as { steps: number }).steps,
          });
          const replayed = await flow.replay('r', { journal });
          expect(replayed.state).toEqual(expected.state);
        },
      ),
      { numRuns: propertyRuns(80) },
    );
  }, 120_000);
});

async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (thrown) {
    if (String(thrown).includes('dead')) return undefined;
    throw thrown;
  }
}
