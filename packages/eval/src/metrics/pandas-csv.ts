import { AskemaError, type ComparableResult, type DataType, type QueryResult, type Value } from '@askema/core';
import { parsePandasFloat, parsePandasInteger, pythonFloat } from './python-number.ts';
import { splitCsv } from './split-csv.ts';

/** A column as pandas types it. `undefined` is a missing cell. */
export interface PandasColumn {
  readonly name: string;
  readonly type: 'int64' | 'uint64' | 'float64' | 'bool' | 'object';
  readonly cells: readonly (number | bigint | boolean | string | undefined)[];
}

/** A CSV as a frame of pandas: columns of one length. */
export interface PandasTable {
  readonly columns: readonly PandasColumn[];
  readonly rowCount: number;
}

/** What pandas reads as missing, by its default list. */
const MISSING = new Set([
  ...['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>'],
  ...['N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null'],
]);

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * A CSV with a header as `pandas.read_csv` of pandas 2 reads it: each column is of whole numbers, numbers, booleans or
 * text, by all of its cells. A short record is filled with missing cells; where the first record is longer than the
 * header, its first columns are an index and left out, as pandas does.
 *
 * @throws AskemaError `INPUT_INVALID` for an empty text, or a later record with more cells than there are columns.
 */
export function readPandasCsv(text: string): PandasTable {
  const [header, ...records] = splitCsv(text);
  if (header === undefined) throw new AskemaError('INPUT_INVALID', 'The CSV is empty: it has no header.');
  const index = Math.max(0, (records[0]?.length ?? 0) - header.length);
  const width = header.length + index;
  const long = records.findIndex((record) => record.length > width);
  if (long >= 0) {
    const count = records[long]?.length ?? 0;
    throw new AskemaError(
      'INPUT_INVALID',
      `Record ${long + 1} of the CSV has ${count} cells where there are ${width} columns.`,
    );
  }
  return {
    rowCount: records.length,
    columns: header.map((name, position) =>
      inferColumn(
        name,
        records.map((record) => record[position + index] ?? ''),
      ),
    ),
  };
}

/** The column that pandas makes of these cells. */
function inferColumn(name: string, texts: readonly string[]): PandasColumn {
  const present = texts.filter((text) => !MISSING.has(text));
  if (texts.length === 0) return { name, type: 'object', cells: [] };
  const read = <T>(parse: (text: string) => T): (T | undefined)[] =>
    texts.map((text) => (MISSING.has(text) ? undefined : parse(text)));
  const hasMissing = present.length < texts.length;
  const whole = present.length === 0 ? undefined : wholeColumn(name, texts);
  if (whole !== undefined) return whole;
  if (present.every((text) => parsePandasFloat(text) !== undefined))
    return { name, type: 'float64', cells: read((text) => parsePandasFloat(text) ?? 0) };
  if (present.every((text) => /^(?:true|false)$/i.test(text)))
    return { name, type: hasMissing ? 'object' : 'bool', cells: read((text) => text.toLowerCase() === 'true') };
  return { name, type: 'object', cells: read((text) => text) };
}

/**
 * Whole numbers: of 64 bits, without a sign if they need that, as floating point where some are missing. A number that
 * fits neither makes the column one of text, even where a fraction stands further down. Undefined where something else
 * comes first.
 */
function wholeColumn(name: string, texts: readonly string[]): PandasColumn | undefined {
  const cells: (number | bigint | undefined)[] = [];
  let hasMissing = false;
  for (const text of texts) {
    const value = MISSING.has(text) ? undefined : parsePandasInteger(text);
    if (value === undefined && !MISSING.has(text)) return undefined;
    if (value !== undefined && (value < INT64.min || value > INT64.max)) return unsignedColumn(name, texts);
    hasMissing ||= value === undefined;
    cells.push(value === undefined ? undefined : narrow(value));
  }
  if (!hasMissing) return { name, type: 'int64', cells };
  // The least number of 64 bits stands for a missing one inside pandas.
  const read = (cell: number | bigint | undefined) =>
    cell === undefined || cell === INT64.min ? undefined : Number(cell);
  return { name, type: 'float64', cells: cells.map(read) };
}

function unsignedColumn(name: string, texts: readonly string[]): PandasColumn | undefined {
  const cells: (number | bigint)[] = [];
  const cellsOfText = texts.map((text) => (MISSING.has(text) ? undefined : text));
  const asText: PandasColumn = { name, type: 'object', cells: cellsOfText };
  let needsUnsigned = false;
  let prevents = false;
  for (const text of texts) {
    const isNegative = text.trimStart().startsWith('-');
    const value = isNegative || MISSING.has(text) ? 0n : parsePandasInteger(text);
    if (value === undefined) return undefined;
    if (value > UINT64_MAX) return asText;
    prevents ||= isNegative || MISSING.has(text);
    needsUnsigned ||= value > INT64.max;
    cells.push(narrow(value));
  }
  if (!needsUnsigned) return asText;
  // In this one case pandas keeps even missing cells as their text.
  return prevents ? { name, type: 'object', cells: texts } : { name, type: 'uint64', cells };
}

function narrow(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The columns as a result: missing cells are NULL, whole numbers beyond 2^53 exact. */
export function resultOfTable({ columns, rowCount }: PandasTable): Pick<QueryResult, 'columns' | 'rows'> {
  return {
    columns: columns.map(({ name, type }) => ({ name, nativeType: type, type: DATA_TYPES[type] })),
    rows: Array.from({ length: rowCount }, (_, row) => columns.map(({ cells }): Value => cells[row] ?? null)),
  };
}

const DATA_TYPES: Readonly<Record<PandasColumn['type'], DataType>> = {
  int64: 'NUMERIC',
  uint64: 'NUMERIC',
  float64: 'NUMERIC',
  bool: 'BOOL',
  object: 'TEXT',
};

/** A result as pandas would write it to a CSV and read it back. */
export function tableOfResult({ columns, rows }: ComparableResult): PandasTable {
  return {
    rowCount: rows.length,
    columns: columns.map(({ name }, position) => inferColumn(name, textsOf(columns, rows, position))),
  };
}

/** The cells of a column as pandas writes them, before quoting. */
function textsOf(
  columns: ComparableResult['columns'],
  rows: ComparableResult['rows'],
  position: number,
): readonly string[] {
  const values = rows.map((row) => row[position] ?? null);
  const dates = columns[position]?.type === 'DATETIME' ? writtenDates(values) : undefined;
  return dates ?? values.map(csvCell);
}

/** A result as pandas writes it to a CSV: what its program reads back is what {@link tableOfResult} gives. */
export function writePandasCsv({ columns, rows }: ComparableResult): string {
  const texts = columns.map((_, position) => textsOf(columns, rows, position));
  const records = [
    columns.map(({ name }) => name),
    ...rows.map((_, row) => columns.map((_column, position) => texts[position]?.[row] ?? '')),
  ];
  return records.map((cells) => `${cells.map((cell) => quoted(cell, cells.length === 1)).join(',')}\n`).join('');
}

/** A line of blanks alone is none to pandas, so what is alone in its line is quoted then. */
function quoted(cell: string, isAlone: boolean): string {
  const needsQuotes = /[",\n\r]/.test(cell) || (isAlone && cell.trim() === '');
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/** Moments as pandas writes them: a blank for the `T`, `+00:00` for `Z`, and no time where all are midnight. */
function writtenDates(values: readonly Value[]): readonly string[] | undefined {
  const moments = values.map((value) => (typeof value === 'string' ? MOMENT.exec(value) : null));
  if (!moments.some((moment) => moment !== null)) return undefined;
  const isMidnight = moments.every(
    (moment) => moment === null || (moment[2] === '00:00:00' && !/[1-9]/.test(moment[3] ?? '') && !moment[4]),
  );
  return values.map((value, row) => {
    const moment = moments[row];
    if (moment === null || moment === undefined) return csvCell(value);
    if (isMidnight) return moment[1] ?? '';
    const fraction = /[1-9]/.test(moment[3] ?? '') ? `.${moment[3]}` : '';
    return `${moment[1]} ${moment[2]}${fraction}${moment[4] === 'Z' ? '+00:00' : (moment[4] ?? '')}`;
  });
}

/** A cell as pandas writes it to a CSV, before quoting. */
function csvCell(value: Value): string {
  if (value === null) return '';
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      if (Number.isNaN(value)) return '';
      return Number.isSafeInteger(value) ? `${value}` : pythonFloat(value);
    case 'bigint':
      return `${value}`;
    case 'boolean':
      return value ? 'True' : 'False';
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value);
  }
}
