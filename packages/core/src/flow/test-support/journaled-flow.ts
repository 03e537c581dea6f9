import { createFlow } from '../create-flow.ts';
import { defineStep } from '../define-step.ts';
import { end } from '../routes.ts';

/** A state that shows which way a run went. */
export interface TrailState {
  n: number;
  trail: string[];
}

/** Dependencies that count what was really called. */
export interface TrailDeps {
  readonly calls: string[];
  readonly fail?: ReadonlySet<string> | undefined;
}

/** A step that adds a number through `exec`, and fails when its name stands in `deps.fail`. */
export function addStep<const Name extends string>(name: Name, amount: number) {
  return defineStep<TrailState, TrailDeps>()({
    name,
    prep: (state) => state.n,
    exec: async (n, context) => {
      context.deps.calls.push(name);
      if (context.deps.fail?.has(name)) throw new Error(`${name} failed`);
      return n + amount;
    },
    post: (state, _n, sum) => {
      state.n = sum;
      state.trail.push(name);
    },
  });
}

/** `one` adds 1, `two` adds 10, and `loop` goes round until the sum is 30 or more. */
export function trailFlow() {
  const loop = defineStep<TrailState, TrailDeps>()({
    ...addStep('loop', 5),
    actions: ['again', 'done'],
    post: (state, _n, sum) => {
      state.n = sum;
      state.trail.push('loop');
      return sum < 30 ? 'again' : 'done';
    },
  });
  return createFlow<TrailState, TrailDeps>({ name: 'trail' })
    .step(addStep('one', 1), { default: 'two' })
    .step(addStep('two', 10), { default: 'loop' })
    .step(loop, { again: 'loop', done: end })
    .build();
}

export const START: TrailState = { n: 10, trail: [] };
/** What `trailFlow` makes of {@link START}. */
export const FINISHED: TrailState = { n: 31, trail: ['one', 'two', 'loop', 'loop'] };
