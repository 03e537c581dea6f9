import type { Row } from '@askema/core';
import { expect, test } from 'vitest';
import { LargeResults } from './large-results.ts';

const caller = (subject: string, tenant?: string) => ({ subject, tenant, scopes: [] });
const ANN = caller('ann', 'acme');
const { signal } = new AbortController();

/** Parts of 10,001 rows with five cells, each of which takes so long to come. */
function resultsOf() {
  let now = 1_000_000;
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(Math.round(ms));
  const results = new LargeResults({ clock: { now: () => now }, sleep });
  async function* parts(tookMs: number, length: number): AsyncGenerator<readonly Row[]> {
    now += tookMs;
    yield Array.from({ length }, () => [1, 2, 3, 4, 5]);
  }
  const read = async ({ who = ANN, tookMs = 0, rows = 10_001, readMs = 0 } = {}): Promise<void> => {
    for await (const _part of results.paced(parts(tookMs, rows), { caller: who, signal })) now += readMs;
  };
  return { results, read, slept, wait: (ms: number) => (now += ms) };
}

test('whoever is alone is not held up, however much they ask', async () => {
  const { results, read, slept } = resultsOf();
  for (let statement = 0; statement < 3; statement += 1) {
    results.asked(ANN);
    await read();
  }
  expect(slept).toEqual([]);
});

test.each([caller('bob', 'acme'), caller('ann', 'zeta'), caller('ann')])(
  'while %j asks, large results share a rate; a second after that, no more',
  async (other) => {
    const { results, read, slept, wait } = resultsOf();
    results.asked(other);
    results.asked(ANN);
    results.asked(ANN);
    await read();
    await read({ who: caller('eve', 'acme') });
    expect(slept).toEqual([50, 100]);
    wait(1_001);
    await read();
    expect(slept).toHaveLength(2);
  },
);

test('where a part takes long to come, the pause is longer; how long its reader takes does not count', async () => {
  const { results, read, slept } = resultsOf();
  results.asked(caller('bob'));
  await read({ tookMs: 100 });
  await read({ tookMs: 0, readMs: 500 });
  expect(slept).toEqual([400, 50]);
});

test('an ordinary result does not wait', async () => {
  const { results, read, slept } = resultsOf();
  results.asked(caller('bob'));
  await read({ rows: 10_000 });
  expect(slept).toEqual([]);
});
