import { type ComparableResult, compareResults } from '@askema/core';

/**
 * True where the answer holds the columns of gold with the same rows. An answer may show more columns: who asks for
 * customers gets their names, and a count beside it does no harm. `tolerance`: how far numbers may be apart.
 */
export function holdsGold(
  gold: ComparableResult,
  answer: ComparableResult,
  orderMatters: boolean,
  tolerance = 0.005,
): boolean {
  if (answer.rows.length !== gold.rows.length || answer.columns.length < gold.columns.length) return false;
  const pick = (taken: readonly number[]): boolean => {
    if (taken.length === gold.columns.length)
      return compareResults(gold, cut(answer, taken), { orderMatters, absoluteTolerance: tolerance }).match;
    return answer.columns.some((_, place) => !taken.includes(place) && pick([...taken, place]));
  };
  return pick([]);
}

function cut({ columns, rows }: ComparableResult, places: readonly number[]): ComparableResult {
  return {
    columns: places.flatMap((place) => columns[place] ?? []),
    rows: rows.map((row) => places.map((place) => row[place] ?? null)),
  };
}
