/** What a step costs in the flow engine and in its peers. Usage: npm run -s flow --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

const own = () => import('./flow/askema.ts');
const pocketflow = () => import('./flow/pocketflow.ts');
const langgraph = () => import('./flow/langgraph.ts');
const SLOW = 'not tried: the sizes before say how it grows';

export const bench: Bench = {
  id: 'flow',
  title: 'Flow engine',
  about:
    'Steps that add one to a number: what is measured is the engine alone. `askema` stands for the flow engine of `@askema/core`, against [pocketflow](https://www.npmjs.com/package/pocketflow) and [@langchain/langgraph](https://www.npmjs.com/package/@langchain/langgraph).',
  peers: ['pocketflow', '@langchain/langgraph', '@langchain/core'],
  parts: [
    {
      kind: 'comparison',
      id: 'chain',
      title: 'Chains',
      about:
        'A flow that is built once and run again and again: prep, exec (an async function) and post for each step. `journal` remembers each step in memory, `journal on disk` in a JSONL file; langgraph remembers with its `MemorySaver`.',
      size: { name: 'steps', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (steps) => (await own()).chain(steps, 'nothing') },
        { name: 'askema, journal', own: true, prepare: async (steps) => (await own()).chain(steps, 'memory') },
        { name: 'askema, journal on disk', own: true, prepare: async (steps) => (await own()).chain(steps, 'file') },
        { name: 'pocketflow', prepare: async (steps) => (await pocketflow()).chain(steps) },
        {
          name: 'langgraph',
          slow: true,
          most: { size: 1_000, why: SLOW },
          prepare: async (steps) => (await langgraph()).chain(steps, false),
        },
        {
          name: 'langgraph, saver',
          slow: true,
          most: { size: 1_000, why: SLOW },
          prepare: async (steps) => (await langgraph()).chain(steps, true),
        },
      ],
    },
    {
      kind: 'comparison',
      id: 'fan-out',
      title: 'Fan-out',
      about:
        'A flow of one step that runs once per item, all items at once. In askema each item has a state of its own and a way of its own to fail; in pocketflow the items share one state.',
      size: { name: 'items', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (items) => (await own()).fanOut(items, 'nothing') },
        { name: 'askema, journal', own: true, prepare: async (items) => (await own()).fanOut(items, 'memory') },
        { name: 'pocketflow', prepare: async (items) => (await pocketflow()).fanOut(items) },
        { name: 'langgraph', slow: true, prepare: async (items) => (await langgraph()).fanOut(items) },
      ],
    },
    {
      kind: 'comparison',
      id: 'batch',
      title: 'Batch steps',
      about: 'One step whose `exec` runs once per item, all items at once.',
      size: { name: 'items', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (items) => (await own()).batch(items) },
        { name: 'pocketflow', prepare: async (items) => (await pocketflow()).batch(items) },
      ],
    },
    {
      kind: 'comparison',
      id: 'build',
      title: 'Building a chain',
      about: 'Steps made, joined and checked. pocketflow checks nothing.',
      size: { name: 'steps', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        {
          name: 'askema',
          own: true,
          prepare: async (steps) => ({
            run: (
              (build) => () =>
                build(steps)
            )((await own()).buildChain),
          }),
        },
        {
          name: 'pocketflow',
          prepare: async (steps) => ({
            run: (
              (build) => () =>
                build(steps)
            )((await pocketflow()).buildChain),
          }),
        },
        {
          name: 'langgraph',
          slow: true,
          prepare: async (steps) => ({
            run: (
              (build) => () =>
                build(steps, false)
            )((await langgraph()).buildChain),
          }),
        },
      ],
    },
  ],
  notes: [],
};

await main(import.meta.url, bench);
