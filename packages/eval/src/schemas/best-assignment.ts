/**
 * The one-to-one assignment of rows to columns with the largest sum of weights: for each row its column, or undefined.
 * Weights are at least 0; a pair of weight 0 is never made. Rows may be more or fewer than columns. The Hungarian
 * method with potentials, O(n³) (Kuhn 1955; Munkres 1957).
 */
export function bestAssignment(weights: readonly (readonly number[])[]): readonly (number | undefined)[] {
  const rows = weights.length;
  const columns = Math.max(0, ...weights.map((row) => row.length));
  const size = Math.max(rows, columns);
  const cost = (row: number, column: number): number => -(weights[row]?.[column] ?? 0);
  const rowOf = assignColumns(size, cost);
  const columnOf: (number | undefined)[] = Array.from({ length: rows });
  for (let column = 0; column < columns; column += 1) {
    const row = rowOf[column] ?? size;
    if (row < rows && cost(row, column) < 0) columnOf[row] = column;
  }
  return columnOf;
}

/**
 * For each column of a square matrix its row in a cheapest assignment. Row and column 0 of the work arrays are a start
 * that is none.
 */
function assignColumns(size: number, cost: (row: number, column: number) => number): readonly number[] {
  const rowPotential = new Float64Array(size + 1);
  const columnPotential = new Float64Array(size + 1);
  const rowAt = new Int32Array(size + 1);
  for (let row = 1; row <= size; row += 1) {
    const before = new Int32Array(size + 1);
    const slack = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const isUsed = new Uint8Array(size + 1);
    rowAt[0] = row;
    let column = 0;
    do {
      isUsed[column] = 1;
      const current = rowAt[column] as number;
      let least = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= size; other += 1) {
        if (isUsed[other] === 1) continue;
        const reduced =
          cost(current - 1, other - 1) - (rowPotential[current] as number) - (columnPotential[other] as number);
        if (reduced < (slack[other] as number)) {
          slack[other] = reduced;
          before[other] = column;
        }
        if ((slack[other] as number) < least) {
          least = slack[other] as number;
          next = other;
        }
      }
      for (let other = 0; other <= size; other += 1) {
        if (isUsed[other] === 1) {
          const used = rowAt[other] as number;
          rowPotential[used] = (rowPotential[used] as number) + least;
          columnPotential[other] = (columnPotential[other] as number) - least;
        } else slack[other] = (slack[other] as number) - least;
      }
      column = next;
    } while (rowAt[column] !== 0);
    while (column !== 0) {
      const previous = before[column] as number;
      rowAt[column] = rowAt[previous] as number;
      column = previous;
    }
  }
  return Array.from({ length: size }, (_, column) => (rowAt[column + 1] as number) - 1);
}
