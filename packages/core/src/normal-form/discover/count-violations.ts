import type { CodedColumn } from './coded-rows.ts';
import type { Partition } from './partition.ts';

/** Counts for one column at a time, kept so that looking at thousands of candidates allocates nothing. */
export interface ViolationCounter {
  /**
   * The fewest rows to remove so that the groups determine the column; NULL is a value here, and equal to NULL. Above `limit` it stops and gives a
   * number above `limit`. `read` grows by the rows that were looked at.
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
