import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFlow, defineBatchStep, defineStep, end, type Journal, memoryJournal } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import type { Work } from '../harness/bench.ts';
import { type Counter, expectCount } from './counter.ts';

/** `unsynced`: in a file, without waiting for the disk. */
export type Remembered = 'nothing' | 'memory' | 'file' | 'unsynced';

const add = (name: string) =>
  defineStep<Counter>()({
    name,
    prep: ({ count }) => count,
    exec: async (count) => count + 1,
    post: (state, _, next) => {
      state.count = next;
    },
  });

type AnyBuilder = {
  readonly step: (step: ReturnType<typeof add>, routes: { readonly default: unknown }) => AnyBuilder;
  readonly build: () => AnyFlow;
};
interface AnyFlow {
  readonly run: (
    state: object,
    deps: object,
    options: { readonly journal?: Journal | undefined; readonly runId?: string | undefined },
  ) => Promise<{ readonly status: string; readonly state: object }>;
}

export function buildChain(steps: number): AnyFlow {
  // Names that are made at run time have no types.
  let builder = createFlow<Counter>({ name: 'chain' }) as unknown as AnyBuilder;
  for (let at = 0; at < steps; at += 1)
    builder = builder.step(add(`step${at}`), { default: at === steps - 1 ? end : `step${at + 1}` });
  return builder.build();
}

/** A chain of steps; each run is one of its own, in a journal of its own where it is remembered. */
export function chain(steps: number, remembered: Remembered): Work {
  const flow = buildChain(steps);
  const { newJournal, close } = journals(remembered);
  return {
    run: async () => {
      const result = await flow.run({ count: 0 }, {}, { journal: newJournal() });
      expectCount((result.state as Counter).count, steps);
      return result;
    },
    close,
  };
}

/** An inner flow of one step, once per item, all at once. */
export function fanOut(items: number, remembered: Remembered): Work {
  const inner = createFlow<Counter>({ name: 'item' }).step(add('add'), { default: end }).build();
  const flow = createFlow<Counter>({ name: 'fan-out' })
    .parallel(
      'items',
      inner,
      { default: end },
      {
        enter: () => Array.from({ length: items }, (_, count) => ({ count })),
        leave: (state, ended) => {
          state.count = ended.reduce((sum, item) => sum + item.state.count, 0);
        },
      },
    )
    .build();
  const { newJournal, close } = journals(remembered);
  return {
    run: async () => {
      const result = await flow.run({ count: 0 }, {}, { journal: newJournal() });
      expectCount((result.state as Counter).count, (items * (items + 1)) / 2);
      return result;
    },
    close,
  };
}

/** One step whose `exec` runs once per item, all at once. */
export function batch(items: number): Work {
  const step = defineBatchStep<Counter>()({
    name: 'items',
    concurrency: Number.POSITIVE_INFINITY,
    prep: () => Array.from({ length: items }, (_, count) => count),
    exec: async (count) => count + 1,
    post: (state, _, results) => {
      state.count = results.reduce((sum, count) => sum + count, 0);
    },
  });
  const flow = createFlow<Counter>({ name: 'batch' }).step(step, { default: end }).build();
  return {
    run: async () => {
      const result = await flow.run({ count: 0 }, {});
      expectCount((result.state as Counter).count, (items * (items + 1)) / 2);
      return result;
    },
  };
}

function journals(remembered: Remembered): {
  readonly newJournal: () => Journal | undefined;
  readonly close: () => void;
} {
  if (remembered === 'nothing') return { newJournal: () => undefined, close: () => {} };
  if (remembered === 'memory') return { newJournal: () => memoryJournal(), close: () => {} };
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-bench-'));
  const journal = jsonlJournal({ directory: folder, fsync: remembered === 'file' });
  return { newJournal: () => journal, close: () => rmSync(folder, { recursive: true }) };
}
