import type { DatasetQuestion } from '../datasets/dataset.ts';
import type { EvaluationOptions, EvaluationResult, Verdict } from './evaluation-options.ts';
import { startPace } from './pace.ts';
import type { ResultsStore } from './results-store.ts';
import { countVerdicts } from './summarise.ts';

/** Tells `onProgress` how far a run is: first without a result, then with each one that was written. `left` are to be asked in this start. */
export function progressReporter(
  options: Pick<EvaluationOptions, 'onProgress' | 'budgetUsd'>,
  selected: readonly DatasetQuestion[],
  store: Pick<ResultsStore<EvaluationResult>, 'results' | 'spentUsd'>,
  left: number,
): (last?: EvaluationResult) => void {
  const pace = startPace(left, Date.now);
  const known = selected.flatMap(({ id }) => store.results.get(id) ?? []);
  const latest = new Map(known.map(({ id, verdict }) => [id, verdict]));
  const counts: Record<Verdict, number> = { ...countVerdicts(known) };
  return (last) => {
    if (last !== undefined) {
      pace.step();
      const before = latest.get(last.id);
      if (before !== undefined) counts[before] -= 1;
      counts[last.verdict] += 1;
      latest.set(last.id, last.verdict);
    }
    try {
      options.onProgress?.({
        done: latest.size,
        total: selected.length,
        counts: { ...counts },
        last,
        ...pace.read(),
        costUsd: store.spentUsd,
        budgetUsd: options.budgetUsd,
      });
    } catch {
      // A listener that throws must not end a run that is paid for.
    }
  };
}
