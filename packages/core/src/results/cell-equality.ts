import type { DataType } from '../schema/schema.ts';
import type { Row, Value } from '../values/value.ts';

/** How far two numbers may lie apart and still be equal. Whole numbers are always compared exactly. */
export interface NumericTolerance {
  readonly absoluteTolerance: number;
  /** Times the larger magnitude, but never more than {@link RELATIVE_CAP}. */
  readonly relativeTolerance: number;
}

/** The relative tolerance grows no further than this, so that a fraction never equals two whole numbers at once. */
const RELATIVE_CAP = 0.25;

/** Wide enough for the noise of sums in another order, too narrow for a different answer. */
export const DEFAULT_TOLERANCE: NumericTolerance = { absoluteTolerance: 1e-9, relativeTolerance: 1e-10 };

/** A cell in the form in which it is compared. */
export type ComparedCell =
  | { readonly kind: 'number'; readonly approximate: number; readonly whole: bigint | undefined }
  | { readonly kind: 'other'; readonly key: string };

const DECIMAL = /^[+-]?(\d+)(?:\.(\d*))?$/;

/**
 * The form in which a cell is compared:
 * - NULL equals NULL only: neither an empty text nor 0.
 * - Numbers, `bigint` and booleans (`true` is 1) are numbers. A text is one only in a column of type `NUMERIC`, where
 *   drivers write exact decimals as text.
 * - Texts are equal when their characters are: case and blanks count. A text never equals a number.
 * - Bytes equal bytes; nested values are equal as JSON, whatever the order of their keys.
 */
export function comparedCell(value: Value, type: DataType | undefined): ComparedCell {
  if (value === null) return { kind: 'other', key: 'null' };
  switch (typeof value) {
    case 'number':
      return numberCell(value);
    case 'bigint':
      return { kind: 'number', approximate: Number(value), whole: value };
    case 'boolean':
      return { kind: 'number', approximate: value ? 1 : 0, whole: value ? 1n : 0n };
    case 'string':
      return (type === 'NUMERIC' ? decimalCell(value) : undefined) ?? { kind: 'other', key: `text:${value}` };
    default:
      if (value instanceof Uint8Array) return { kind: 'other', key: `bytes:${Buffer.from(value).toString('hex')}` };
      return { kind: 'other', key: `json:${sortedJson(value)}` };
  }
}

function numberCell(value: number): ComparedCell {
  if (!Number.isFinite(value)) return { kind: 'other', key: `number:${value}` };
  return { kind: 'number', approximate: value, whole: Number.isSafeInteger(value) ? BigInt(value) : undefined };
}

function decimalCell(text: string): ComparedCell | undefined {
  const parts = DECIMAL.exec(text.trim());
  if (parts === null) {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? numberCell(value) : undefined;
  }
  const isWhole = /^0*$/.test(parts[2] ?? '');
  const whole = isWhole ? BigInt(`${parts[1]}`) * (text.trim().startsWith('-') ? -1n : 1n) : undefined;
  return { kind: 'number', approximate: Number(text), whole };
}

/** True when two cells are equal under the tolerance. Symmetric, but not transitive between fractions. */
export function cellsEqual(a: ComparedCell, b: ComparedCell, tolerance: NumericTolerance): boolean {
  if (a.kind === 'other' || b.kind === 'other') return a.kind === 'other' && b.kind === 'other' && a.key === b.key;
  if (a.whole !== undefined && b.whole !== undefined) return a.whole === b.whole;
  return isWithin(a.approximate, b.approximate, tolerance);
}

function isWithin(a: number, b: number, tolerance: NumericTolerance): boolean {
  return Math.abs(a - b) <= reach(Math.max(Math.abs(a), Math.abs(b)), tolerance);
}

function reach(magnitude: number, tolerance: NumericTolerance): number {
  const lastDigits = magnitude * 2 ** -51;
  const relative = Math.min(magnitude * tolerance.relativeTolerance, RELATIVE_CAP);
  return Math.max(tolerance.absoluteTolerance, relative, lastDigits);
}

/** A result as compared cells and as small integers: equal cells share their integer (the reverse need not hold). */
export interface ComparedTable {
  readonly cells: readonly (readonly ComparedCell[])[];
  readonly keys: readonly Int32Array[];
}

export interface ComparableResult {
  readonly columns: readonly { readonly name: string; readonly type?: DataType | undefined }[];
  readonly rows: readonly Row[];
}

/**
 * Brings two results into one numbering. Numbers that are linked by steps within the tolerance share a number: a
 * necessary condition for being equal, which a comparison of the cells themselves confirms at the end.
 */
export function compareTables(
  tables: readonly [ComparableResult, ComparableResult],
  tolerance: NumericTolerance,
): readonly [ComparedTable, ComparedTable] {
  const cells = [comparedCells(tables[0]), comparedCells(tables[1])] as const;
  const numbers = numberKeys(cells.flat(2), tolerance);
  const others = new Map<string, number>();
  const keyOf = (cell: ComparedCell): number => {
    if (cell.kind === 'number') return numbers.get(numberIdentity(cell)) ?? 0;
    const known = others.get(cell.key);
    if (known !== undefined) return known;
    const key = numbers.size + others.size;
    others.set(cell.key, key);
    return key;
  };
  const numbered = (rows: readonly (readonly ComparedCell[])[]): ComparedTable => ({
    cells: rows,
    keys: rows.map((row) => Int32Array.from(row, keyOf)),
  });
  return [numbered(cells[0]), numbered(cells[1])];
}

function comparedCells(table: ComparableResult): ComparedCell[][] {
  return table.rows.map((row) =>
    table.columns.map((column, position) => comparedCell(row[position] ?? null, column.type)),
  );
}

type NumberCell = Extract<ComparedCell, { kind: 'number' }>;

function numberIdentity(cell: NumberCell): bigint | number {
  return cell.whole ?? cell.approximate;
}

function numberKeys(cells: readonly ComparedCell[], tolerance: NumericTolerance): Map<bigint | number, number> {
  const distinct = new Map<bigint | number, NumberCell>();
  for (const cell of cells) if (cell.kind === 'number') distinct.set(numberIdentity(cell), cell);
  const sorted = [...distinct.values()].sort((a, b) => a.approximate - b.approximate || compareWhole(a, b));
  const keys = new Map<bigint | number, number>();
  let key = 0;
  let previous: NumberCell | undefined;
  for (const cell of sorted) {
    if (previous !== undefined && !isLinked(previous, cell, tolerance)) key += 1;
    keys.set(numberIdentity(cell), key);
    previous = cell;
  }
  return keys;
}

/** Two whole numbers are only linked where a fraction could reach both of them. */
function isLinked(a: NumberCell, b: NumberCell, tolerance: NumericTolerance): boolean {
  const magnitude = Math.max(Math.abs(a.approximate), Math.abs(b.approximate));
  const limit = reach(magnitude, tolerance);
  if (a.whole !== undefined && b.whole !== undefined && limit < 0.45) return false;
  return Math.abs(a.approximate - b.approximate) <= limit;
}

function compareWhole(a: NumberCell, b: NumberCell): number {
  const left = a.whole ?? 0n;
  const right = b.whole ?? 0n;
  return left < right ? -1 : left > right ? 1 : 0;
}

function sortedJson(value: Value): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
