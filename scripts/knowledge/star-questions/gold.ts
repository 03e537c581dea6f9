import type { ComparableResult } from '@askema/core';
import { bruteForce } from '../../../packages/knowledge/src/test-support/brute-force.ts';
import type { Cell, PlainRequest, PlainStar } from '../../../packages/knowledge/src/test-support/plain-star.ts';

/** A group of a request, with its metrics. */
export interface GoldRow {
  readonly key: readonly Cell[];
  readonly values: readonly Cell[];
}

/** The rows that a request means. */
export function goldRows(star: PlainStar, request: PlainRequest): readonly GoldRow[] {
  const { groups, values } = bruteForce(star, request);
  const rows = groups.map(({ key }) => ({ key, values: values(key) }));
  return ordered(
    rows.filter((row) => row.values.some((value) => value !== null)),
    request,
  );
}

/** The rows as SQLite would give them. A single period does not need to be named. */
export function goldResult(star: PlainStar, request: PlainRequest, rows = goldRows(star, request)): ComparableResult {
  const shown = request.by.map(({ grain }) => rows.length !== 1 || grain === undefined);
  return {
    columns: [
      ...request.by.filter((_, at) => shown[at]).map(({ field }) => ({ name: field, type: 'TEXT' as const })),
      ...request.metrics.map((name) => ({ name, type: 'NUMERIC' as const })),
    ],
    rows: rows.map(({ key, values }) => [...key.filter((_, at) => shown[at]).map(plain), ...values.map(plain)]),
  };
}

const plain = (cell: Cell): string | number | null => (typeof cell === 'boolean' ? Number(cell) : cell);

function ordered(rows: readonly GoldRow[], { metrics, order, limit }: PlainRequest): readonly GoldRow[] {
  if (order === undefined) return rows;
  const at = metrics.indexOf(order.by);
  const sign = order.direction === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => sign * (Number(a.values[at]) - Number(b.values[at]))).slice(0, limit);
}
