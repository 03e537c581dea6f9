/** A place in a text as editors count it: lines and columns from 1, columns in characters as a reader sees them. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The lines of a text, for many look-ups. */
export interface LineTable {
  /** Of a UTF-16 offset. */
  placeOf(offset: number): Place;
  /** The line without its end; lines count from 1. */
  line(number: number): string;
  /** The offset at which a line begins. */
  startOf(number: number): number;
}

export function lineTable(text: string): LineTable {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const startOf = (number: number): number => starts[number - 1] ?? text.length;
  const numberOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  return {
    startOf,
    placeOf(offset) {
      const line = numberOf(offset);
      return { line, column: [...text.slice(startOf(line), offset)].length + 1 };
    },
    line: (number) => text.slice(startOf(number), starts[number] ?? text.length).replace(/\r?\n$/, ''),
  };
}
