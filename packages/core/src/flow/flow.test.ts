import { describe, expect, expectTypeOf, it } from 'vitest';
import { createFlow, type FlowBuilder } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import type { Flow, FlowSteps } from './flow.ts';
import { end } from './routes.ts';

// Checked by tsc as much as by vitest: a line under `@ts-expect-error` that compiles is an error.

interface State {
  question: string;
  sql?: string;
}
interface Deps {
  readonly write: (question: string) => Promise<string>;
}

const write = defineStep<State, Deps>()({
  name: 'write',
  actions: ['written', 'unclear'],
  prep: (state) => state.question,
  exec: (question, context) => {
    expectTypeOf(question).toEqualTypeOf<string>();
    expectTypeOf(context.deps).toEqualTypeOf<Deps>();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    return context.deps.write(question);
  },
  post: (state, question, sql) => {
    expectTypeOf(question).toEqualTypeOf<string>();
    expectTypeOf(sql).toEqualTypeOf<string>();
    state.sql = sql;
    return sql === '' ? 'unclear' : 'written';
  },
});
const note = defineStep<State>()({ name: 'note', exec: () => 1, post: () => {} });

describe('the types of steps', () => {
  it('carry the actions as a union', () => {
    expectTypeOf(write.actions).toEqualTypeOf<readonly ('written' | 'unclear')[]>();
    expectTypeOf(note.actions).toEqualTypeOf<readonly 'default'[]>();
    expect(write.actions).toEqual(['written', 'unclear']);
    expect(note.actions).toEqual(['default']);
  });

  it('refuse an action that was not named, a promise from post, and writing in prep', () => {
    defineStep<State>()({
      name: 'a',
      actions: ['yes', 'no'],
      exec: () => 1,
      // @ts-expect-error `maybe` is none of the actions
      post: () => 'maybe',
    });
    // @ts-expect-error post must not wait
    defineStep<State>()({ name: 'b', exec: () => 1, post: async () => 'default' });
    // @ts-expect-error with named actions, post must return one
    defineStep<State>()({ name: 'c', actions: ['yes'], exec: () => 1, post: () => {} });
    defineStep<State>()({
      name: 'd',
      prep: (state) => {
        // @ts-expect-error prep only reads
        state.sql = '';
      },
      exec: () => 1,
      post: () => {},
    });
  });

  it('never show the state to exec', () => {
    // @ts-expect-error without prep there is no input
    defineStep<State>()({ name: 'a', exec: (input: State) => input.question, post: () => {} });
    defineStep<State>()({
      name: 'b',
      exec: (input) => {
        expectTypeOf(input).toEqualTypeOf<undefined>();
      },
      post: () => {},
    });
  });

  it('take functions that were declared elsewhere', () => {
    const count = (text: string): number => text.length;
    const step = defineStep<State>()({ name: 'a', prep: (state) => state.question, exec: count, post: () => {} });
    expectTypeOf(step.exec).parameter(0).toEqualTypeOf<string>();
    const batch = defineBatchStep<State>()({ name: 'a', prep: (s) => [s.question], exec: count, post: () => {} });
    expectTypeOf(batch.exec).parameter(0).toEqualTypeOf<string>();
    // @ts-expect-error prep gives a number and exec takes a string
    defineStep<State>()({ name: 'a', prep: (state) => state.question.length, exec: count, post: () => {} });
  });

  it('give a batch its items one by one and post all results', () => {
    defineBatchStep<State>()({
      name: 'batch',
      prep: (state) => [state.question, 'b'],
      exec: async (item) => {
        expectTypeOf(item).toEqualTypeOf<string>();
        return item.length;
      },
      post: (_state, items, results) => {
        expectTypeOf(items).toEqualTypeOf<readonly string[]>();
        expectTypeOf(results).toEqualTypeOf<readonly number[]>();
      },
    });
  });
});

describe('the types of routes', () => {
  it('need a target for every action and none for others', () => {
    const flow = createFlow<State, Deps>({ name: 'ask' });
    flow.step(write, { written: end, unclear: end });
    // @ts-expect-error `unclear` leads nowhere
    flow.step(write, { written: end });
    // @ts-expect-error `writen` is no action
    flow.step(write, { written: end, unclear: end, writen: end });
    // @ts-expect-error a number is no target
    flow.step(write, { written: end, unclear: 5 });
  });

  it('give a flow the actions it can end with', async () => {
    const flow = createFlow<State, Deps>({ name: 'ask' })
      .step(write, { written: 'note', unclear: end })
      .step(note, { default: end('noted') })
      .build();
    expectTypeOf(flow.actions).toEqualTypeOf<readonly ('unclear' | 'noted')[]>();
    expect(flow.actions).toEqual(['unclear', 'noted']);
    const result = await flow.run({ question: 'q' }, { write: async () => 'select 1' });
    expect(result.status).toBe('finished');
    if (result.status === 'finished') {
      expectTypeOf(result.action).toEqualTypeOf<'unclear' | 'noted'>();
      expectTypeOf(result.state).toEqualTypeOf<State>();
      expect(result.action).toBe('noted');
      expect(result.state).toEqual({ question: 'q', sql: 'select 1' });
    }
  });

  it('take the actions of an inner flow to the outer routes', () => {
    const inner = createFlow<State, Deps>({ name: 'inner' })
      .step(write, { written: end, unclear: end('lost') })
      .build();
    const outer = createFlow<State, Deps>({ name: 'outer' });
    outer.flow('inner', inner, { written: end, lost: end });
    // @ts-expect-error `lost` leads nowhere
    outer.flow('inner', inner, { written: end });
    // @ts-expect-error `unclear` is renamed inside
    outer.flow('inner', inner, { written: end, lost: end, unclear: end });
  });

  it('ask for a mapping where the inner flow has another state or other dependencies', () => {
    interface InnerState {
      text: string;
    }
    const shout = defineStep<InnerState, { readonly loud: boolean }>()({
      name: 'shout',
      exec: () => '',
      post: () => {},
    });
    const inner = createFlow<InnerState, { readonly loud: boolean }>({ name: 'inner' })
      .step(shout, { default: end })
      .build();
    const outer = createFlow<State, Deps>({ name: 'outer' });
    // @ts-expect-error the states differ
    outer.flow('inner', inner, { default: end });
    // @ts-expect-error the dependencies differ
    outer.flow('inner', inner, { default: end }, { enter: (s) => ({ text: s.question }), leave: () => {} });
    outer.flow(
      'inner',
      inner,
      { default: end },
      {
        enter: (state) => ({ text: state.question }),
        leave: (state, found) => {
          state.question = found.text;
        },
        deps: () => ({ loud: true }),
      },
    );
  });

  it('join a parallel flow', () => {
    interface InnerState {
      text: string;
    }
    const shout = defineStep<InnerState, { readonly loud: boolean }>()({
      name: 'shout',
      actions: ['done', 'hoarse'],
      exec: () => 1,
      post: () => 'done',
    });
    const inner = createFlow<InnerState, { readonly loud: boolean }>({ name: 'inner' })
      .step(shout, { done: end, hoarse: end })
      .build();
    const outer = createFlow<State, Deps & { readonly loud: boolean }>({ name: 'outer' });
    const enter = (state: Readonly<State>): InnerState[] => [{ text: state.question }];
    const built = outer
      .parallel(
        'p',
        inner,
        { agreed: end, torn: end('asked') },
        {
          actions: ['agreed', 'torn'],
          enter,
          leave: (state, ended) => {
            for (const item of ended) {
              expectTypeOf(item.state).toEqualTypeOf<Readonly<InnerState>>();
              if (item.status === 'finished') expectTypeOf(item.action).toEqualTypeOf<'done' | 'hoarse'>();
              if (item.status === 'failed') state.question = item.error.message;
              // @ts-expect-error a stopped item has no action
              if (item.status === 'stopped') expect(item.action).toBeUndefined();
            }
            return 'agreed';
          },
        },
      )
      .build();
    expectTypeOf(built.actions).toEqualTypeOf<readonly ('agreed' | 'asked')[]>();
    expectTypeOf(built.steps.p.flow.steps.shout).toEqualTypeOf<typeof shout>();
    // @ts-expect-error no route for `default`
    outer.parallel('p', inner, {}, { enter, leave: () => {} });
    // @ts-expect-error `other` is no action
    outer.parallel('p', inner, { default: end, other: end }, { enter, leave: () => {} });
    // @ts-expect-error `leave` returns no action of the node
    outer.parallel('p', inner, { default: end }, { enter, leave: () => 'other' });
    // @ts-expect-error the states differ
    outer.parallel('p', inner, { default: end }, { enter: () => [{ words: 1 }], leave: () => {} });
    // @ts-expect-error the dependencies differ
    createFlow<State, Deps>({ name: 'o' }).parallel('p', inner, { default: end }, { enter, leave: () => {} });
    const other = createFlow<{ n: number }>({ name: 'other' })
      .step(defineStep<{ n: number }>()({ name: 's', exec: () => 1, post: () => {} }), { default: end })
      .build();
    // @ts-expect-error another state and another action
    built.replaceFlow('p', other);
  });

  it('refuse a step that needs more state or dependencies than the flow has', () => {
    const needy = defineStep<State & { extra: number }>()({ name: 'needy', exec: () => 1, post: () => {} });
    const demanding = defineStep<State, { readonly other: string }>()({
      name: 'demanding',
      exec: () => 1,
      post: () => {},
    });
    // @ts-expect-error the state has no `extra`
    createFlow<State, Deps>({ name: 'a' }).step(needy, { default: end });
    // @ts-expect-error the dependencies have no `other`
    createFlow<State, Deps>({ name: 'a' }).step(demanding, { default: end });
  });

  it('let a flow be passed where any flow over that state is taken, and no other', () => {
    const take = (flow: Flow<State, Deps, string>): string => flow.name;
    const flow = createFlow<State, Deps>({ name: 'ask' }).step(write, { written: end, unclear: end }).build();
    expect(take(flow)).toBe('ask');
    const other = createFlow<{ n: number }, Deps>({ name: 'other' })
      .step(defineStep<{ n: number }>()({ name: 's', exec: () => 1, post: () => {} }), { default: end })
      .build();
    // @ts-expect-error another state
    take(other);
  });

  it('let flows be built in a loop', () => {
    let builder: FlowBuilder<State, Deps, FlowSteps, string> = createFlow<State, Deps>({ name: 'chain' });
    for (let index = 0; index < 3; index += 1) {
      builder = builder.step({ ...note, name: `note-${index}` }, { default: index === 2 ? end : `note-${index + 1}` });
    }
    expect([...builder.build().graph.nodes.keys()]).toEqual(['note-0', 'note-1', 'note-2']);
  });
});

describe('the types of recomposition', () => {
  const flow = createFlow<State, Deps>({ name: 'ask' })
    .step(write, { written: 'note', unclear: end })
    .step(note, { default: end('noted') })
    .build();

  it('know the steps and their actions', () => {
    expectTypeOf(flow.steps.write).toEqualTypeOf<typeof write>();
    // @ts-expect-error no such step
    expect(() => flow.without('nota')).toThrow();
    // @ts-expect-error `write` has two actions: which one is it?
    expect(() => flow.without('write')).toThrow();
    // @ts-expect-error `done` is no action of `write`
    expect(() => flow.without('write', 'done')).toThrow();
    const more = defineStep<State>()({ name: 'more', actions: ['a', 'b'], exec: () => 1, post: () => 'a' });
    // @ts-expect-error `note` has no routes for `a` and `b`
    expect(() => flow.replace('note', more)).toThrow();
    const replaced = flow.replace('note', more, { a: end, b: end });
    expectTypeOf(replaced.actions).toEqualTypeOf<readonly ('unclear' | 'noted' | 'a' | 'b')[]>();
    expectTypeOf(replaced.steps.note).toEqualTypeOf<typeof more>();
    const longer = flow.after('write', more, 'written').without('note');
    expectTypeOf(longer.steps.more).toEqualTypeOf<typeof more>();
    // @ts-expect-error it is left out
    expect(longer.steps.note).toBeUndefined();
  });
});
