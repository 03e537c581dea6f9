import { createHash } from 'node:crypto';
import type { ComparableResult } from '@askema/core';
import { cellKeys } from './row-key.ts';

/**
 * SHA-256, in hexadecimal, of what a result holds, with rows and columns in any order and without names. Two results
 * have one hash when one order of the columns makes them the same multiset of rows, cell by cell; so it agrees with
 * execution match where no fraction is equal only by tolerance. Results that are too symmetric to be brought into one
 * order within bounds are told apart by what no order changes.
 */
export function hashResult(result: ComparableResult): string {
  const width = result.columns.length;
  const ids = new Map<string, number>();
  const table = cellKeys(result).map((cells) => Int32Array.from(cells, (cell) => idOf(cell, ids)));
  const names = [...ids.keys()].sort();
  const ranks = new Int32Array(names.length);
  for (const [rank, name] of names.entries()) ranks[ids.get(name) ?? 0] = rank;
  for (const row of table) for (let column = 0; column < width; column += 1) row[column] = ranks[row[column] ?? 0] ?? 0;
  return createHash('sha256')
    .update(`${width}x${table.length};`)
    .update(digest(names.map((name) => `${name.length}:${name}`)))
    .update(canonicalColumns(table, width))
    .digest('hex');
}

function idOf(cell: string, ids: Map<string, number>): number {
  const known = ids.get(cell);
  if (known !== undefined) return known;
  ids.set(cell, ids.size);
  return ids.size - 1;
}

/**
 * Cells that may be touched before the search is given up, beside so many passes over a large table. Only symmetric
 * tables come near it.
 */
const WORK_LIMIT = 1_500_000;
const PASSES = 12;

/**
 * A text that two tables of whole numbers share exactly when an order of the columns makes their rows the same
 * multiset.
 *
 * Columns are told apart by their cells, then by colour refinement: a row's colour is the multiset of its cells with
 * the colours of their columns, and back. Where columns remain alike, each of them is singled out in turn and the least
 * text is taken. Every step depends on contents alone, the end of the budget too, so that the order in which a table
 * comes never shows.
 */
function canonicalColumns(table: readonly Int32Array[], width: number): string {
  if (table.length === 0 || width === 0) return 'empty';
  const left = WORK_LIMIT + PASSES * table.length * width;
  const search: Search = { table, width, contents: contentsOf(table, width), left, transcript: '' };
  const start = colourBy(search, (column) => sortedColumn(table, column));
  if (isSettled(search, start)) return leaf(search, start);
  const refined = refine(search, start);
  // What no order changes, for the case that the search below is given up.
  const unordered = search.transcript;
  const found = least(search, refined);
  return search.left > 0 ? found : `symmetric:${unordered}`;
}

interface Search {
  readonly table: readonly Int32Array[];
  readonly width: number;
  /** For each column a number that only columns with the same cells in the same places share. */
  readonly contents: readonly number[];
  left: number;
  transcript: string;
}

type Colours = readonly number[];

function least(search: Search, colours: Colours): string {
  const open = openClass(search, colours);
  if (open === undefined) return leaf(search, colours);
  let best: string | undefined;
  const tried = new Set<number>();
  for (const column of open) {
    const content = search.contents[column] ?? 0;
    if (tried.has(content)) continue;
    tried.add(content);
    if (search.left <= 0) return '';
    const single = colours.map((colour, other) => colour * 2 + (other === column ? 0 : 1));
    const text = least(search, refine(search, single));
    if (best === undefined || text < best) best = text;
  }
  return best ?? '';
}

/**
 * The rows with their columns in the order of colours, sorted. Columns of one colour hold the same, so their order does
 * not matter.
 */
function leaf(search: Search, colours: Colours): string {
  const order = [...colours.keys()].sort((a, b) => (colours[a] ?? 0) - (colours[b] ?? 0));
  search.left -= search.table.length * search.width;
  const rows = search.table.map((row) => order.map((column) => row[column]).join(','));
  return digest(rows.sort());
}

function isSettled(search: Search, colours: Colours): boolean {
  return openClass(search, colours) === undefined;
}

/** The columns of the smallest class whose members do not all hold the same; of the least colour among several. */
function openClass({ contents }: Search, colours: Colours): readonly number[] | undefined {
  const classes = Map.groupBy(colours.keys(), (column) => colours[column] ?? 0);
  const open = [...classes].filter(([, columns]) => new Set(columns.map((column) => contents[column])).size > 1);
  open.sort(([a, left], [b, right]) => left.length - right.length || a - b);
  return open[0]?.[1];
}

/** Refines until no class splits any more. */
function refine(search: Search, start: Colours): Colours {
  let colours = start;
  for (let classes = 0; ; ) {
    search.left -= search.table.length * search.width * 2;
    const rowNames = search.table.map((row) =>
      Array.from(row, (cell, column) => `${colours[column]}:${cell}`)
        .sort()
        .join(' '),
    );
    const rows = ranked(rowNames);
    const next = colourBy(search, (column) => {
      const pairs = search.table.map((row, position) => `${rows[position]}:${row[column]}`);
      return `${colours[column]}|${digest(pairs.sort())}`;
    });
    search.transcript = digest([search.transcript, ...rowNames.sort()]);
    const count = new Set(rows).size + new Set(next).size;
    colours = next;
    if (count === classes || search.left <= 0) return colours;
    classes = count;
  }
}

function colourBy({ width }: Search, nameOf: (column: number) => string): Colours {
  return ranked(Array.from({ length: width }, (_, column) => nameOf(column)));
}

/** For each name its place among the distinct ones, sorted. */
function ranked(names: readonly string[]): readonly number[] {
  const ranks = new Map([...new Set(names)].sort().map((name, rank) => [name, rank]));
  return names.map((name) => ranks.get(name) ?? 0);
}

function contentsOf(table: readonly Int32Array[], width: number): readonly number[] {
  return ranked(Array.from({ length: width }, (_, column) => digest(table.map((row) => `${row[column]}`))));
}

function sortedColumn(table: readonly Int32Array[], column: number): string {
  const cells = Int32Array.from(table, (row) => row[column] ?? 0).sort();
  return createHash('sha256').update(new Uint8Array(cells.buffer)).digest('hex');
}

/** Texts that are handed to the hash at once. */
const BATCH = 1000;

/** SHA-256 of several texts, each ended by a mark. */
function digest(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (let from = 0; from < texts.length; from += BATCH) hash.update(`${texts.slice(from, from + BATCH).join(';')};`);
  return hash.digest('hex');
}
