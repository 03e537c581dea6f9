import { Flow, Node, ParallelBatchFlow, ParallelBatchNode } from 'pocketflow';
import type { Work } from '../harness/bench.ts';
import { type Counter, expectCount } from './counter.ts';

class Add extends Node<Counter> {
  override async prep(shared: Counter): Promise<number> {
    return shared.count;
  }
  override async exec(count: number): Promise<number> {
    return count + 1;
  }
  override async post(shared: Counter, _: unknown, next: number): Promise<string | undefined> {
    shared.count = next;
    return undefined;
  }
}

export function buildChain(steps: number): Flow<Counter> {
  const first = new Add();
  let last = first;
  for (let at = 1; at < steps; at += 1) last = last.next(new Add());
  return new Flow(first);
}

export function chain(steps: number): Work {
  const flow = buildChain(steps);
  return {
    run: async () => {
      const shared = { count: 0 };
      await flow.run(shared);
      expectCount(shared.count, steps);
      return shared;
    },
  };
}

/** A node that adds the item named by the parameters of its flow. */
class AddItem extends Node<Counter, { readonly item: number }> {
  override async prep(): Promise<number> {
    return this._params.item;
  }
  override async exec(item: number): Promise<number> {
    return item + 1;
  }
  override async post(shared: Counter, _: unknown, next: number): Promise<string | undefined> {
    shared.count += next;
    return undefined;
  }
}

/** A flow of one node, once per item, all at once; its items share one state. */
export function fanOut(items: number): Work {
  class Items extends ParallelBatchFlow<Counter, Record<string, never>, { readonly item: number }[]> {
    override async prep(): Promise<{ readonly item: number }[]> {
      return Array.from({ length: items }, (_, item) => ({ item }));
    }
  }
  const flow = new Items(new AddItem());
  return countingItems(items, (shared) => flow.run(shared));
}

/** One node whose `exec` runs once per item, all at once. */
export function batch(items: number): Work {
  class Items extends ParallelBatchNode<Counter> {
    override async prep(): Promise<readonly number[]> {
      return Array.from({ length: items }, (_, item) => item);
    }
    override async exec(item: number): Promise<number> {
      return item + 1;
    }
    override async post(shared: Counter, _: unknown, results: readonly number[]): Promise<string | undefined> {
      shared.count = results.reduce((sum, count) => sum + count, 0);
      return undefined;
    }
  }
  const flow = new Flow<Counter>(new Items());
  return countingItems(items, (shared) => flow.run(shared));
}

function countingItems(items: number, run: (shared: Counter) => Promise<unknown>): Work {
  return {
    run: async () => {
      const shared = { count: 0 };
      await run(shared);
      expectCount(shared.count, (items * (items + 1)) / 2);
      return shared;
    },
  };
}
