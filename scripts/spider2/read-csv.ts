import type { ComparableResult, DataType, Value } from '@askema/core';
import { splitCsv } from '@askema/eval';

/** What pandas reads as a missing value. */
const MISSING = new Set(
  '|#N/A|#N/A N/A|#NA|-1.#IND|-1.#QNAN|-NaN|-nan|1.#IND|1.#QNAN|<NA>|N/A|NA|NULL|NaN|None|n/a|nan|null'.split('|'),
);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^[+-]?inf(?:inity)?$/i;
const BOOLEAN: Readonly<Record<string, boolean>> = {
  True: true,
  TRUE: true,
  true: true,
  False: false,
  FALSE: false,
  false: false,
};

/**
 * A recorded CSV as a result. Types are inferred column by column as pandas does, by which the evaluator reads these
 * files: missing values are NULL; a column is numeric or boolean when all others in it are; numbers stay text, exact,
 * in a column of type `NUMERIC`. A last row that the recorder's cap cut short is left out.
 */
export function readCsv(text: string): ComparableResult {
  const [header = [], ...records] = splitCsv(text);
  const rows = records.filter((record) => record.length === header.length);
  const columns = header.map((name, position) => ({ name, ...typed(rows.map((row) => row[position] ?? '')) }));
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => columns.map(({ read }, position) => read(row[position] ?? ''))),
  };
}

function typed(cells: readonly string[]): { readonly type: DataType; readonly read: (cell: string) => Value } {
  const present = cells.filter((cell) => !MISSING.has(cell));
  const ifPresent =
    (read: (cell: string) => Value) =>
    (cell: string): Value =>
      MISSING.has(cell) ? null : read(cell);
  if (present.length > 0 && present.every((cell) => cell in BOOLEAN))
    return { type: 'BOOL', read: ifPresent((cell) => BOOLEAN[cell] ?? null) };
  if (present.every((cell) => NUMBER.test(cell.trim()) || INFINITE.test(cell.trim())))
    return { type: 'NUMERIC', read: ifPresent(numberOf) };
  return { type: 'TEXT', read: ifPresent((cell) => cell) };
}

function numberOf(cell: string): Value {
  const text = cell.trim();
  if (NUMBER.test(text)) return text;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
