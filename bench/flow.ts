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
        'A flow of one step that runs once per item, all items at once. In askema each item has a state of its own and a way of its own to fail; in pocketflow the items share one state.',
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
    'A step of askema costs two to four times that of pocketflow: about a microsecond more. Every call of `exec` has a context of its own (path, key of idempotency, signal, memo, suspend), made when it begins and dead when it ends, and the run is asked before and after whether it was stopped: 2.9 kB are allocated for a step, and a fifth to a third of the time is garbage collection. pocketflow calls three functions and has none of this. Both are less than a thousandth of what the fastest model call takes; langgraph needs hundreds of microseconds for the same step.',
    'A batch item costs two to five times that of pocketflow (up to 1,000 of them) for the same reason. An item of a fan-out has moreover a copy of the state, so that items cannot disturb one another, a count and an end of its own, and a wait that can be broken off when other items fail or are enough; pocketflow shares one state among all. That is 6.3 kB for an item, and two to six times the time of pocketflow.',
    'Fan-out and batches grow faster than n log n towards 10,000 because all items are begun at once and are alive together: more than fits into the young generation of the heap (16 MB), so that the collector copies what lives, twice, and then keeps it for a full collection. At 10,000 items that is two thirds of the time; with a young generation of 256 MB (`--max-semi-space-size=256`) it is 4 to 15 %, and what is left costs about four times as much for an item as at 1,000, most likely because no cache holds that much memory. No function does more for an item when there are more of them. A lower `concurrency` keeps fewer alive. The fan-out of pocketflow grows in the same way.',
    'A chain of 10,000 different steps is dearer for each step than one of 1,000, most likely because the graph (6 MB) no longer fits into the caches: looking up the step and its count of visits becomes the largest part (a fifth). The same goes for building it. There each step is checked (names, actions, targets, reachability) in passes over all of them, about a microsecond for a step, once for a flow; pocketflow checks nothing.',
    'A journal adds the hash of each input, so that a resumed run never takes a result for another input, an encoded value, and two entries for a step: some microseconds. On disk the result of a step is synchronized before the next step begins, because that may pay for something that depends on it: 84 to 89 % of the time is the wait of `fdatasync`, as the row without it shows, and nearly all of the rest is the wait for the write itself. It is the price of losing nothing in a power failure; `fsync: false` still loses nothing when only the process dies. Entries that come together share one wait: the items of a fan-out on disk cost some tens of microseconds each, not a wait each.',
  ],
};

await main(import.meta.url, bench);
