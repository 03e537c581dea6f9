import { describe, expect, it } from 'vitest';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { end } from './routes.ts';
import type { StepOf } from './step.ts';

interface State {
  trail: string[];
}

/** A step that leaves its name in the state and ends with the first of its actions. */
function leave<const Name extends string, const Action extends string>(name: Name, ...actions: readonly Action[]) {
  return defineStep<State>()({
    name,
    actions,
    exec: () => name,
    post: (state, _input, result) => {
      state.trail.push(result);
      return actions[0] as never;
    },
  });
}
const a = leave('a', 'default');
const b = leave('b', 'done', 'again');

/** What JavaScript, or a cast, can do and the types would not allow. */
interface UntypedBuilder {
  step(step: StepOf<never, never>, routes: object): UntypedBuilder;
  build(): unknown;
}
function untyped(name: string, version?: number): UntypedBuilder {
  return createFlow({ name, version }) as unknown as UntypedBuilder;
}

describe('build', () => {
  it('names a target that does not exist and the step that was meant', () => {
    const builder = createFlow<State>({ name: 'f' })
      .step(a, { default: 'generat' })
      .step(leave('generate', 'x'), { x: end });
    expect(() => builder.build()).toThrowError(
      expect.objectContaining({
        code: 'FLOW_INVALID',
        message:
          'Flow `f` leads action `default` of `a` to `generat`, which is no step of it. Did you mean `generate`?',
        details: { nearestNames: ['generate'] },
      }),
    );
  });

  it.each([
    ['no steps', () => createFlow<State>({ name: 'f' }), /Flow `f` has no steps/],
    [
      'two steps of one name',
      () => createFlow<State>({ name: 'f' }).step(a, { default: 'a' }).step(a, { default: end }),
      /two steps named `a`/,
    ],
    [
      'a step that nothing leads to',
      () => createFlow<State>({ name: 'f' }).step(a, { default: end }).step(b, { done: end, again: 'b' }),
      /never reaches `b`/,
    ],
    ['an action without a route', () => untyped('f').step(b, { done: end }), /no route for action `again` of `b`/],
    [
      'a route without an action',
      () => untyped('f').step(a, { default: end, defualt: end }),
      /routes `defualt`, which is no action of `a` \(default\)\. Did you mean `default`\?/,
    ],
    ['a target that is nothing', () => untyped('f').step(a, { default: undefined }), /`default` of `a` nowhere/],
    ['a name that cannot stand in a path', () => untyped('my flow').step(a, { default: end }), /name `my flow`/],
    ['a version that is no whole number', () => untyped('f', 1.5).step(a, { default: end }), /version 1\.5/],
    [
      'a step that was spread into something invalid',
      () => createFlow<State>({ name: 'f' }).step({ ...a, retry: { attempts: 0 } }, { default: end }),
      /retry\.attempts 0/,
    ],
    [
      'a mapping that only goes in',
      () => {
        const inner = createFlow<State>({ name: 'inner' }).step(a, { default: end }).build();
        return createFlow<State>({ name: 'f' }).flow('i', inner, { default: end }, { enter: (state) => state });
      },
      /only one way into `i`/,
    ],
  ] as const)('refuses %s', (_what, make, message) => {
    expect(() => make().build()).toThrowError(expect.objectContaining({ code: 'FLOW_INVALID' }));
    expect(() => make().build()).toThrow(message);
  });

  it('leaves every builder as it was', () => {
    const first = createFlow<State>({ name: 'f' }).step(a, { default: end });
    first.step(b, { done: end, again: 'b' });
    expect(first.build().graph.nodes.size).toBe(1);
  });
});

describe('defineStep', () => {
  it.each([
    [{ attempts: 0 }, /attempts 0; it counts all tries, so the least is 1/],
    [{ attempts: 1.5 }, /attempts 1\.5/],
    [{ attempts: Number.NaN }, /attempts NaN/],
    [{ attempts: 2, delayMs: -1 }, /delayMs -1/],
    [{ attempts: 2, factor: Number.NaN }, /factor NaN/],
  ])('refuses retry %j', (retry, message) => {
    const define = () => defineStep<State>()({ name: 's', exec: () => 1, post: () => {}, retry });
    expect(define).toThrowError(expect.objectContaining({ code: 'FLOW_INVALID' }));
    expect(define).toThrow(message);
  });

  it.each(['', 'a b', 'a/b', 'a#1', 'a@1', 'a%20'])('refuses the name %j', (name) => {
    expect(() => defineStep<State>()({ name, exec: () => 1, post: () => {} })).toThrowError(
      expect.objectContaining({ code: 'FLOW_INVALID' }),
    );
  });

  it('refuses no actions and an action that is named twice', () => {
    expect(() => leave('s')).toThrow(/has no actions/);
    expect(() => leave('s', 'x', 'x')).toThrow(/names an action twice/);
  });

  it.each([0, 1.5, Number.NaN, -1])('refuses concurrency %d', (concurrency) => {
    const define = () =>
      defineBatchStep<State>()({ name: 's', prep: () => [1], exec: () => 1, post: () => {}, concurrency });
    expect(define).toThrow(/concurrency/);
  });
});

describe('run', () => {
  it('follows the actions from the first step to the end', async () => {
    const flow = createFlow<State>({ name: 'f' }).step(a, { default: 'b' }).step(b, { done: end, again: 'a' }).build();
    const result = await flow.run({ trail: [] }, {});
    expect(result).toMatchObject({ status: 'finished', action: 'done', state: { trail: ['a', 'b'] }, steps: 2 });
  });

  it('works on a copy of the state', async () => {
    const flow = createFlow<State>({ name: 'f' }).step(a, { default: end }).build();
    const initial = { trail: ['before'] };
    await flow.run(initial, {});
    const second = await flow.run(initial, {});
    expect(initial).toEqual({ trail: ['before'] });
    expect(second).toMatchObject({ state: { trail: ['before', 'a'] } });
  });

  it.each([
    ['a class instance', { trail: [], at: new Date(0) }, /a Date at `at`/],
    ['a function', { trail: [], deep: [{ call: () => 1 }] }, /a function at `deep\[0\]\.call`/],
    ['no object', 'text', /no plain object/],
  ])('refuses %s as state', async (_what, state, message) => {
    const flow = createFlow<State>({ name: 'f' }).step(a, { default: end }).build();
    const run = flow.run(state as State, {});
    await expect(run).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringMatching(message) });
  });

  it('stops a loop after maxSteps and says which steps went round', async () => {
    const again = leave('b', 'again', 'done');
    const flow = createFlow<State>({ name: 'loop', maxSteps: 7 })
      .step(a, { default: 'b' })
      .step(again, { again: 'a', done: end })
      .build();
    await expect(flow.run({ trail: [] }, {})).rejects.toMatchObject({
      code: 'FLOW_STEP_LIMIT',
      message: expect.stringMatching(/`loop` was stopped after 7 steps: it visited `a` 4 times, `b` 3 times/),
    });
    const unlimited = createFlow<State>({ name: 'loop' }).step(again, { again: 'b', done: end }).build();
    await expect(unlimited.run({ trail: [] }, {})).rejects.toThrow(/after 100 steps/);
  });

  it('lets a flow of more than 100 steps visit each of them', async () => {
    let builder = untyped('chain');
    for (let index = 0; index < 150; index += 1) {
      builder = builder.step({ ...a, name: `s${index}` }, { default: index === 149 ? end : `s${index + 1}` });
    }
    const flow = builder.build() as ReturnType<ReturnType<typeof createFlow<State>>['build']>;
    await expect(flow.run({ trail: [] }, {})).resolves.toMatchObject({ status: 'finished', steps: 150 });
  });

  it('refuses a prep or post that waits, and a batch without items', async () => {
    const cast = (step: object) =>
      createFlow<State>({ name: 'f' })
        .step(step as typeof a, { default: end })
        .build()
        .run({ trail: [] }, {});
    await expect(cast({ ...a, prep: async () => 1 })).rejects.toMatchObject({
      code: 'FLOW_INVALID',
      message: expect.stringMatching(/promise from prep/),
    });
    await expect(cast({ ...a, post: async () => 'default' })).rejects.toThrow(/promise from post/);
    await expect(cast({ ...a, kind: 'batch', prep: () => null })).rejects.toThrow(/prepared null/);
  });

  it('says in which step and part a foreign error came up', async () => {
    const failing = (part: string) => {
      const fail = (here: string) => () => {
        if (part === here) throw new TypeError('boom');
        return 1;
      };
      const step = defineStep<State>()({
        name: 's',
        prep: fail('prep'),
        exec: fail('exec'),
        post: () => {
          fail('post')();
        },
      });
      return createFlow<State>({ name: 'f' }).step(step, { default: end }).build().run({ trail: [] }, {});
    };
    for (const part of ['prep', 'exec', 'post']) {
      await expect(failing(part)).rejects.toMatchObject({
        code: 'INTERNAL',
        message: `Step \`s\` failed in ${part}: boom`,
      });
    }
  });
});
