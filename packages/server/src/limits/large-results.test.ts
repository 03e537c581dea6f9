import { expect, test } from 'vitest';
import { LargeResults } from './large-results.ts';

const caller = (subject: string, tenant?: string) => ({ subject, tenant, scopes: [] });
const ANN = caller('ann', 'acme');
const never = new AbortController().signal;

function resultsOf() {
  let now = 1_000_000;
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    slept.push(ms);
  };
  const results = new LargeResults({ clock: { now: () => now }, sleep });
  const batch = (who = ANN, rows = 20_000) => results.giveWay(who, { rows, cells: 5_000 }, never);
  return { results, batch, slept, wait: (ms: number) => (now += ms) };
}

test('whoever is alone is not held up, however much they ask', async () => {
  const { results, batch, slept } = resultsOf();
  for (let statement = 0; statement < 3; statement += 1) {
    results.asked(ANN);
    await batch();
  }
  expect(slept).toEqual([]);
});

test.each([caller('bob', 'acme'), caller('ann', 'zeta'), caller('ann')])(
  'while %j asks, large results share a rate; a second after that, no more',
  async (other) => {
    const { results, batch, slept, wait } = resultsOf();
    results.asked(other);
    results.asked(ANN);
    results.asked(ANN);
    await batch();
    await batch(caller('eve', 'acme'));
    expect(slept).toEqual([5, 10]);
    wait(1_000);
    await batch();
    expect(slept).toEqual([5, 10, 5]);
    wait(1);
    await batch();
    expect(slept).toHaveLength(3);
  },
);

test('an ordinary result does not wait', async () => {
  const { results, batch, slept } = resultsOf();
  results.asked(caller('bob'));
  await batch(ANN, 10_000);
  expect(slept).toEqual([]);
});
