import { createFlow, defineStep, end, type Journal, memoryJournal } from '@askema/core';
import { expect, it } from 'vitest';
import { type Telemetry, telemetry } from '../test-support/telemetry.ts';

interface Trail {
  done: string[];
}
interface Deps {
  readonly work: (name: string) => unknown;
}

/** Two steps, of which the first one may ask back. */
function trailFlow({ asks = false } = {}) {
  const step = (name: string) =>
    defineStep<Trail, Deps>()({
      name,
      exec: async (_input, { deps, suspend }) => {
        if (asks && name === 'draft') await suspend('which?');
        await deps.work(name);
        return name;
      },
      post: (state, _input, done) => void state.done.push(done),
    });
  return createFlow<Trail, Deps>({ name: 'trail' })
    .step(step('draft'), { default: 'check' })
    .step(step('check'), { default: end })
    .build();
}

const runId = 'r';
const busy: Deps = { work: () => undefined };
const idle: Deps = {
  work: (name) => {
    throw new Error(`${name} worked again`);
  },
};

/** A journal as a process leaves it that is killed: with the result of the first step alone. */
async function killedBehindDraft(journal: Journal): Promise<Journal> {
  const left = memoryJournal();
  const entries = await journal.read(runId);
  const opened = await left.open(runId);
  await opened.append(entries.slice(0, entries.findIndex(({ kind }) => kind === 'exec') + 1));
  await opened.close();
  return left;
}

/** How many runs were counted, by how they ended. */
async function counted(sdk: Telemetry): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [name, value] of Object.entries(await sdk.metrics())) {
    const [, outcome] = /^askema\.runs\{.*askema\.run\.outcome=(\w+)/.exec(name) ?? [];
    if (outcome !== undefined) counts[outcome] = value;
  }
  return counts;
}

it('a run that is read back is not counted again, and has its span', async () => {
  using sdk = telemetry();
  const { onEvent } = sdk.tracing;
  const journal = memoryJournal();
  const flow = trailFlow();
  await flow.run({ done: [] }, busy, { runId, journal, onEvent });
  for (const _ of [1, 2]) await flow.resume(runId, idle, { journal, onEvent });
  await flow.replay(runId, { journal, onEvent });
  expect(await counted(sdk)).toEqual({ finished: 1 });
  expect(sdk.spans().filter(({ name }) => name === 'run trail')).toHaveLength(4);
});

it('a run that goes on where a process was killed is counted by whoever goes on', async () => {
  const journal = memoryJournal();
  const flow = trailFlow();
  await flow.run({ done: [] }, busy, { runId, journal });
  using sdk = telemetry();
  const left = await killedBehindDraft(journal);
  const { onEvent } = sdk.tracing;
  await flow.resume(runId, busy, { journal: left, onEvent });
  await flow.resume(runId, idle, { journal: left, onEvent });
  expect(await counted(sdk)).toEqual({ finished: 1 });
});

it('a run that goes on from an answer, or from a failure, is counted for each end', async () => {
  using sdk = telemetry();
  const { onEvent } = sdk.tracing;
  const journal = memoryJournal();
  const flow = trailFlow({ asks: true });
  await flow.run({ done: [] }, busy, { runId, journal, onEvent });
  await expect(flow.resume(runId, idle, { journal, onEvent, answer: 'this' })).rejects.toThrow('worked again');
  await flow.resume(runId, busy, { journal, onEvent });
  await flow.resume(runId, idle, { journal, onEvent });
  expect(await counted(sdk)).toEqual({ suspended: 1, failed: 1, finished: 1 });
});
