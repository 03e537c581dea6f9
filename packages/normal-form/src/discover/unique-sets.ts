import { systemRuntime } from '@askema/core';
import { type CodedRows, NULL_CODE } from './coded-rows.ts';
import { DISCOVERY_DEFAULTS, type DiscoveryOptions } from './discovery.ts';
import { partitionOf, refine } from './partition.ts';
import { takeTurns } from './take-turns.ts';

/** Columns, alone or in pairs, that no two rows share and that have no NULL: they may be a key. */
export interface UniqueSets {
  /** Single columns first, then pairs none of whose columns is unique alone; in the order of the columns. */
  readonly sets: readonly (readonly number[])[];
  /** False when time ran out: later pairs were not looked at. */
  readonly complete: boolean;
}

/**
 * Finds the columns and pairs of columns that are unique in the rows. One row proves nothing, and many rows little: a
 * key is a rule about all rows that may ever come.
 *
 * Rejects with `ABORTED`.
 */
export async function findUniqueSets(
  rows: CodedRows,
  options: Pick<DiscoveryOptions, 'maxLeft' | 'timeoutMs' | 'signal' | 'clock'> = {},
): Promise<UniqueSets> {
  const clock = options.clock ?? systemRuntime().clock;
  return takeTurns(search(rows, options.maxLeft ?? DISCOVERY_DEFAULTS.maxLeft), {
    clock,
    deadline: clock.now() + (options.timeoutMs ?? DISCOVERY_DEFAULTS.timeoutMs),
    signal: options.signal,
    what: 'Looking for keys',
  });
}

function* search({ rowCount, columns }: CodedRows, size: 1 | 2): Generator<void, UniqueSets, boolean> {
  const filled = columns.flatMap((column, at) => (column.nullCount === 0 ? [{ column, at }] : []));
  const isUnique = ({ distinctCount }: { readonly distinctCount: number }): boolean => distinctCount === rowCount;
  const sets: (readonly number[])[] = filled.filter(({ column }) => isUnique(column)).map(({ at }) => [at]);
  if (size === 1 || rowCount === 0) return { sets, complete: true };
  const others = filled.filter(({ column }) => !isUnique(column));
  for (const [place, first] of others.entries()) {
    const partition = partitionOf(first.column);
    for (const second of others.slice(place + 1)) {
      if (first.column.distinctCount * second.column.distinctCount < rowCount) continue;
      if (yield) return { sets, complete: false };
      if (!repeatsWithin(partition, second.column.codes)) {
        if (refine(partition, second.column).rows.length === 0) sets.push([first.at, second.at]);
      }
    }
  }
  return { sets, complete: true };
}

/** A look at the first group, which tells most pairs apart without more. */
function repeatsWithin({ rows, starts }: ReturnType<typeof partitionOf>, codes: Int32Array): boolean {
  const seen = new Set<number>();
  for (let at = 0; at < (starts[1] ?? 0); at += 1) {
    const code = codes[rows[at] ?? 0] ?? NULL_CODE;
    if (seen.has(code)) return true;
    seen.add(code);
  }
  return false;
}
