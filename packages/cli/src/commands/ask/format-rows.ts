import type { ResultColumn, Row, Value } from '@askema/core';
import { cellText, isNumericColumn } from '../../format/cell-text.ts';
import { escapeJson, jsonCell } from '../../format/format-json.ts';
import type { Output } from '../../process/output.ts';
import { cutToWidth, displayWidth, padToWidth } from '../../terminal/display-width.ts';
import { printable } from '../../terminal/printable.ts';

const NULL_TEXT = 'NULL';
const SEPARATOR = ' | ';
const MINIMUM_COLUMN_WIDTH = 8;
/** Bytes of a BLOB that a table shows. */
const SHOWN_BYTES = 32;

interface TableText {
  readonly text: string;
  /** True when cells were shortened to fit the terminal. */
  readonly isCut: boolean;
}

/**
 * The rows as an aligned table for people: numbers to the right, East Asian widths counted, control characters escaped,
 * so that no cell can move the cursor. Cells are shortened only where `output` is a terminal that is too narrow.
 */
export function formatTable(columns: readonly ResultColumn[], rows: readonly Row[], output: Output): TableText {
  const numeric = columns.map((column, index) => isNumericColumn(column, index, rows));
  const header = columns.map((column) => printable(column.name));
  const cells = rows.map((row) => columns.map((_, index) => tableCell(row[index] as Value)));
  const widths = columns.map((_, index) => {
    const own = displayWidth(header[index] ?? '');
    return cells.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), own);
  });
  const fitted = fitWidths(widths, output.columns);
  const line = (texts: readonly string[], paint: (text: string, index: number) => string): string =>
    texts
      .map((text, index) => {
        const width = fitted[index] ?? 0;
        return paint(padToWidth(cutToWidth(text, width), width, numeric[index] ? 'right' : 'left'), index);
      })
      .join(SEPARATOR)
      .trimEnd();
  const body = cells.map((row, rowIndex) =>
    line(row, (text, index) => (isNull(rows[rowIndex]?.[index]) ? output.dim(text) : text)),
  );
  const rule = fitted.map((width) => '-'.repeat(width)).join('-+-');
  const text = [line(header, output.bold), rule, ...body].map((each) => `${each}\n`).join('');
  return { text, isCut: fitted.some((width, index) => width < (widths[index] ?? 0)) };
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}

function tableCell(value: Value): string {
  if (value instanceof Uint8Array && value.length > SHOWN_BYTES) {
    return `${cellText(value.subarray(0, SHOWN_BYTES))}… (${value.length.toLocaleString('en')} bytes)`;
  }
  return printable(cellText(value) ?? NULL_TEXT);
}

/** Narrows the widest columns, all to the same width, until the line fits; none below eight columns. */
function fitWidths(widths: readonly number[], available: number | undefined): readonly number[] {
  if (available === undefined || available <= 0) return widths;
  const room = available - SEPARATOR.length * (widths.length - 1);
  const total = (cap: number): number => widths.reduce((sum, width) => sum + Math.min(width, cap), 0);
  let cap = Math.max(MINIMUM_COLUMN_WIDTH, Math.min(room, Math.max(...widths, 0)));
  while (cap > MINIMUM_COLUMN_WIDTH && total(cap) > room) cap -= 1;
  return widths.map((width) => Math.min(width, cap));
}

/** A format that writes row by row: what stands in front, and the text of a batch. */
interface RowText {
  readonly header: string;
  lines(rows: readonly Row[]): string;
}

/**
 * CSV (RFC 4180): a header line, CRLF, quotes where they are needed. NULL is an empty field and the empty string is
 * `""`, as in PostgreSQL's COPY. Cells are exact: one that a spreadsheet would take for a formula stays as it is.
 */
export function csvText(columns: readonly ResultColumn[]): RowText {
  return {
    header: `${columns.map((column) => csvField(column.name)).join(',')}\r\n`,
    lines: (rows) => rows.map((row) => `${csvLine(row)}\r\n`).join(''),
  };
}

/**
 * JSON Lines (https://jsonlines.org): an object a row, with the cells of {@link jsonCell}. Of columns of one name the
 * second is `name_2`, the third `name_3`.
 */
export function jsonlText(columns: readonly ResultColumn[]): RowText {
  const keys = uniqueNames(columns).map((name) => `${JSON.stringify(name)}:`);
  const line = (row: Row): string =>
    `{${row.map((cell, index) => `${keys[index]}${JSON.stringify(jsonCell(cell))}`).join(',')}}\n`;
  return { header: '', lines: (rows) => escapeJson(rows.map(line).join('')) };
}

function uniqueNames(columns: readonly ResultColumn[]): readonly string[] {
  const names = new Set(columns.map(({ name }) => name));
  const seen = new Set<string>();
  return columns.map(({ name }) => {
    let unique = name;
    for (let count = 2; seen.has(unique) || (unique !== name && names.has(unique)); count += 1)
      unique = `${name}_${count}`;
    seen.add(unique);
    return unique;
  });
}

function csvLine(row: Row): string {
  return row.map((cell) => csvField(cellText(cell as Value))).join(',');
}

function csvField(text: string | undefined): string {
  if (text === undefined) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The rows as a table of GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-). NULL is an empty
 * cell.
 */
export function formatMarkdown(columns: readonly ResultColumn[], rows: readonly Row[]): string {
  const numeric = columns.map((column, index) => isNumericColumn(column, index, rows));
  const lines = [
    columns.map((column) => markdownCell(column.name)),
    numeric.map((isNumeric) => (isNumeric ? '---:' : '---')),
    ...rows.map((row) => row.map((cell) => markdownCell(cellText(cell as Value)))),
  ];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/**
 * Characters that Markdown, HTML or the table itself would take for markup; a backslash makes each of them plain text.
 */
function markdownCell(text: string | undefined): string {
  if (text === undefined) return '';
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => printable(line).replace(/[\\`*_[\]<>|~&$!#]/g, '\\$&'))
    .join('<br>');
}
