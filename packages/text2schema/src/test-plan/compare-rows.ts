import type { Row } from '@askema/core';
import type { TestCell } from '../model/test-plan.ts';
import { bindValue, comparedText, shownValue } from './case-value.ts';
import type { ReadColumn } from './compiled-case.ts';

/** The difference between the rows of a query and those expected, in words; undefined where there is none. */
export function rowDifference(
  expected: readonly (readonly TestCell[])[],
  rows: readonly Row[],
  columns: readonly ReadColumn[],
): string | undefined {
  const named = new Set(expected.flat().map(({ attribute }) => attribute));
  const compared = columns.flatMap((column, at) => (named.has(column.name) ? [{ ...column, at }] : []));
  const wanted = expected.map((cells) =>
    compared.map(({ name, type }) => {
      const cell = cells.find(({ attribute }) => attribute === name);
      return cell === undefined ? undefined : comparedText(bindValue(cell.value, type).parameter, type);
    }),
  );
  const found = rows.map((row) => compared.map(({ at, type }) => comparedText(row[at] ?? null, type)));
  const missing = matchRows(wanted, found);
  if (missing.length === 0 && wanted.length === found.length) return undefined;
  const lacking =
    missing.length === 0 ? '' : ` Missing: ${missing.map((at) => shownCells(expected[at] ?? [])).join(' ')}.`;
  return `${count(expected.length)} expected, ${count(rows.length)} found.${lacking}`;
}

type WantedRow = readonly (string | undefined)[];

/** Rows of `wanted` for which no row is left. An attribute that an expected row does not name may be anything. */
function matchRows(wanted: readonly WantedRow[], found: readonly (readonly string[])[]): number[] {
  const owner = new Map<number, number>();
  const missing: number[] = [];
  const fits = (want: number, have: number): boolean =>
    (wanted[want] ?? []).every((cell, at) => cell === undefined || cell === found[have]?.[at]);
  const place = (want: number, tried: Set<number>): boolean => {
    for (let have = 0; have < found.length; have += 1) {
      if (tried.has(have) || !fits(want, have)) continue;
      tried.add(have);
      const other = owner.get(have);
      if (other !== undefined && (isWhole(wanted, want) || !place(other, tried))) continue;
      owner.set(have, want);
      return true;
    }
    return false;
  };
  // Rows that name everything come first: they fit equal rows only, so that nothing has to make room for them.
  const order = wanted.map((_, at) => at).sort((a, b) => Number(isWhole(wanted, b)) - Number(isWhole(wanted, a)));
  for (const want of order) if (!place(want, new Set())) missing.push(want);
  return missing.sort((a, b) => a - b);
}

function isWhole(wanted: readonly WantedRow[], at: number): boolean {
  return (wanted[at] ?? []).every((cell) => cell !== undefined);
}

export function shownCells(cells: readonly TestCell[]): string {
  return `(${cells.map(({ attribute, value }) => `${attribute}: ${shownValue(value)}`).join(', ')})`;
}

/** Rows as they came, the first few of them. */
export function shownRows(rows: readonly Row[], columns: readonly ReadColumn[]): string {
  const shown = rows
    .slice(0, MAX_SHOWN_ROWS)
    .map((row) => `(${columns.map(({ name }, at) => `${name}: ${shownValue(row[at] ?? null)}`).join(', ')})`);
  const more = rows.length > MAX_SHOWN_ROWS ? ` and ${rows.length - MAX_SHOWN_ROWS} more` : '';
  return rows.length === 0 ? 'no rows' : `${shown.join(' ')}${more}`;
}

const MAX_SHOWN_ROWS = 10;

function count(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`;
}
