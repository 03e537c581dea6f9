import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare-runs.ts';
import { pairOfRuns, result, storedRun } from './fixtures/stored-run.ts';

const FEW = { resamples: 200 };

describe('compareRuns', () => {
  it('pairs the questions, and names those that changed sides', () => {
    const [a, b] = pairOfRuns('rrrwwdf', 'rrwrrwf');
    const comparison = compareRuns(a, b, FEW);
    expect(comparison.total).toMatchObject({ questions: 7, bothRight: 2, gained: 2, lost: 1, neitherRight: 2 });
    expect(comparison.total.accuracyA.value).toBeCloseTo(3 / 7);
    expect(comparison.total.accuracyB.value).toBeCloseTo(4 / 7);
    expect(comparison.total.difference.value).toBeCloseTo(1 / 7);
    expect(comparison.total.pValue).toBe(1);
    expect(comparison.gained.map((pair) => pair.id)).toEqual(['q3', 'q4']);
    expect(comparison.lost.map((pair) => pair.id)).toEqual(['q2']);
    expect(comparison.otherVerdict.map((pair) => pair.id)).toEqual(['q5']);
    expect(comparison.verdicts.wrong).toEqual({ right: 2, wrong: 0, declined: 0, failed: 0, goldFailed: 0 });
  });

  it('leaves out what cannot be paired, and says so', () => {
    const a = storedRun('old', [
      result('same', 'right'),
      result('gold', 'goldFailed'),
      result('asked-otherwise', 'right'),
      result('other-gold', 'right'),
      result('gone', 'right'),
    ]);
    const b = storedRun('new', [
      result('same', 'right'),
      result('gold', 'right'),
      result('asked-otherwise', 'wrong', { question: 'Something else?' }),
      result('other-gold', 'wrong', { goldSql: ['SELECT 2'] }),
      result('added', 'wrong'),
    ]);
    const comparison = compareRuns(a, b, FEW);
    expect(comparison.total.questions).toBe(1);
    expect(comparison.goldFailed.map((pair) => pair.id)).toEqual(['gold']);
    expect(comparison.rewritten.map((pair) => pair.id)).toEqual(['asked-otherwise', 'other-gold']);
    expect([comparison.onlyA, comparison.onlyB]).toEqual([['gone'], ['added']]);
    expect(comparison.remarks.join(' ')).toContain('2 questions with another text or other gold SQL');
    expect(comparison.remarks.join(' ')).toContain('1 question only in old');
  });

  it('counts a question whose gold drifted, but names it', () => {
    const a = storedRun('old', [
      result('q', 'right', { goldHashes: ['1', '2'] }),
      result('same', 'right', { goldHashes: ['2', '1'] }),
      result('unknown', 'right'),
    ]);
    const b = storedRun('new', [
      result('q', 'wrong', { goldHashes: ['1', '3'] }),
      result('same', 'right', { goldHashes: ['1', '2'] }),
      result('unknown', 'right', { goldHashes: ['7'] }),
    ]);
    const comparison = compareRuns(a, b, FEW);
    expect(comparison.total.questions).toBe(3);
    expect(comparison.drifted.map((pair) => pair.id)).toEqual(['q']);
    expect(comparison.remarks.join(' ')).toContain('other results');
  });

  it('has groups from easy to hard, whose p-values know how many there are', () => {
    const verdicts = (count: number, verdict: 'right' | 'wrong', difficulty: string) =>
      Array.from({ length: count }, (_, index) => result(`${difficulty}${index}`, verdict, { difficulty }));
    const a = storedRun('old', [...verdicts(6, 'wrong', 'hard'), ...verdicts(6, 'right', 'easy')]);
    const b = storedRun('new', [...verdicts(6, 'right', 'hard'), ...verdicts(6, 'right', 'easy')]);
    const { byDifficulty, total } = compareRuns(a, b, FEW);
    expect(byDifficulty.map((group) => group.name)).toEqual(['easy', 'hard']);
    expect(byDifficulty[1]?.pValue).toBeCloseTo(0.03125);
    expect(byDifficulty[1]?.adjustedPValue).toBeCloseTo(0.0625);
    expect(total.adjustedPValue).toBe(total.pValue);
  });

  it('compares scores and costs only where both runs know them', () => {
    const a = storedRun('old', [
      result('q1', 'right', { scores: { 'bird-ex': 1, own: 0.5 }, costUsd: 0.1 }),
      result('q2', 'wrong', { scores: { 'bird-ex': 0 } }),
    ]);
    const b = storedRun('new', [
      result('q1', 'right', { scores: { 'bird-ex': 0 }, costUsd: 0.3 }),
      result('q2', 'wrong', { scores: { 'bird-ex': 0.5 }, costUsd: 0.4 }),
    ]);
    const { metrics, costs } = compareRuns(a, b, FEW);
    expect(metrics).toMatchObject([{ id: 'bird-ex', questions: 2, meanA: 0.5, meanB: 0.25 }]);
    expect(costs.find((cost) => cost.what === 'costUsd')).toMatchObject({ questions: 1, meanA: 0.1, meanB: 0.3 });
    expect(costs.find((cost) => cost.what === 'inputTokens')).toBeUndefined();
  });

  it('is not led astray by names of the prototype', () => {
    const scores = JSON.parse('{"__proto__": 1, "constructor": 0.5}') as Record<string, number>;
    const named = storedRun('new', [result('__proto__', 'right', { scores, category: 'constructor' })]);
    const comparison = compareRuns(named, named, FEW);
    expect(comparison.total).toMatchObject({ questions: 1, bothRight: 1 });
    expect(comparison.metrics.map((metric) => metric.id)).toEqual(['__proto__', 'constructor']);
    expect(comparison.remarks).toContain('Both are the same run.');
  });

  it('says when databases are too few to be drawn', () => {
    const [a, b] = pairOfRuns('rw', 'wr');
    expect(compareRuns(a, b, { ...FEW, resampleBy: 'database' }).remarks.join()).toContain(
      '1 databases are too narrow',
    );
  });

  it('mirrors when the runs are swapped', () => {
    const letters = fc.array(fc.constantFrom('r', 'w', 'd', 'f', 'g'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(letters, letters, (x, y) => {
        const [a, b] = pairOfRuns(x.join(''), y.join(''));
        const there = compareRuns(a, b, { resamples: 20 });
        const back = compareRuns(b, a, { resamples: 20 });
        expect([there.total.gained, there.total.lost]).toEqual([back.total.lost, back.total.gained]);
        expect(there.total.pValue).toBe(back.total.pValue);
        expect(there.onlyA).toEqual(back.onlyB);
        const { bothRight, gained, lost, neitherRight, questions } = there.total;
        expect(bothRight + gained + lost + neitherRight).toBe(questions);
        expect(there.byDifficulty.reduce((sum, group) => sum + group.questions, 0)).toBe(questions);
        expect(questions + there.goldFailed.length + there.onlyA.length).toBe(a.results.length);
      }),
      { numRuns: 100 },
    );
  });
});
