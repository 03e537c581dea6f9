import type { QueryResult, Value } from '@askema/core';
import { cutText, onOneLine } from './cut-text.ts';

/** What a prompt shows of a result at most. The answer itself is never cut by these. */
export const VIEW_LIMITS = { maxRows: 100, maxCharacters: 5_000, maxCellCharacters: 400 } as const;

/**
 * A result as text for a prompt: a header, then one row a line, cells as JSON and separated by ` | `. Cut to 100 rows
 * and 5,000 characters, or to other limits, with a note that says so.
 */
export function resultView(
  result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>,
  { maxRows, maxCharacters }: { readonly maxRows: number; readonly maxCharacters: number } = VIEW_LIMITS,
): string {
  // Half of the room is for the names at most: the database chooses them, too.
  const header = cutText(result.columns.map((column) => onOneLine(column.name)).join(' | '), maxCharacters / 2);
  const lines = [header];
  let room = maxCharacters - header.length;
  let shown = 0;
  for (const row of result.rows.slice(0, maxRows)) {
    const line = row.map(cellText).join(' | ');
    if (line.length > room && shown > 0) break;
    lines.push(cutText(line, room));
    room -= line.length + 1;
    shown += 1;
  }
  lines.push(rowsNote(shown, result));
  return lines.join('\n');
}

/** How many rows there are, and how many of them are shown. */
export function rowsNote(shown: number, { rows, truncated }: Pick<QueryResult, 'rows' | 'truncated'>): string {
  const total = truncated === undefined ? `${rows.length}` : `more than ${rows.length}`;
  if (rows.length === 0) return '(no rows)';
  const noun = rows.length === 1 && truncated === undefined ? 'row' : 'rows';
  return shown === rows.length && truncated === undefined
    ? `(${total} ${noun})`
    : `(${total} ${noun}; only the first ${shown} are shown here)`;
}

/** A cell as a prompt shows it: on one line, text as JSON, and cut. */
export function cellText(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`;
  if (typeof value === 'number') return String(value);
  const text = onOneLine(JSON.stringify(value) ?? 'NULL');
  return cutText(text, VIEW_LIMITS.maxCellCharacters);
}
