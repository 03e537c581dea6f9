import type { Row, Value } from '@askema/core';

/** Rows with a value in each column of `left`. */
function filledRows(rows: readonly Row[], left: readonly number[]): readonly Row[] {
  return rows.filter((row) => left.every((column) => row[column] !== null));
}

/**
 * The fewest rows to remove, by the definition: tries every choice of one right value for each left value. Right
 * because it is simple; shares no code with what it is held against.
 */
function fewestViolations(rows: readonly Row[], left: readonly number[], right: number): number {
  const rightsOf = new Map<string, Value[]>();
  for (const row of filledRows(rows, left)) {
    const key = JSON.stringify(left.map((column) => row[column]));
    rightsOf.set(key, [...(rightsOf.get(key) ?? []), row[right] ?? null]);
  }
  let violations = 0;
  for (const values of rightsOf.values())
    violations += Math.min(...values.map((kept) => values.filter((value) => value !== kept).length));
  return violations;
}

/** True when some two rows with values in `left` agree there. */
function hasRepeats(rows: readonly Row[], left: readonly number[]): boolean {
  const texts = filledRows(rows, left).map((row) => JSON.stringify(left.map((column) => row[column])));
  return new Set(texts).size < texts.length;
}

/**
 * Dependencies with minimal left sides of one or two columns whose error is at most `maxError`, as
 * `left>right:violations`.
 */
export function minimalDependencies(rows: readonly Row[], columnCount: number, maxError: number): readonly string[] {
  const columns = Array.from({ length: columnCount }, (_, at) => at);
  const isGood = (left: readonly number[], right: number): boolean =>
    fewestViolations(rows, left, right) <= Math.floor(filledRows(rows, left).length * maxError);
  const lefts = [
    ...columns.map((first) => [first]),
    ...columns.flatMap((first) => columns.slice(first + 1).map((second) => [first, second])),
  ];
  const values = (column: number): number =>
    new Set(rows.map((row) => row[column]).filter((each) => each !== null)).size;
  return lefts
    .filter((left) => left.every((column) => values(column) > 1) && hasRepeats(rows, left))
    .flatMap((left) =>
      columns
        .filter((right) => !left.includes(right) && !isGood([], right) && values(right) > 0 && isGood(left, right))
        .filter((right) => left.length === 1 || left.every((column) => !isGood([column], right)))
        .map((right) => `${left.join()}>${right}:${fewestViolations(rows, left, right)}`),
    );
}

/** Minimal sets of one or two columns without NULLs that no two rows share. */
export function minimalUniqueSets(rows: readonly Row[], columnCount: number): readonly string[] {
  const columns = Array.from({ length: columnCount }, (_, at) => at);
  const isUnique = (set: readonly number[]): boolean =>
    filledRows(rows, set).length === rows.length && !hasRepeats(rows, set);
  const singles = columns.filter((column) => isUnique([column]));
  const pairs = columns.flatMap((first) => columns.slice(first + 1).map((second) => [first, second]));
  return [
    ...singles.map(String),
    ...pairs
      .filter((pair) => isUnique(pair) && !pair.some((column) => singles.includes(column)))
      .map((pair) => pair.join()),
  ];
}
