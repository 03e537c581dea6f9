import { encodeValue, type JsonValue, type QueryResult, type ResultColumn, type Value } from '@askema/core';
import { cutText, jsonLength } from './cut-text.ts';
import type { ReplyLimits } from './reply-limits.ts';

/** The most characters of one cell, and the least that it gets where there are many columns. */
const MAX_CELL = 1_000;
const MIN_CELL = 50;
/** Characters of the name of a column. */
const MAX_NAME = 200;

type GivenResult = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

/** A result as a reply shows it. */
export interface CutResult {
  /** As `result` of the published form of an outcome, without figures. */
  readonly json: {
    readonly columns: readonly ResultColumn[];
    readonly rows: readonly (readonly JsonValue[])[];
    readonly truncated?: 'rows' | 'bytes';
  };
  /** The rows that are shown, for a text. */
  readonly shown: GivenResult;
  /** What is missing, and what to do about it; undefined where nothing is. */
  readonly truncated?: string;
}

/**
 * A result within the limits of a reply: columns that fit into a third of the room, cells of at most 1,000 characters
 * (fewer beside many columns), rows as far as there is room. Values are as `encodeValue` of core writes them; a cell
 * that is cut becomes a text that ends in `…`.
 */
export function cutResult(result: GivenResult, { maxRows, maxCharacters }: ReplyLimits): CutResult {
  const columns = columnsWithin(result.columns, maxCharacters / 3);
  let room = maxCharacters - jsonLength(columns);
  const maxCell = Math.max(MIN_CELL, Math.min(MAX_CELL, Math.floor(room / (2 * Math.max(columns.length, 1)))));
  const rows: (readonly JsonValue[])[] = [];
  let cutCells = 0;
  for (const row of result.rows.slice(0, maxRows)) {
    const cells = row.slice(0, columns.length).map((value) => cutCell(value, maxCell));
    room -= jsonLength(cells.map(({ json }) => json)) + 1;
    if (room < 0 && rows.length > 0) break;
    cutCells += cells.filter(({ isCut }) => isCut).length;
    rows.push(cells.map(({ json }) => json));
  }
  const hasAllRows = rows.length === result.rows.length && result.truncated === undefined;
  const isWhole = hasAllRows && cutCells === 0 && columns.length === result.columns.length;
  const by = rows.length === maxRows && !hasAllRows ? 'rows' : (result.truncated ?? 'bytes');
  return {
    json: { columns, rows, ...(isWhole ? {} : { truncated: by }) },
    shown: {
      columns,
      rows: result.rows.slice(0, rows.length).map((row) => row.slice(0, columns.length)),
      truncated: hasAllRows ? undefined : by,
    },
    ...(isWhole ? {} : { truncated: noteOf(result, { rows: rows.length, columns: columns.length, cutCells }) }),
  };
}

function columnsWithin(columns: readonly ResultColumn[], room: number): readonly ResultColumn[] {
  const kept: ResultColumn[] = [];
  let left = room;
  for (const { name, nativeType, type } of columns) {
    const column = { name: cutText(name, MAX_NAME), nativeType: cutText(nativeType, MAX_NAME), type };
    left -= jsonLength(column) + 1;
    if (left < 0) break;
    kept.push(column);
  }
  return kept;
}

function cutCell(value: Value, maxCell: number): { readonly json: JsonValue; readonly isCut: boolean } {
  if (typeof value === 'string') {
    const text = cutText(value, maxCell);
    return { json: text, isCut: text !== value };
  }
  // Bytes that will be cut are not encoded first.
  if (value instanceof Uint8Array && value.byteLength > maxCell)
    return { json: `[${value.byteLength} bytes]…`, isCut: true };
  try {
    const json = encodeValue(value);
    if (jsonLength(json) <= maxCell) return { json, isCut: false };
    return { json: cutText(JSON.stringify(json), maxCell), isCut: true };
  } catch {
    // Nested deeper than JSON is written.
    return { json: '[too deep]…', isCut: true };
  }
}

function noteOf(
  { columns, rows, truncated }: GivenResult,
  kept: { readonly rows: number; readonly columns: number; readonly cutCells: number },
): string {
  const parts: string[] = [];
  if (kept.rows < rows.length || truncated !== undefined) {
    const all = truncated === undefined ? `${rows.length}` : `more than ${rows.length}`;
    parts.push(`Only the first ${kept.rows} of ${all} rows are here.`);
  }
  if (kept.columns < columns.length)
    parts.push(`Only the first ${kept.columns} of ${columns.length} columns are here.`);
  if (kept.cutCells > 0) parts.push(`Long cells were cut: ${kept.cutCells}.`);
  return [...parts, 'Do not count or sum these rows: aggregate, filter or select fewer columns in SQL.'].join(' ');
}
