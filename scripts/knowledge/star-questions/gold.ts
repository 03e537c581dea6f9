import type { ComparableResult } from '@askema/core';
import { bruteForce } from '../../../packages/knowledge/src/test-support/brute-force.ts';
import type { Cell, PlainRequest, PlainStar } from '../../../packages/knowledge/src/test-support/plain-star.ts';

/** The rows that a request means, as SQLite would give them. A single period does not need to be named. */
export function goldResult(star: PlainStar, request: PlainRequest): ComparableResult {
  const { groups, values } = bruteForce(star, request);
  const rows = groups.map(({ key }) => ({ key, values: values(key) }));
  const kept = ordered(
    rows.filter((row) => row.values.some((value) => value !== null)),
    request,
  );
  const shown = request.by.map(({ grain }) => kept.length !== 1 || grain === undefined);
  return {
    columns: [
      ...request.by.filter((_, at) => shown[at]).map(({ field }) => ({ name: field, type: 'TEXT' as const })),
      ...request.metrics.map((name) => ({ name, type: 'NUMERIC' as const })),
    ],
    rows: kept.map(({ key, values: numbers }) => [
      ...key.filter((_, at) => shown[at]).map(plain),
      ...numbers.map(plain),
    ]),
  };
}

const plain = (cell: Cell): string | number | null => (typeof cell === 'boolean' ? Number(cell) : cell);

function ordered<Row extends { readonly values: readonly Cell[] }>(
  rows: readonly Row[],
  { metrics, order, limit }: PlainRequest,
): readonly Row[] {
  if (order === undefined) return rows;
  const at = metrics.indexOf(order.by);
  const sign = order.direction === 'asc' ? 1 : -1;
  return [...rows].sort((a, b) => sign * (Number(a.values[at]) - Number(b.values[at]))).slice(0, limit);
}
