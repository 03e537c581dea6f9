import { type CodedColumn, NULL_CODE } from './coded-rows.ts';

/**
 * Rows grouped by the values of some columns, without the groups of one row: the stripped partition of TANE (Huhtala,
 * Kärkkäinen, Porkka and Toivonen, TANE: an efficient algorithm for discovering functional and approximate
 * dependencies, The Computer Journal 42(2), 1999). A row with a NULL in one of the columns is in no group.
 */
export interface Partition {
  /** Positions of rows, group by group, ascending within each. */
  readonly rows: Int32Array;
  /** Where each group begins in `rows`, and where the last one ends. */
  readonly starts: Int32Array;
}

/** Rows that repeat an earlier row's values. */
export function repeatsOf({ rows, starts }: Partition): number {
  return rows.length - (starts.length - 1);
}

/**
 * The same without those of the largest group: that one value, often an empty one, goes with another one proves
 * nothing.
 */
export function repeatsWithoutLargest(partition: Partition): number {
  const { starts } = partition;
  let largest = 1;
  for (let group = 0; group + 1 < starts.length; group += 1)
    largest = Math.max(largest, (starts[group + 1] ?? 0) - (starts[group] ?? 0));
  return repeatsOf(partition) - (largest - 1);
}

/** Groups the rows by one column. */
export function partitionOf({ codes, distinctCount }: CodedColumn): Partition {
  const counts = new Int32Array(distinctCount);
  for (const code of codes) if (code !== NULL_CODE) counts[code] = (counts[code] ?? 0) + 1;
  const next = new Int32Array(distinctCount).fill(-1);
  const starts: number[] = [0];
  let end = 0;
  for (let code = 0; code < distinctCount; code += 1) {
    const count = counts[code] ?? 0;
    if (count < 2) continue;
    next[code] = end;
    end += count;
    starts.push(end);
  }
  const rows = new Int32Array(end);
  for (let row = 0; row < codes.length; row += 1) {
    const code = codes[row] ?? NULL_CODE;
    const place = code === NULL_CODE ? -1 : (next[code] ?? -1);
    if (place < 0) continue;
    rows[place] = row;
    next[code] = place + 1;
  }
  return { rows, starts: Int32Array.from(starts) };
}

/** Groups the rows of each group by one more column. Linear in the rows that are in groups. */
export function refine(partition: Partition, { codes, distinctCount }: CodedColumn): Partition {
  const counts = new Int32Array(distinctCount);
  const next = new Int32Array(distinctCount);
  const rows = new Int32Array(partition.rows.length);
  const starts: number[] = [0];
  let end = 0;
  for (let group = 0; group + 1 < partition.starts.length; group += 1) {
    const from = partition.starts[group] ?? 0;
    const to = partition.starts[group + 1] ?? 0;
    for (let at = from; at < to; at += 1) {
      const code = codes[partition.rows[at] ?? 0] ?? NULL_CODE;
      if (code !== NULL_CODE) counts[code] = (counts[code] ?? 0) + 1;
    }
    for (let at = from; at < to; at += 1) {
      const row = partition.rows[at] ?? 0;
      const code = codes[row] ?? NULL_CODE;
      if (code === NULL_CODE) continue;
      const count = counts[code] ?? 0;
      if (count > 1) {
        // The first row of a group makes its place.
        next[code] = end;
        end += count;
        starts.push(end);
        counts[code] = -1;
      } else if (count === 1) counts[code] = 0;
      if (counts[code] === -1) {
        const place = next[code] ?? 0;
        rows[place] = row;
        next[code] = place + 1;
      }
    }
    for (let at = from; at < to; at += 1) {
      const code = codes[partition.rows[at] ?? 0] ?? NULL_CODE;
      if (code !== NULL_CODE) counts[code] = 0;
    }
  }
  return { rows: rows.subarray(0, end), starts: Int32Array.from(starts) };
}

/** Counts for one column at a time, kept so that looking at thousands of candidates allocates nothing. */
export interface ViolationCounter {
  /**
   * The fewest rows to remove so that the groups determine the column; NULL is a value here, and equal to NULL. Above
   * `limit` it stops and gives a number above `limit`. `read` grows by the rows that were looked at.
   */
  count(partition: Partition, column: CodedColumn, limit: number): number;
  /** Rows that were looked at so far. */
  readonly read: number;
}

/** A row of the majority of its group, and one that disagrees with it; the first ones there are. */
export interface CounterExample {
  readonly usual: number;
  /** Rows of the group that have the usual value. */
  readonly usualCount: number;
  readonly unusual: number;
}

export function createViolationCounter(longestColumn: number): ViolationCounter {
  // NULL has code -1, so that each count stands one place further.
  const counts = new Int32Array(longestColumn + 1);
  let read = 0;
  return {
    get read() {
      return read;
    },
    count({ rows, starts }, { codes }, limit) {
      let violations = 0;
      for (let group = 0; group + 1 < starts.length && violations <= limit; group += 1) {
        const from = starts[group] ?? 0;
        const to = starts[group + 1] ?? 0;
        let most = 0;
        let at = from;
        // Rows of a group that are not of its majority never become fewer as more of it is read.
        for (; at < to && violations + (at - from) - most <= limit; at += 1) {
          const place = (codes[rows[at] ?? 0] ?? 0) + 1;
          const count = (counts[place] ?? 0) + 1;
          counts[place] = count;
          if (count > most) most = count;
        }
        violations += at - from - most;
        read += at - from;
        for (let seen = from; seen < at; seen += 1) counts[(codes[rows[seen] ?? 0] ?? 0) + 1] = 0;
      }
      return violations;
    },
  };
}

/** Where the groups do not determine the column: two rows that show it. Undefined where they do. */
export function counterExample({ rows, starts }: Partition, { codes }: CodedColumn): CounterExample | undefined {
  for (let group = 0; group + 1 < starts.length; group += 1) {
    const members = rows.subarray(starts[group] ?? 0, starts[group + 1] ?? 0);
    const counts = new Map<number, number>();
    for (const row of members) counts.set(codes[row] ?? 0, (counts.get(codes[row] ?? 0) ?? 0) + 1);
    if (counts.size < 2) continue;
    const usualCount = Math.max(...counts.values());
    const usualCode = [...counts].find(([, count]) => count === usualCount)?.[0];
    const usual = members.find((row) => codes[row] === usualCode);
    const unusual = members.find((row) => codes[row] !== usualCode);
    if (usual !== undefined && unusual !== undefined) return { usual, usualCount, unusual };
  }
  return undefined;
}
