import { AskemaError } from '@askema/core';
import { MAX_RECORD_BYTES, type RecordText, readChunks, recordBytes } from './read-chunks.ts';
import { readCsv } from './read-csv.ts';
import { readJsonList } from './read-json-list.ts';

/** How the rows of a file are written. A file of any of them may be gzip. */
type RowNotation = 'lines' | 'list' | 'csv';

/** A row of a file of any notation: an object of its fields, or why there is none. */
export type DatasetRow = {
  /** 1-based line where the row starts. */
  readonly line: number;
  /** From 0, of all rows that are no blank lines, the broken ones as well. */
  readonly position: number;
} & ({ readonly value: unknown } | { readonly problem: string });

/** `csv` by the name, `list` when the content starts with `[`, else `lines`: one JSON object a line. */
export async function notationOf(file: string): Promise<RowNotation> {
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(file)) return 'csv';
  for await (const chunk of readChunks(file)) {
    for (const byte of chunk) if (byte > 0x20) return byte === 0x5b ? 'list' : 'lines';
  }
  return 'lines';
}

/**
 * The rows of a file, one at a time: JSON lines, a JSON list, or CSV (its fields as texts under the names of the
 * header: trimmed, in lower case, with `_` for blanks).
 *
 * @throws AskemaError `DATASET_INVALID` when the file cannot be read, or is CSV whose header names a field twice.
 */
export async function* readRows(
  file: string,
  options: { readonly notation?: RowNotation | undefined; readonly maxBytes?: number | undefined } = {},
): AsyncGenerator<DatasetRow, void, undefined> {
  const notation = options.notation ?? (await notationOf(file));
  const rows =
    notation === 'csv'
      ? csvObjects(file, options.maxBytes)
      : jsonValues((notation === 'list' ? readJsonList : readLines)(file, options.maxBytes));
  let position = 0;
  for await (const row of rows) {
    yield { ...row, position };
    position += 1;
  }
}

type Unplaced = { readonly line: number } & ({ readonly value: unknown } | { readonly problem: string });

async function* jsonValues(records: AsyncIterable<RecordText>): AsyncGenerator<Unplaced, void, undefined> {
  for await (const record of records) {
    if ('problem' in record) yield record;
    else if (record.text.trim() !== '') yield jsonValue(record.line, record.text);
  }
}

function jsonValue(line: number, text: string): Unplaced {
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    return { line, problem: `is no JSON: ${(error as Error).message}` };
  }
}

async function* csvObjects(file: string, maxBytes: number | undefined): AsyncGenerator<Unplaced, void, undefined> {
  let names: readonly string[] | undefined;
  for await (const row of readCsv(file, maxBytes)) {
    if ('problem' in row) yield row;
    else if (names === undefined) names = headerOf(row.fields, file);
    else if (row.fields.length > names.length) {
      const problem = `has ${row.fields.length} fields, the header has ${names.length}: quote what holds a separator`;
      yield { line: row.line, problem };
    } else {
      const { fields } = row;
      yield { line: row.line, value: Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ''])) };
    }
  }
}

function headerOf(fields: readonly string[], file: string): readonly string[] {
  const names = fields.map((field) => field.trim().toLowerCase().replaceAll(/\s/g, '_'));
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) {
    throw new AskemaError(
      'DATASET_INVALID',
      `The header of ${file} has the field ${twice.slice(0, 80)} more than once.`,
    );
  }
  return names;
}

const PEEKED_ROWS = 50;

/** The fields of the first row that is an object, of the first 50; undefined where there is none. */
export async function peekFields(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  for await (const row of readRows(file)) {
    if ('value' in row && typeof row.value === 'object' && row.value !== null && !Array.isArray(row.value)) {
      return row.value as Record<string, unknown>;
    }
    if (row.position >= PEEKED_ROWS) return undefined;
  }
  return undefined;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a file, one after the other, blank ones as well; a line longer than `maxBytes` is reported in its place.
 */
async function* readLines(
  file: string,
  maxBytes: number = MAX_RECORD_BYTES,
): AsyncGenerator<RecordText, void, undefined> {
  const record = recordBytes(maxBytes);
  let line = 1;
  for await (const chunk of readChunks(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      record.add(chunk.subarray(start, end));
      yield record.take(line);
      line += 1;
      start = end + 1;
    }
    record.add(chunk.subarray(start));
  }
  if (!record.isEmpty) yield record.take(line);
}
