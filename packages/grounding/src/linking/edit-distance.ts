import { distance } from 'fastest-levenshtein';

/**
 * How many characters must be inserted, removed, replaced or swapped with their neighbour to make one text of the other
 * (optimal string alignment), or Infinity when it is more than `limit`. The quick bound comes from the plain distance,
 * in which a swap counts two.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY;
  const plain = distance(a, b);
  if (plain > 2 * limit) return Number.POSITIVE_INFINITY;
  if (plain === 1) return 1 <= limit ? 1 : Number.POSITIVE_INFINITY;
  const found = alignmentDistance(a, b);
  return found <= limit ? found : Number.POSITIVE_INFINITY;
}

function alignmentDistance(a: string, b: string): number {
  const width = b.length + 1;
  let before: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column < width; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) best = Math.min(best, (before[column - 2] ?? 0) + 1);
      current.push(best);
    }
    before = last;
    last = current;
  }
  return last[width - 1] ?? 0;
}
