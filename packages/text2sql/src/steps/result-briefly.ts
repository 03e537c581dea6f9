import type { QueryResult, Row, Value } from '@askema/core';
import { cutText, onOneLine } from '../prompts/cut-text.ts';

const MAX_CHARACTERS = 120;
const MAX_CELLS = 3;

/** A result in a few words, for people: `42`; `no rows`; `12 rows: Ann, Bob, Cid, …`. */
export function briefly({ rows, truncated }: Pick<QueryResult, 'rows' | 'truncated'>): string {
  const [first] = rows;
  if (first === undefined) return 'no rows';
  if (rows.length === 1 && truncated === undefined) return cutText(cells(first), MAX_CHARACTERS);
  const shown = rows.slice(0, MAX_CELLS).map((row) => (row.length === 1 ? cells(row) : `(${cells(row)})`));
  const rest = rows.length > MAX_CELLS ? ', …' : '';
  const more = truncated === undefined ? '' : 'more than ';
  return cutText(`${more}${rows.length} rows: ${shown.join(', ')}${rest}`, MAX_CHARACTERS);
}

function cells(row: Row): string {
  const shown = row.slice(0, MAX_CELLS).map(cell).join(', ');
  return row.length > MAX_CELLS ? `${shown}, …` : shown;
}

function cell(value: Value): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  const text = onOneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
  return text === '' ? "''" : text;
}
