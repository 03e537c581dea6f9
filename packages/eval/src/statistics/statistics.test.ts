import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapMean, bootstrapTest, pairedBootstrap, seededRandom } from './bootstrap.ts';
import { exactMcNemar, holmAdjust } from './p-values.ts';
import { quantile } from './quantile.ts';
import { normalQuantile, wilsonInterval } from './wilson-interval.ts';

describe('wilsonInterval', () => {
  it.each([
    // By the formula with z = 1.959964, worked by hand for 0 of 10 and 10 of 10: z² / (n + z²) = 0.27753.
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
    [5, 10, 0.2366, 0.7634],
    [81, 263, 0.2553, 0.3662],
    [1, 1, 0.2065, 1],
  ])('%i of %i lies in %f to %f', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('holds the share, stays in [0, 1], and its ends are where the score test just rejects', () => {
    const share = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(share, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ([k, n], level) => {
        const { value, low, high } = wilsonInterval(k, n, level);
        expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
        const z = normalQuantile(0.5 + level / 2);
        for (const end of [low, high].filter((each) => each > 0 && each < 1))
          expect(Math.abs(value - end) / Math.sqrt((end * (1 - end)) / n)).toBeCloseTo(z, 5);
      }),
    );
  });

  it('knows nothing without a trial, and refuses what is no share', () => {
    expect(wilsonInterval(0, 0)).toMatchObject({ value: 0, low: 0, high: 1 });
    expect(() => wilsonInterval(3, 2)).toThrow('3 of 2');
    expect(() => wilsonInterval(0.5, 2)).toThrow('0.5 of 2');
    expect(() => wilsonInterval(1, 2, 1)).toThrow('must lie between 0 and 1');
  });
});

describe('normalQuantile', () => {
  it.each([
    [0.5, 0],
    [0.975, 1.959963985],
    [0.995, 2.575829304],
    [0.001, -3.090232306],
  ])('at %f is %f', (probability, value) => {
    expect(normalQuantile(probability)).toBeCloseTo(value, 7);
  });
});

describe('exactMcNemar', () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [5, 0, 0.0625],
    [6, 0, 0.03125],
    [8, 2, 0.109375],
    [10, 2, 0.03857421875],
    [7, 7, 1],
  ])('of %i gained and %i lost is %f', (gained, lost, p) => {
    expect(exactMcNemar(gained, lost)).toBeCloseTo(p, 10);
    expect(exactMcNemar(lost, gained)).toBeCloseTo(p, 10);
  });

  it('falls as the split becomes more uneven, also among thousands', () => {
    expect(exactMcNemar(3000, 3000)).toBe(1);
    expect(exactMcNemar(3100, 2900)).toBeGreaterThan(exactMcNemar(3200, 2800));
    expect(exactMcNemar(3200, 2800)).toBeGreaterThan(0);
    expect(exactMcNemar(5000, 0)).toBe(0);
    expect(() => exactMcNemar(-1, 2)).toThrow('-1 is no number');
  });
});

describe('holmAdjust', () => {
  it('multiplies by what is left, never falls, and keeps the order given', () => {
    expect(holmAdjust([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holmAdjust([])).toEqual([]);
    expect(holmAdjust([0.9, 0.8])).toEqual([1, 1]);
  });

  it('lies between the p-value and that of Bonferroni', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (values) => {
        for (const [index, adjusted] of holmAdjust(values).entries()) {
          expect(adjusted).toBeGreaterThanOrEqual(values[index]!);
          expect(adjusted).toBeLessThanOrEqual(Math.min(1, values[index]! * values.length) + 1e-12);
        }
      }),
    );
  });
});

describe('bootstrapMean', () => {
  const coin = Array.from({ length: 400 }, (_, index) => (index % 4 === 0 ? 1 : 0));

  it('is near the interval of the normal distribution where there is much to draw from', () => {
    const { value, low, high } = bootstrapMean(coin);
    const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
    expect(value).toBe(0.25);
    expect(low).toBeCloseTo(0.25 - half, 2);
    expect(high).toBeCloseTo(0.25 + half, 2);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(bootstrapMean(coin, { seed: 7 })).toEqual(bootstrapMean(coin, { seed: 7 }));
    const numbers = Array.from({ length: 50 }, seededRandom(3));
    expect(bootstrapMean(numbers, { seed: 7 })).not.toEqual(bootstrapMean(numbers, { seed: 8 }));
  });

  it('widens when whole databases are drawn, whose questions go one way', () => {
    const groups = coin.map((_, index) => `db${Math.floor(index / 40)}`);
    const sorted = [...coin].sort();
    const alone = bootstrapMean(sorted);
    const together = bootstrapMean(sorted, { groups });
    expect(together.value).toBe(alone.value);
    expect(together.high - together.low).toBeGreaterThan(2 * (alone.high - alone.low));
  });

  it('holds the mean within the range of the values', () => {
    const values = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.integer(), (numbers, seed) => {
        const { low, high } = bootstrapMean(numbers, { resamples: 50, seed });
        expect(low).toBeGreaterThanOrEqual(Math.min(...numbers) - 1e-9);
        expect(high).toBeLessThanOrEqual(Math.max(...numbers) + 1e-9);
        expect(low).toBeLessThanOrEqual(high);
      }),
      { numRuns: 50 },
    );
  });

  it('has the coverage it claims, on samples whose mean is known', () => {
    const random = seededRandom(11);
    let held = 0;
    for (let sample = 0; sample < 300; sample += 1) {
      const values = Array.from({ length: 80 }, () => (random() < 0.4 ? 1 : 0));
      const { low, high } = bootstrapMean(values, { resamples: 400, seed: sample });
      if (low <= 0.4 && 0.4 <= high) held += 1;
    }
    expect(held / 300).toBeGreaterThan(0.9);
    expect(held / 300).toBeLessThan(0.99);
  });

  it('says what it cannot do', () => {
    expect(bootstrapMean([]).value).toBeNaN();
    expect(() => bootstrapMean([1], { resamples: 0 })).toThrow('resamples');
    expect(() => bootstrapMean([1], { level: 1.5 })).toThrow('level');
    expect(() => bootstrapMean([1, 2], { groups: ['a'] })).toThrow('1 groups for 2 values');
    expect(() => pairedBootstrap([1], [])).toThrow('1 and 0 values cannot be paired');
  });
});

describe('bootstrapTest', () => {
  it('is below 0.05 where the interval leaves 0 out, whichever the sign, and has the same interval', () => {
    for (const shift of [0.02, 0.3, 0.5, -0.3]) {
      const values = Array.from({ length: 60 }, (_, index) => shift + (index % 2 === 0 ? 1 : -1));
      const { pValue, ...estimate } = bootstrapTest(values);
      expect(estimate).toEqual(bootstrapMean(values));
      expect(pValue < 0.05).toBe(estimate.low > 0 || estimate.high < 0);
    }
  });

  it('is near the test of the normal distribution', () => {
    // Mean 0.2, standard error 1 / 10: z = 2, p = 0.0455.
    const values = Array.from({ length: 100 }, (_, index) => 0.2 + (index % 2 === 0 ? 1 : -1));
    expect(Math.abs(bootstrapTest(values).pValue - 0.0455)).toBeLessThan(0.015);
  });

  it('is 1 where nothing differs or nothing is there, and never 0', () => {
    expect(bootstrapTest([0, 0, 0]).pValue).toBe(1);
    expect(bootstrapTest([]).pValue).toBe(1);
    expect(bootstrapTest([1, 1, 1], { resamples: 99 }).pValue).toBe(0.02);
  });
});

describe('pairedBootstrap', () => {
  it('sees a difference that two separate intervals would hide', () => {
    const a = Array.from({ length: 200 }, (_, index) => (index < 100 ? 1 : 0));
    const b = a.map((value, index) => (index >= 100 && index < 112 ? 1 : value));
    const difference = pairedBootstrap(a, b);
    expect(difference.value).toBeCloseTo(0.06, 10);
    expect(difference.low).toBeGreaterThan(0);
    expect(bootstrapMean(a).high).toBeGreaterThan(bootstrapMean(b).low);
  });

  it('turns its sign with the order of the runs', () => {
    expect(pairedBootstrap([1, 0, 1], [0, 0, 0]).value).toBeCloseTo(-2 / 3);
    expect(pairedBootstrap([0, 0, 0], [1, 0, 1]).value).toBeCloseTo(2 / 3);
  });
});

describe('quantile', () => {
  it('lies between neighbours in proportion', () => {
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(quantile([10], 0.95)).toBe(10);
    expect(quantile([1, 2, 10], 1)).toBe(10);
    expect(quantile([], 0.5)).toBeUndefined();
    expect(() => quantile([1], 2)).toThrow('A quantile at 2');
  });
});
