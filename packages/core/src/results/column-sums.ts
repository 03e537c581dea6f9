/** Rows of small integers: equal cells share their integer. */
export interface KeyTable {
  readonly keys: readonly Int32Array[];
}

/**
 * A sum over the cells of each column, the same for columns that hold the same cells in any order; as a set, repeated
 * cells count once.
 */
export function columnSums(table: KeyTable, width: number, rows: 'multiset' | 'set'): readonly number[] {
  return Array.from({ length: width }, (_, column) => {
    const cells = table.keys.map((row) => row[column] ?? 0);
    let sum = 0;
    for (const key of rows === 'set' ? new Set(cells) : cells)
      sum = (sum + Math.imul(key ^ (key >>> 15), 0x85ebca6b) + Math.imul(key, key)) | 0;
    return sum;
  });
}

/**
 * False when the columns of two tables cannot be paired, whatever their order and that of the rows. One pass over the
 * cells.
 */
export function mayHoldSameColumns(first: KeyTable, second: KeyTable, width: number): boolean {
  const left = columnSums(first, width, 'multiset').toSorted((a, b) => a - b);
  const right = columnSums(second, width, 'multiset').toSorted((a, b) => a - b);
  return left.every((sum, position) => sum === right[position]);
}
