import { columnSums, type KeyTable } from './column-sums.ts';

/** Sets of rows that a search may count before it gives up. Only tables of many equal columns come near it. */
const MAX_CHECKS = 500;

/**
 * For each column of the narrow table, a column of the wide one, such that the wide table cut to these columns holds the same rows; or
 * undefined. `rows`: as a multiset, or as a set (repeated rows count once). Rows are compared by their keys.
 *
 * Columns of the narrow table are fixed one by one; after each, the rows cut to the columns fixed so far must be the same on both
 * sides, which ends wrong branches at once.
 */
export function findProjection(
  narrow: KeyTable,
  wide: KeyTable,
  rows: 'multiset' | 'set',
): readonly number[] | undefined {
  const width = narrow.keys[0]?.length ?? 0;
  const wideWidth = wide.keys[0]?.length ?? 0;
  if (width === 0 || width > wideWidth) return undefined;
  const wideSums = columnSums(wide, wideWidth, rows);
  const choices = columnSums(narrow, width, rows).map((sum) =>
    [...wideSums.keys()].filter((column) => wideSums[column] === sum),
  );
  if (choices.some((columns) => columns.length === 0)) return undefined;
  const order = [...choices.keys()].sort((a, b) => (choices[a]?.length ?? 0) - (choices[b]?.length ?? 0) || a - b);
  const fixed: number[] = [];
  let checks = 0;
  const fix = (depth: number): boolean => {
    const column = order[depth];
    if (column === undefined) return true;
    const left = order.slice(0, depth + 1);
    const content = rowsKey(narrow, left, rows);
    for (const choice of choices[column] ?? []) {
      if (fixed.includes(choice)) continue;
      checks += 1;
      if (checks > MAX_CHECKS) return false;
      fixed[depth] = choice;
      fixed.length = depth + 1;
      if (rowsKey(wide, fixed, rows) === content && fix(depth + 1)) return true;
      fixed.length = depth;
    }
    return false;
  };
  if (!fix(0)) return undefined;
  return Array.from({ length: width }, (_, column) => fixed[order.indexOf(column)] ?? 0);
}

/** The rows cut to some columns, as one text that is the same for the same rows in any order. */
function rowsKey(table: KeyTable, columns: readonly number[], rows: 'multiset' | 'set'): string {
  const names = table.keys.map((row) => columns.map((column) => row[column]).join(','));
  return (rows === 'set' ? [...new Set(names)] : names).sort().join(';');
}
