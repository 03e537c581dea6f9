/**
 * One whole run in a process of its own: `child.ts {"kind":"evaluation","items":1000,"concurrency":8}`. Prints what it
 * measured as JSON.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { sqlite } from '@askema/sqlite';
import { createText2Sql, plain } from '@askema/text2sql';
import { runBatch, runEvaluation } from '../../packages/eval/src/index.ts';
import { questions, scripted } from './scripted.ts';

export interface WholeRunRequest {
  /** `evaluation`: questions with gold through `runEvaluation`. `batch`: the same questions through `runBatch`. */
  readonly kind: 'evaluation' | 'batch';
  readonly items: number;
  readonly concurrency: number;
}

export interface WholeRunResult {
  readonly itemsPerSecond: number;
  readonly right: number;
  /** Of this process, after 10 %, 50 % and all of the items, in bytes. */
  readonly residentBytes: readonly [number, number, number];
  /** The same of the heap and array buffers, collected. */
  readonly heapBytes: readonly [number, number, number];
  readonly loopDelayP50Ms: number;
  readonly loopDelayP99Ms: number;
  readonly processorSeconds: number;
}

const { kind, items, concurrency } = JSON.parse(process.argv[2] ?? '') as WholeRunRequest;
const file = fileURLToPath(new URL('../../examples/store.sqlite', import.meta.url));
const out = mkdtempSync(path.join(tmpdir(), 'askema-bench-run-'));
const dataset = questions(items, file);
const loop = monitorEventLoopDelay({ resolution: 1 });
const resident: number[] = [];
const heap: number[] = [];
/** The time that the measurements themselves took. */
let lostMs = 0;

/** Called after each item; marks stand at 10 %, 50 % and 100 %. */
function mark(done: number): void {
  if (![Math.ceil(items * 0.1), Math.ceil(items * 0.5), items].includes(done) || heap.length === 3) return;
  const before = performance.now();
  loop.disable();
  resident.push(process.memoryUsage.rss());
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  heap.push(heapUsed + arrayBuffers);
  lostMs += performance.now() - before;
  loop.enable();
}

const pool = { poolSize: 2 };
const started = performance.now();
const before = process.cpuUsage();
loop.enable();
let right = 0;
if (kind === 'evaluation') {
  const summary = await runEvaluation({
    dataset,
    out,
    concurrency,
    configuration: { flow: 'plain' },
    prices: { inputPerMillion: 1, outputPerMillion: 1 },
    connect: () => sqlite({ file, ...pool }),
    pipeline: (adapter) => createText2Sql({ adapter, model: scripted, flow: plain() }),
    onProgress: ({ done }) => mark(done),
  });
  right = summary.total.counts.right;
} else {
  const text2sql = createText2Sql({ adapter: sqlite({ file, ...pool }), model: scripted, flow: plain() });
  await runBatch({
    items: dataset.questions.map(({ id, question }) => ({ id, input: question })),
    work: async (question, { signal }) => {
      const outcome = await text2sql.ask(question, { signal });
      if (outcome.type === 'answered') right += 1;
      return outcome;
    },
    out,
    concurrency,
    onProgress: ({ finished }) => mark(finished),
  });
  await text2sql.close();
}
const seconds = (performance.now() - started - lostMs) / 1_000;
const { user, system } = process.cpuUsage(before);
loop.disable();
rmSync(out, { recursive: true });
const result: WholeRunResult = {
  itemsPerSecond: items / seconds,
  right,
  residentBytes: resident as unknown as [number, number, number],
  heapBytes: heap as unknown as [number, number, number],
  loopDelayP50Ms: loop.percentile(50) / 1e6,
  loopDelayP99Ms: loop.percentile(99) / 1e6,
  processorSeconds: (user + system) / 1e6,
};
process.stdout.write(JSON.stringify(result));
