import { describe, expect, it } from 'vitest';
import { createFlow } from './create-flow.ts';
import { defineBatchStep } from './define-step.ts';
import { end } from './routes.ts';
import type { StepContext } from './step.ts';
import { type Deferred, deferred, settle } from './test-support/deferred.ts';

interface State {
  items: number[];
  results?: unknown[];
}

function batchFlow(exec: (item: number, context: StepContext) => unknown, concurrency?: number) {
  const step = defineBatchStep<State>()({
    name: 'batch',
    prep: (state) => state.items,
    exec,
    post: (state, _items, results) => {
      state.results = [...results];
    },
    concurrency,
  });
  return createFlow<State>({ name: 'f' }).step(step, { default: end }).build();
}

/** An exec that waits for the test, item by item. */
function gated() {
  const gates = new Map<number, Deferred<string>>();
  const aborted: number[] = [];
  const exec = (item: number, context: StepContext): Promise<string> => {
    const gate = deferred<string>();
    gates.set(item, gate);
    context.signal.addEventListener('abort', () => {
      aborted.push(item);
      gate.reject(context.signal.reason);
    });
    return gate.promise;
  };
  const running = (): number[] => [...gates.keys()];
  const finish = async (item: number, value = `r${item}`): Promise<void> => {
    gates.get(item)?.resolve(value);
    gates.delete(item);
    await settle();
  };
  return { exec, gates, running, finish, aborted };
}

describe('a batch', () => {
  it('runs one item after another by default', async () => {
    const { exec, running, finish } = gated();
    const run = batchFlow(exec).run({ items: [1, 2, 3] }, {});
    for (const item of [1, 2, 3]) {
      await settle();
      expect(running()).toEqual([item]);
      await finish(item);
    }
    expect((await run).state.results).toEqual(['r1', 'r2', 'r3']);
  });

  it('never runs more items at once than it may, and keeps the order of the items', async () => {
    const { exec, running, finish } = gated();
    const run = batchFlow(exec, 2).run({ items: [1, 2, 3, 4] }, {});
    await settle();
    expect(running()).toEqual([1, 2]);
    await finish(2);
    expect(running()).toEqual([1, 3]);
    await finish(3);
    expect(running()).toEqual([1, 4]);
    await finish(4);
    await finish(1);
    expect((await run).state.results).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('stops what waits and aborts what runs at the first failure', async () => {
    const { exec, gates, running, aborted } = gated();
    const run = batchFlow(exec, 2).run({ items: [1, 2, 3, 4] }, {});
    const failed = expect(run).rejects.toThrow('item 2 broke');
    await settle();
    gates.get(2)?.reject(new Error('item 2 broke'));
    await failed;
    await settle();
    expect(aborted).toContain(1);
    expect(running()).toEqual([1, 2]);
  });

  it('stops a sequential batch at the first failure', async () => {
    const begun: number[] = [];
    const run = batchFlow((item) => {
      begun.push(item);
      if (item === 2) throw new Error('no');
      return item;
    }).run({ items: [1, 2, 3] }, {});
    await expect(run).rejects.toThrow('no');
    expect(begun).toEqual([1, 2]);
  });

  it('gives every item a path, and passes an empty list on', async () => {
    const paths: string[] = [];
    const exec = (_item: number, context: StepContext) => paths.push(context.path);
    await batchFlow(exec, 3).run({ items: [7, 8] }, {});
    expect(paths).toEqual(['f@1/batch#1/0', 'f@1/batch#1/1']);
    expect((await batchFlow(exec, 3).run({ items: [] }, {})).state.results).toEqual([]);
    expect((await batchFlow(exec).run({ items: [] }, {})).state.results).toEqual([]);
  });
});
