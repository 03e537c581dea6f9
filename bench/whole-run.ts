/** Whole runs of questions with a scripted model. Usage: npm run -s whole-run --prefix bench [-- --quick] */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Bench, Measurement } from './harness/bench.ts';
import { main } from './harness/main.ts';
import { showBytes, showNumber } from './harness/render.ts';
import type { WholeRunRequest, WholeRunResult } from './whole-run/child.ts';

const CHILD = fileURLToPath(new URL('./whole-run/child.ts', import.meta.url));
const FLAGS = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', '--expose-gc'];
const COLUMNS = [
  'at a time',
  'items',
  'answered',
  'items/s',
  ': one at a time',
  'processor, ms an item',
  'memory of the process after 10 %, 50 %, 100 %',
  'heap after 10 %, 50 %, 100 %',
  'event loop late, p50',
  'p99',
];

function runOf(request: WholeRunRequest): WholeRunResult {
  const printed = execFileSync(process.execPath, [...FLAGS, CHILD, JSON.stringify(request)], { encoding: 'utf8' });
  const result = JSON.parse(printed) as WholeRunResult;
  if (result.right !== request.items)
    throw new Error(`${result.right} of ${request.items} questions were answered right.`);
  return result;
}

const part = (kind: WholeRunRequest['kind'], title: string, concurrencies: readonly number[]): Measurement => ({
  kind: 'measurement',
  id: kind,
  title,
  measure: async ({ quick }) => {
    const items = quick ? 40 : 1_000;
    let alone: number | undefined;
    const rows = (quick ? [4] : concurrencies).map((concurrency) => {
      const result = runOf({ kind, items, concurrency });
      alone ??= result.itemsPerSecond;
      return [
        concurrency,
        items,
        result.right,
        result.itemsPerSecond,
        `${showNumber(result.itemsPerSecond / alone)}`,
        (result.processorSeconds * 1_000) / items,
        result.residentBytes.map(showBytes).join(', '),
        result.heapBytes.map(showBytes).join(', '),
        `${showNumber(result.loopDelayP50Ms)} ms`,
        `${showNumber(result.loopDelayP99Ms)} ms`,
      ];
    });
    return { columns: COLUMNS, rows };
  },
});

export const bench: Bench = {
  id: 'whole-run',
  title: 'Whole runs',
  about:
    'The plain flow answers questions about the sample database (11 tables). The model is a script that answers after 20 ms. Each item makes a prompt, runs its statement in one of two worker processes, and writes its result to disk at once. An evaluation also runs the gold statement and compares both results. Each run is a process of its own; memory is that of this process, without its workers.',
  peers: [],
  parts: [part('evaluation', '`runEvaluation`', [1, 2, 4, 8, 16, 32]), part('batch', '`runBatch`', [1, 8, 32])],
  notes: [
    'One at a time, an item takes the 20 ms of the model and the time of the rest. Several at a time share the processor for prompts, parsing and comparing, and share two worker processes for statements. On two cores the rate stops growing when both are busy: see `processor, ms an item`, which is this process without its workers.',
    'Memory is flat when the heap after 100 % is that after 10 %, apart from the results, which the summary needs.',
  ],
};

await main(import.meta.url, bench);
