/** Longer texts are compared by their beginning. */
const MAX_LENGTH = 200;

/** The length of the longest text that stands in both, in UTF-16 units. */
export function commonSubstring(a: string, b: string): number {
  const left = a.slice(0, MAX_LENGTH);
  const right = b.slice(0, MAX_LENGTH);
  let longest = 0;
  let before = new Uint16Array(right.length + 1);
  for (let row = 1; row <= left.length; row += 1) {
    const current = new Uint16Array(right.length + 1);
    for (let column = 1; column <= right.length; column += 1) {
      if (left[row - 1] !== right[column - 1]) continue;
      const length = (before[column - 1] ?? 0) + 1;
      current[column] = length;
      if (length > longest) longest = length;
    }
    before = current;
  }
  return longest;
}
