/** What a step costs in the flow engine and in its peers. Usage: npm run -s flow --prefix bench [-- --quick] */
import type { Bench } from './harness/bench.ts';
import { main } from './harness/main.ts';

const own = () => import('./flow/askema.ts');
const pocketflow = () => import('./flow/pocketflow.ts');
const langgraph = () => import('./flow/langgraph.ts');
const SYNCED = 'not tried: shown for the share of the synchronized one';
const SLOW = 'not tried: the size before says how it grows';

export const bench: Bench = {
  id: 'flow',
  title: 'Flow engine',
  about:
    'Steps that add one to a number, so only the engine is measured. `askema` is the flow engine of `@askema/core`. Its peers are [pocketflow](https://www.npmjs.com/package/pocketflow) and [@langchain/langgraph](https://www.npmjs.com/package/@langchain/langgraph).',
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
        {
          name: 'askema, journal on disk, `fsync: false`',
          own: true,
          slow: true,
          most: { size: 1_000, why: SYNCED },
          prepare: async (steps) => (await own()).chain(steps, 'unsynced'),
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
        'A flow of one step that runs once per item, all items at once. In askema each item has its own state and may fail alone; in pocketflow the items share one state.',
      size: { name: 'items', values: [10, 100, 1_000, 10_000], quick: [10, 300] },
      peer: 'pocketflow',
      perUnit: true,
      contenders: [
        { name: 'askema', own: true, prepare: async (items) => (await own()).fanOut(items, 'nothing') },
        { name: 'askema, journal', own: true, prepare: async (items) => (await own()).fanOut(items, 'memory') },
        {
          name: 'askema, journal on disk',
          own: true,
          slow: true,
          prepare: async (items) => (await own()).fanOut(items, 'file'),
        },
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
    'A step of askema takes two to four times as long as one of pocketflow, about a microsecond more. Each call of `exec` gets a context of its own: path, idempotency key, signal, memo, suspend. Before and after it, the engine asks whether the run was stopped. A step allocates 2.9 kB, and garbage collection takes a fifth to a third of the time. pocketflow calls three functions and does none of this. Either takes less than a thousandth of the fastest model call; langgraph needs hundreds of microseconds for the same step.',
    'A batch item takes two to five times as long as in pocketflow (up to 1,000 items), for the same reason. An item of a fan-out also has a copy of the state, so that items cannot disturb each other, and an end of its own. It stops when other items fail or are enough. In pocketflow all items share one state. An item costs 6.3 kB and two to six times the time of pocketflow.',
    'Fan-out and batches grow faster than n log n towards 10,000 items, because all items start at once and live at the same time. They no longer fit into the young generation of the heap (16 MB). The collector copies what lives twice, and then keeps it for a full collection. At 10,000 items that takes two thirds of the time; with a young generation of 256 MB (`--max-semi-space-size=256`) it takes 4 to 15 %. An item then still costs about four times as much as at 1,000, most likely because no cache holds that much memory. No function does more for an item when there are more items. A lower `concurrency` keeps fewer alive. The fan-out of pocketflow grows in the same way.',
    'In a chain of 10,000 different steps each step costs more than in one of 1,000, most likely because the graph (6 MB) no longer fits into the caches. Looking up the step and its count of visits is then the largest part, a fifth. Building such a chain grows for the same reason. It checks names, actions, targets and reachability, about a microsecond a step, once for a flow. pocketflow checks nothing.',
    'A journal adds some microseconds a step: the hash of the input, so that a resumed run never takes a result for another input, an encoded value, and two entries. On disk, the next step waits until the result of this one is safe, because the next step may pay for something that depends on it. Waiting for `fdatasync` takes 84 to 89 % of the time, as the row without it shows; waiting for the write itself takes nearly all of the rest. That is the price of losing nothing in a power failure. With `fsync: false` nothing is lost either when only the process dies. Entries that come together share one wait: each item of a fan-out on disk costs some tens of microseconds.',
  ],
};

await main(import.meta.url, bench);
