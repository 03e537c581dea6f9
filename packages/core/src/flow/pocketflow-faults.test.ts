import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { end } from './routes.ts';

/** Four faults of PocketFlow's TypeScript engine (commit acd8d8b), each found by running it. */
describe('faults of PocketFlow that this engine does not have', () => {
  it('(a) items of a parallel batch share one attempt counter', async () => {
    const tries = new Map<number, number>();
    const flaky = defineBatchStep<{ results: string[] }>()({
      name: 'flaky',
      prep: () => [0, 1, 2, 3],
      exec: async (item, context) => {
        const attempt = (tries.get(item) ?? 0) + 1;
        tries.set(item, attempt);
        expect(context.attempt).toBe(attempt);
        if (attempt < 3) throw new AskemaError('MODEL_UNAVAILABLE', `flaky ${item}`, { retryable: true });
        return `item ${item} on try ${attempt}`;
      },
      post: (state, _items, results) => {
        state.results = [...results];
      },
      concurrency: 4,
      retry: { attempts: 3 },
    });
    const flow = createFlow<{ results: string[] }>({ name: 'f' }).step(flaky, { default: end }).build();
    const result = await flow.run({ results: [] }, {});
    expect(result.state.results).toEqual([0, 1, 2, 3].map((item) => `item ${item} on try 3`));
  });

  it('(b) no attempts at all: exec is never called and undefined is passed on', () => {
    const define = (attempts: number) => () =>
      defineStep<{ n: number }>()({ name: 's', exec: () => 1, post: () => {}, retry: { attempts } });
    expect(define(0)).toThrowError(expect.objectContaining({ code: 'FLOW_INVALID' }));
    expect(define(1)).not.toThrow();
  });

  it('(c) a misspelt action only warns and the flow resolves', async () => {
    const step = defineStep<{ n: number }>()({
      name: 's',
      actions: ['retry', 'done'],
      exec: () => 1,
      post: () => 'rerty' as 'retry',
    });
    const flow = createFlow<{ n: number }>({ name: 'f' }).step(step, { retry: 's', done: end }).build();
    await expect(flow.run({ n: 1 }, {})).rejects.toMatchObject({
      code: 'FLOW_INVALID',
      message:
        'Step `s` of flow `f` returned `rerty`, which is none of its actions (retry, done). Did you mean `retry`?',
    });
  });

  it('(d) an inner flow loses its last action and the outer one takes the default', async () => {
    interface State {
      trail: string[];
    }
    const decide = defineStep<State>()({
      name: 'decide',
      actions: ['approved', 'rejected'],
      exec: () => 1,
      post: () => 'rejected',
    });
    const inner = createFlow<State>({ name: 'inner' }).step(decide, { approved: end, rejected: end }).build();
    const mark = (name: string) =>
      defineStep<State>()({
        name,
        exec: () => name,
        post: (state, _input, result) => {
          state.trail.push(result);
        },
      });
    const outer = createFlow<State>({ name: 'outer' })
      .flow('review', inner, { approved: 'publish', rejected: 'revise' })
      .step(mark('publish'), { default: end })
      .step(mark('revise'), { default: end('revised') })
      .build();
    await expect(outer.run({ trail: [] }, {})).resolves.toMatchObject({
      action: 'revised',
      state: { trail: ['revise'] },
    });
  });
});
