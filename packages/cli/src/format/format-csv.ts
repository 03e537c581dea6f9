import type { ResultColumn, Row, Value } from '@askema/core';
import { cellText } from './cell-text.ts';

/**
 * The rows as CSV (RFC 4180): a header line, CRLF, quotes where they are needed. NULL is an empty field and the empty string is
 * `""`, as in PostgreSQL's COPY. Cells are exact: one that a spreadsheet would take for a formula stays as it is.
 */
export function formatCsv(columns: readonly ResultColumn[], rows: readonly Row[]): string {
  const header = columns.map((column) => csvField(column.name)).join(',');
  return `${[header, ...rows.map((row) => csvLine(row))].join('\r\n')}\r\n`;
}

function csvLine(row: Row): string {
  return row.map((cell) => csvField(cellText(cell as Value))).join(',');
}

function csvField(text: string | undefined): string {
  if (text === undefined) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
