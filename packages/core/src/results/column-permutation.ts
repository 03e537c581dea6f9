import type { ComparedCell, ComparedTable } from './cell-equality.ts';

/** For each column of the first table, the column of the second that stands for it. */
export type ColumnOrder = readonly number[];

/** How the search ended: `undecided` when the work limit was reached first. */
export type PermutationSearch =
  | { readonly type: 'found'; readonly order: ColumnOrder }
  | { readonly type: 'none' }
  | { readonly type: 'undecided' };

/** Cells that a search may touch before it gives up. Only tables built to be symmetric come near it. */
const WORK_LIMIT = 200_000_000;

/**
 * Looks for an order of the second table's columns under which both tables hold the same rows, as multisets of keys.
 * `accept` has the last word on an order that fits.
 *
 * Columns are first told apart by colour refinement: a column's colour is the multiset of its cells with the colours of
 * their rows, a row's colour the multiset of its cells with the colours of their columns (the one-dimensional
 * Weisfeiler-Leman method). Where equal colours remain, one column is singled out and the refinement starts again; a
 * choice that cannot be told from one that failed is not tried twice. So the cost is that of a few sorts, not of all
 * permutations.
 */
export function findColumnOrder(
  first: ComparedTable,
  second: ComparedTable,
  accept: (order: ColumnOrder) => boolean,
): PermutationSearch {
  const width = first.keys[0]?.length ?? 0;
  const start = { first: new Int32Array(width), second: new Int32Array(width) };
  const budget = { left: WORK_LIMIT };
  const order = search(first, second, start, accept, budget);
  if (order !== undefined) return { type: 'found', order };
  return budget.left <= 0 ? { type: 'undecided' } : { type: 'none' };
}

interface ColumnColours {
  readonly first: Int32Array;
  readonly second: Int32Array;
}

interface WorkBudget {
  left: number;
}

function search(
  first: ComparedTable,
  second: ComparedTable,
  start: ColumnColours,
  accept: (order: ColumnOrder) => boolean,
  budget: WorkBudget,
): ColumnOrder | undefined {
  const colours = refine(first, second, start, budget);
  if (colours === undefined) return undefined;
  const open = smallestOpenClass(colours);
  if (open === undefined) {
    const order = Array.from(colours.first, (colour) => colours.second.indexOf(colour));
    return sameRows(first, second, order) && accept(order) ? order : undefined;
  }
  const [column, choices] = open;
  const tried = new Set<string>();
  for (const choice of choices) {
    // By the cells, not by their keys: numbers that share a key need not be equal.
    const content = second.cells.map((row) => contentOf(row[choice])).join(',');
    if (tried.has(content)) continue;
    tried.add(content);
    if (budget.left <= 0) return undefined;
    const next = { first: colours.first.slice(), second: colours.second.slice() };
    const fresh = colours.first.length;
    next.first[column] = fresh;
    next.second[choice] = fresh;
    const order = search(first, second, next, accept, budget);
    if (order !== undefined) return order;
  }
  return undefined;
}

function contentOf(cell: ComparedCell | undefined): string {
  if (cell === undefined) return '';
  if (cell.kind === 'other') return JSON.stringify(cell.key);
  return cell.whole === undefined ? `${cell.approximate}` : `${cell.whole}n`;
}

/**
 * The first column of the first table of the smallest class with more than one member, and the columns of the second
 * that may stand for it.
 */
function smallestOpenClass(colours: ColumnColours): readonly [number, readonly number[]] | undefined {
  const members = Map.groupBy(colours.second.keys(), (column) => colours.second[column]);
  let best: readonly [number, readonly number[]] | undefined;
  for (const [column, colour] of colours.first.entries()) {
    const choices = members.get(colour) ?? [];
    if (choices.length > 1 && (best === undefined || choices.length < best[1].length)) best = [column, choices];
  }
  return best;
}

/** Refines until no class splits any more; undefined when the two tables differ on the way. */
function refine(
  first: ComparedTable,
  second: ComparedTable,
  start: ColumnColours,
  budget: WorkBudget,
): ColumnColours | undefined {
  let columns = start;
  let classes = 0;
  for (;;) {
    budget.left -= first.keys.length * columns.first.length * 2;
    const rowNames = new Map<string, number>();
    const firstRows = rowColours(first, columns.first, rowNames);
    const secondRows = rowColours(second, columns.second, rowNames);
    if (!sameMultiset(firstRows, secondRows)) return undefined;
    const columnNames = new Map<string, number>();
    const next = {
      first: columnColours(first, firstRows, columns.first, columnNames),
      second: columnColours(second, secondRows, columns.second, columnNames),
    };
    if (!sameMultiset(next.first, next.second)) return undefined;
    columns = next;
    const count = rowNames.size + columnNames.size;
    if (count === classes || budget.left <= 0) return columns;
    classes = count;
  }
}

function rowColours(table: ComparedTable, columns: Int32Array, names: Map<string, number>): Int32Array {
  return Int32Array.from(table.keys, (row) => {
    const cells = Array.from(row, (key, column) => `${columns[column]}:${key}`);
    return nameOf(cells.sort().join(' '), names);
  });
}

/** A column's colour also holds its old one, so that classes only ever split. */
function columnColours(
  table: ComparedTable,
  rows: Int32Array,
  old: Int32Array,
  names: Map<string, number>,
): Int32Array {
  return Int32Array.from(old, (colour, column) => {
    const pairs = new Float64Array(rows.length);
    for (const [position, row] of table.keys.entries())
      pairs[position] = (rows[position] ?? 0) * 2 ** 31 + (row[column] ?? 0);
    return nameOf(`${colour}|${pairs.sort().join(' ')}`, names);
  });
}

function nameOf(content: string, names: Map<string, number>): number {
  const known = names.get(content);
  if (known !== undefined) return known;
  names.set(content, names.size);
  return names.size - 1;
}

function sameMultiset(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  const left = a.slice().sort();
  const right = b.slice().sort();
  return left.every((value, position) => value === right[position]);
}

/** True when both tables hold the same rows of keys, whatever their order. */
export function sameRows(first: ComparedTable, second: ComparedTable, order: ColumnOrder): boolean {
  const counts = new Map<string, number>();
  for (const row of first.keys) {
    const name = row.join(',');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  for (const row of second.keys) {
    const name = order.map((column) => row[column]).join(',');
    const count = counts.get(name) ?? 0;
    if (count === 0) return false;
    counts.set(name, count - 1);
  }
  return first.keys.length === second.keys.length;
}
