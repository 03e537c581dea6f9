import { Annotation, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
import type { Work } from '../harness/bench.ts';
import { expectCount } from './counter.ts';

const Last = Annotation.Root({ count: Annotation<number> });
const Sum = Annotation.Root({ count: Annotation<number>({ reducer: (sum, count) => sum + count, default: () => 0 }) });

interface Compiled {
  readonly invoke: (state: { readonly count: number }, options: object) => Promise<{ readonly count: number }>;
}

/** Names that are made at run time have no types. */
interface AnyGraph {
  addNode(name: string, node: (state: { readonly count: number }) => Promise<{ readonly count: number }>): unknown;
  addEdge(from: string, to: string): unknown;
  compile(options: object): Compiled;
}

export function buildChain(steps: number, remembered: boolean): Compiled {
  const graph = new StateGraph(Last) as unknown as AnyGraph;
  for (let at = 0; at < steps; at += 1) graph.addNode(`step${at}`, async ({ count }) => ({ count: count + 1 }));
  for (let at = 0; at < steps; at += 1) graph.addEdge(at === 0 ? START : `step${at - 1}`, `step${at}`);
  graph.addEdge(`step${steps - 1}`, END);
  return graph.compile(remembered ? { checkpointer: new MemorySaver() } : {});
}

export function chain(steps: number, remembered: boolean): Work {
  let thread = 0;
  // What a saver keeps of earlier runs is not to count in later ones.
  let compiled = buildChain(steps, remembered);
  return {
    run: async () => {
      thread += 1;
      if (remembered && thread % 10 === 0) compiled = buildChain(steps, remembered);
      const options = { recursionLimit: steps + 10, configurable: { thread_id: String(thread) } };
      const result = await compiled.invoke({ count: 0 }, options);
      expectCount(result.count, steps);
      return result;
    },
  };
}

/** A node that is sent one message per item; all at once. */
export function fanOut(items: number): Work {
  const graph = new StateGraph(Sum)
    .addNode('add', async ({ count }) => ({ count: count + 1 }))
    .addConditionalEdges(START, () => Array.from({ length: items }, (_, count) => new Send('add', { count })))
    .addEdge('add', END)
    .compile();
  return {
    run: async () => {
      const result = await graph.invoke({ count: 0 }, { recursionLimit: 100 });
      expectCount(result.count, (items * (items + 1)) / 2);
      return result;
    },
  };
}
