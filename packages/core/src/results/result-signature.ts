import { type ComparableResult, type ComparedCell, comparedCell } from './cell-equality.ts';

/**
 * A short key of a result, in one pass over its cells: results that agree under the `strict` key have the same
 * signature, so that many or big results are only compared where their signatures are equal. It covers the shape and
 * all cells but the contents of numbers, which may agree without being equal. The order of rows and of columns does not
 * matter.
 */
export function resultSignature(result: ComparableResult): string {
  const columns = result.columns.map(() => 0);
  let rows = 0;
  for (const row of result.rows) {
    let sum = 0;
    for (const [position, column] of result.columns.entries()) {
      const hash = cellHash(comparedCell(row[position] ?? null, column.type));
      sum = (sum + hash) | 0;
      columns[position] = ((columns[position] ?? 0) + mix(hash)) | 0;
    }
    rows = (rows + mix(sum)) | 0;
  }
  const columnSum = columns.reduce((sum, column) => (sum + mix(column)) | 0, 0);
  return `${result.columns.length}x${result.rows.length}:${hex(rows)}${hex(columnSum)}`;
}

function cellHash(cell: ComparedCell): number {
  if (cell.kind === 'number') return 1;
  // FNV-1a over UTF-16 code units, finished by a mixer so that sums of hashes spread.
  let hash = 0x811c9dc5;
  for (let position = 0; position < cell.key.length; position += 1)
    hash = Math.imul(hash ^ cell.key.charCodeAt(position), 0x01000193);
  return mix(hash);
}

/** The finaliser of MurmurHash3. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}
