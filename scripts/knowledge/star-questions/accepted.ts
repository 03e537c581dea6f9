import type { ComparableResult } from '@askema/core';
import { moved } from '../../../packages/knowledge/src/test-support/plain-calendar.ts';
import {
  type Cell,
  columnOf,
  type PlainRequest,
  type PlainStar,
} from '../../../packages/knowledge/src/test-support/plain-star.ts';
import { type GoldRow, goldResult, goldRows } from './gold.ts';
import { cellsOf } from './star.ts';

/** A result that is right, and how near an answer has to come. */
export interface AcceptedResult {
  readonly result: ComparableResult;
  readonly orderMatters: boolean;
  readonly tolerance: number;
  /** Columns that an answer has at least. */
  readonly width: number;
}

/**
 * The forms in which the rows of a request are right: with and without the group that has no name; with and without
 * groups that have nothing; periods named in any way, when they come in their order; of the first ones, only their
 * names; shares as such or in percent.
 */
export function acceptedResults(star: PlainStar, request: PlainRequest): readonly AcceptedResult[] {
  const all = goldRows(star, request);
  const named = all.filter(({ key }) => !key.includes(null));
  const kept = request.limit === undefined && named.length < all.length ? [all, named] : [all];
  return kept
    .flatMap((rows) => [rows, ...withEmptyGroups(star, request, rows)])
    .flatMap((rows) => formsOf(star, request, rows));
}

/** Money to the half cent, shares to the tenth of a percent. */
export function withShares(accepted: Omit<AcceptedResult, 'tolerance'>): readonly AcceptedResult[] {
  const { result } = accepted;
  const places = result.columns.flatMap((_, at) => (isShare(result.rows.map((row) => row[at])) ? at : []));
  if (places.length === 0) return [{ ...accepted, tolerance: 0.005 }];
  const percent = result.rows.map((row) =>
    row.map((cell, at) => (places.includes(at) && cell !== null ? 100 * Number(cell) : cell)),
  );
  return [
    { ...accepted, tolerance: 0.0005 },
    { ...accepted, result: { ...result, rows: percent }, tolerance: 0.05 },
  ];
}

function isShare(cells: readonly unknown[]): boolean {
  const numbers = cells.filter((cell) => cell !== null);
  return (
    numbers.every((cell) => typeof cell === 'number' && Math.abs(cell) <= 1) &&
    numbers.some((cell) => !Number.isInteger(cell))
  );
}

function formsOf(star: PlainStar, request: PlainRequest, rows: readonly GoldRow[]): readonly AcceptedResult[] {
  const whole = goldResult(star, request, rows);
  const width = whole.columns.length;
  const forms = [{ result: whole, orderMatters: false, width }];
  const time = request.by.findIndex(({ grain }) => grain !== undefined);
  if (time >= 0) {
    const by = request.by.toSpliced(time, 1);
    const texts = (row: GoldRow): string[] => row.key.map(String);
    // By the period first, or last.
    for (const places of [
      [time, 1 - time],
      [1 - time, time],
    ] as const) {
      const inOrder = rows.toSorted((a, b) => {
        const [one, other] = [a, b].map((row) => places.map((at) => texts(row)[at] ?? '').join(' '));
        return (one ?? '') < (other ?? '') ? -1 : 1;
      });
      const unnamed = inOrder.map(({ key, values }) => ({ key: key.toSpliced(time, 1), values }));
      forms.push({ result: goldResult(star, { ...request, by }, unnamed), orderMatters: true, width });
    }
  }
  if (request.limit !== undefined) {
    const names = rows.map(({ key }) => ({ key, values: [] }));
    forms.push({ result: goldResult(star, { ...request, metrics: [] }, names), orderMatters: false, width: 1 });
  }
  return forms.flatMap(withShares);
}

/** The rows, and one for each group that has none, with no value or with 0. */
function withEmptyGroups(
  star: PlainStar,
  { by, metrics, where, limit }: PlainRequest,
  rows: readonly GoldRow[],
): readonly (readonly GoldRow[])[] {
  const [group] = by;
  if (group === undefined || by.length > 1 || limit !== undefined || rows.length === 0) return [];
  const known = new Set(rows.map(({ key }) => key[0] ?? null));
  const members: Cell[] = [];
  if (group.grain === undefined) {
    const [dataset = ''] = group.field.split('.');
    members.push(...cellsOf(dataset, columnOf(star, group.field).name));
  } else {
    const days = [...known].map(String).sort();
    const from = where.find(({ field, test }) => field === 'metric_time' && test === '>=')?.values[0];
    const last = days.at(-1) ?? '';
    for (let day = String(from ?? days[0]); day < last; day = moved(day, 1, group.grain)) members.push(day);
  }
  const empty = members.filter((member) => member !== null && !known.has(member));
  if (empty.length === 0) return [];
  return [null, 0].map((none) => [
    ...rows,
    ...empty.map((member) => ({ key: [member], values: metrics.map(() => none) })),
  ]);
}
