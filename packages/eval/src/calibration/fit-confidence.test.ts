import { confidenceOf, readConfidenceTable } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { EvaluationResult } from '../run/evaluation-result.ts';
import { fitConfidence } from './fit-confidence.ts';

/** So many answers with a signal, of which so many are right. */
function answers(hasCast: number, all: number, right: number, model = 'openai:m'): EvaluationResult[] {
  return Array.from({ length: all }, (_, at) => ({
    ...({} as EvaluationResult),
    id: `${hasCast}-${at}`,
    verdict: at < right ? 'right' : 'wrong',
    outcome: 'answered',
    solvedBy: model,
    signals: { hasCast, isNever: 0 },
  }));
}

const fit = (results: readonly EvaluationResult[], target?: number) =>
  fitConfidence(results, { flow: 'auto', today: '2026-11-29', target });

describe('fitConfidence', () => {
  it('learns what a signal takes away, and is sure of those without it', () => {
    const { table, leaveOneOut } = fit([...answers(0, 120, 119), ...answers(1, 80, 60)]);
    expect(table).toMatchObject({ model: 'openai:m', flow: 'auto', questions: 200, right: 179 });
    expect(confidenceOf(table, { hasCast: 0 })).toBeGreaterThan(0.96);
    expect(confidenceOf(table, { hasCast: 1 })).toBeCloseTo(0.75, 1);
    expect(table.weights.isNever).toBeCloseTo(0, 9);
    expect(leaveOneOut.sure?.sure).toMatchObject({ questions: 120, right: 119, coverage: 0.6 });
    expect(leaveOneOut.confidence?.ranking).toBeGreaterThan(0.6);
    expect(readConfidenceTable(JSON.parse(JSON.stringify(table)))).toEqual(table);
  });

  it('is never sure where nothing keeps the target', () => {
    const { table, leaveOneOut } = fit([...answers(0, 60, 50), ...answers(1, 60, 50)]);
    expect(table.sureFrom).toBeNull();
    expect(leaveOneOut.sure?.sure.questions).toBe(0);
    expect(fit([...answers(0, 60, 50), ...answers(1, 60, 50)], 0.8).table.sureFrom).not.toBeNull();
  });

  it('tells nothing from signals that do not matter: leave-one-out looks at no answer that it was fitted on', () => {
    // Each right answer taken out makes the others look worse, so that an honest figure is at or below chance.
    const { leaveOneOut } = fit(answers(0, 100, 50));
    expect(leaveOneOut.confidence?.ranking).toBeLessThan(0.5);
  });

  it('refuses what cannot be fitted, with the reason', () => {
    expect(() => fit(answers(0, 10, 5))).toThrow(/There are 10 answers with signals; 50/);
    expect(() => fit([...answers(0, 40, 30), ...answers(1, 40, 30, 'openai:n')])).toThrow(
      /several models.*m, openai:n/,
    );
    expect(() => fit(answers(0, 60, 60))).toThrow(/No answer is wrong/);
    expect(() => fit(answers(0, 60, 50).map((result) => ({ ...result, signals: undefined })))).toThrow(/no signals/);
  });
});
