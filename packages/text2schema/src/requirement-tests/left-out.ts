import { isRowReference, type StatedRow } from '../model/requirement-test.ts';
import { foldWords } from '../test-plan/fold-words.ts';
import type { Completion } from './complete-row.ts';

/**
 * A row that must be refused for something that it states (a fact of a row before it, a row that is not there, a NULL)
 * need not state everything else anew: what it leaves out is not what is wrong with it.
 */
export function leftOut(
  row: StatedRow,
  others: readonly StatedRow[],
  known: ReadonlySet<string>,
): Pick<Completion, 'freshKey' | 'freshAll'> {
  const repeats = (other: StatedRow) => (stated: StatedRow['facts'][number]) =>
    other.facts.some(
      ({ fact, value }) =>
        foldWords(fact) === foldWords(stated.fact) && JSON.stringify(value) === JSON.stringify(stated.value),
    );
  const isTold = row.facts.some(({ value }) => value === null || (isRowReference(value) && !known.has(value.row)));
  return {
    freshKey: others.some((other) => row.facts.some(repeats(other))),
    freshAll: isTold || (row.facts.length > 0 && others.some((other) => row.facts.every(repeats(other)))),
  };
}
