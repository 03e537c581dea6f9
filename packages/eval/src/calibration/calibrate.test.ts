import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { result } from '../compare/fixtures/stored-run.ts';
import { calibrate } from './calibrate.ts';

const answers = (confidence: number, right: number, wrong: number) => [
  ...Array.from({ length: right }, (_, index) => result(`r${confidence}-${index}`, 'right', { confidence })),
  ...Array.from({ length: wrong }, (_, index) => result(`w${confidence}-${index}`, 'wrong', { confidence })),
];

describe('calibrate', () => {
  it('finds no error where confidence is as often right as it says', () => {
    const { confidence } = calibrate([...answers(0.75, 3, 1), ...answers(0.25, 1, 3)]);
    expect(confidence).toMatchObject({ questions: 8, right: 4, meanConfidence: 0.5 });
    expect(confidence?.expectedCalibrationError).toBeCloseTo(0);
    expect(confidence?.brier).toBeCloseTo(0.1875);
    expect(confidence?.brierOfAccuracy).toBeCloseTo(0.25);
  });

  it('weighs the bins by their size', () => {
    // 0.95 over 60 answers of which 30 are right, 0.15 over 20 of which 3 are.
    const { confidence } = calibrate([...answers(0.95, 30, 30), ...answers(0.15, 3, 17)]);
    expect(confidence?.expectedCalibrationError).toBeCloseTo((60 / 80) * 0.45);
    expect(confidence?.maximumCalibrationError).toBeCloseTo(0.45);
    expect(confidence?.bins.filter((bin) => bin.questions > 0).map((bin) => [bin.from, bin.right])).toEqual([
      [0.1, 3],
      [0.9, 30],
    ]);
  });

  it('has the accuracy at each coverage, over all questions that count', () => {
    const results = [...answers(0.9, 2, 0), ...answers(0.4, 1, 1), result('d', 'declined'), result('g', 'goldFailed')];
    const { confidence, questions, answered } = calibrate(results);
    expect([questions, answered]).toEqual([5, 4]);
    expect(confidence?.coverage.map((point) => [point.threshold, point.coverage, point.accuracy.value])).toEqual([
      [0.9, 0.4, 1],
      [0.4, 0.8, 0.75],
    ]);
  });

  it('ranks by pairs of a right and a wrong answer, ties as half', () => {
    expect(calibrate([...answers(0.9, 1, 0), ...answers(0.1, 0, 1)]).confidence?.ranking).toBe(1);
    expect(calibrate([...answers(0.9, 0, 1), ...answers(0.1, 1, 0)]).confidence?.ranking).toBe(0);
    expect(calibrate(answers(0.5, 3, 4)).confidence?.ranking).toBe(0.5);
    expect(calibrate(answers(0.5, 3, 0)).confidence?.ranking).toBeUndefined();
  });

  it('looks at sure by itself', () => {
    const { confidence, sure } = calibrate([
      result('a', 'right', { sure: true }),
      result('b', 'wrong', { sure: false }),
      result('c', 'right', { sure: false }),
    ]);
    expect(confidence).toBeUndefined();
    expect(sure?.sure).toMatchObject({ questions: 1, right: 1 });
    expect(sure?.unsure.accuracy.value).toBe(0.5);
    expect(sure?.unsure.coverage).toBeCloseTo(2 / 3);
  });

  it('has nothing to say of nothing', () => {
    expect(calibrate([])).toEqual({ questions: 0, answered: 0, confidence: undefined, sure: undefined });
    expect(() => calibrate([], { bins: 0 })).toThrow('`bins` is 0');
  });

  it('puts every answer into the bin that holds its confidence, and ranks as counting pairs does', () => {
    const answer = fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), right: fc.boolean() });
    const edge = fc.record({ confidence: fc.integer({ min: 0, max: 100 }).map((n) => n / 100), right: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(answer, edge), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 100 }),
        (given, bins) => {
          const results = given.map(({ confidence, right }, index) =>
            result(`q${index}`, right ? 'right' : 'wrong', { confidence }),
          );
          const { confidence } = calibrate(results, { bins });
          expect(confidence?.bins.reduce((sum, bin) => sum + bin.questions, 0)).toBe(given.length);
          for (const bin of confidence?.bins ?? []) {
            const inside = given.filter(
              (one) =>
                one.confidence >= bin.from && (one.confidence < bin.to || (bin.to === 1 && one.confidence === 1)),
            );
            expect(bin.questions).toBe(inside.length);
          }
          const pairs = given
            .filter((one) => one.right)
            .flatMap((right) =>
              given
                .filter((one) => !one.right)
                .map((wrong) =>
                  right.confidence > wrong.confidence ? 1 : right.confidence === wrong.confidence ? 0.5 : 0,
                ),
            );
          const expected =
            pairs.length === 0 ? undefined : pairs.reduce<number>((sum, win) => sum + win, 0) / pairs.length;
          if (expected === undefined) expect(confidence?.ranking).toBeUndefined();
          else expect(confidence?.ranking).toBeCloseTo(expected, 9);
          expect(confidence?.coverage.at(-1)?.questions).toBe(given.length);
          expect(confidence?.expectedCalibrationError).toBeLessThanOrEqual(
            (confidence?.maximumCalibrationError ?? 0) + 1e-12,
          );
        },
      ),
    );
  });

  it('keeps at most 100 thresholds, the first and the last among them', () => {
    const many = Array.from({ length: 1000 }, (_, index) => result(`q${index}`, 'right', { confidence: index / 1000 }));
    const { confidence } = calibrate(many);
    expect(confidence?.coverage).toHaveLength(100);
    expect([confidence?.coverage[0]?.threshold, confidence?.coverage.at(-1)?.threshold]).toEqual([0.999, 0]);
  });
});
