import type { EvaluationResult, EvaluationSummary } from './evaluation-options.ts';

/** What the `inspect` flow did over all questions; nothing for runs of other flows. */
export function summariseInspection(results: readonly EvaluationResult[]): Pick<EvaluationSummary, 'inspection'> {
  const counted = results.filter(({ verdict }) => verdict !== 'goldFailed');
  const inspected = counted.flatMap(({ inspection }) => inspection ?? []);
  if (inspected.length === 0) return {};
  const most = Math.max(...inspected.map(({ rightByTry }) => rightByTry.length));
  const byMaximum = [...Array(most).keys()].map((iterations) => {
    const right = inspected.filter(({ rightByTry }) => rightByTry[Math.min(iterations, rightByTry.length - 1)]).length;
    return { iterations, right, accuracy: right / counted.length };
  });
  const all = inspected.reduce((sum, { iterations }) => sum + iterations, 0);
  return { inspection: { questions: inspected.length, averageIterations: all / inspected.length, byMaximum } };
}
