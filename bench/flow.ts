/** What a step costs in the flow engine and in its peers. Usage: npm run -s flow --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

const own = () => import('./flow/askema.ts');
const pocketflow = () => import('./flow/pocketflow.ts');
const langgraph = () => import('./flow/langgraph.ts');
const SLOW = 'not tried: the size before says how it grows';

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
      seconds: 60,
      title: 'Chains',
      about:
        'A flow that is built once and run again and again: prep, exec (an async function) and post for each step. `journal` remembers each step in memory, `journal on disk` in a JSONL file; langgraph remembers with its `MemorySaver`.',
      size: { name: 'steps', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (steps) => (await own()).chain(steps, 'nothing') },
        { name: 'askema, journal', own: true, prepare: async (steps) => (await own()).chain(steps, 'memory') },
        {
          name: 'askema, journal on disk',
          own: true,
          most: { size: 1_000, why: 'not tried: the disk is waited for at each step' },
          prepare: async (steps) => (await own()).chain(steps, 'file'),
        },
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
      seconds: 60,
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
        {
          name: 'langgraph',
          slow: true,
          most: { size: 1_000, why: SLOW },
          prepare: async (items) => (await langgraph()).fanOut(items),
        },
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
          most: { size: 1_000, why: SLOW },
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
  notes: [
    'askema needs some microseconds for a step where pocketflow needs a third of one. Profiles show where they go: every call of `exec` has a context of its own (path, key of idempotency, signal, memo, suspend), made when it begins and dead when it ends, and the run is asked before and after whether it was stopped. pocketflow calls three functions and has none of this. It is less than a thousandth of what the fastest model call takes; the same steps cost 0.8 ms each in langgraph.',
    'A fan-out copies the state of each item, so that items cannot disturb one another and one that fails can be told from those that did not; pocketflow shares one state among all. In memory 10,000 items are alive at once, which is what makes an item dearer than among 10: the profile is half garbage collection, and none of the functions above it grows with the number of items. The same goes for 10,000 steps being built: each is checked (names, actions, targets, reachability), in one pass over all of them.',
    'A journal adds the hash of each input, so that a resumed run never takes a result for another input, and an encoded value; on disk every entry is synchronized before the step counts as done, which is the time of the disk.',
  ],
};

await main(import.meta.url, bench);
