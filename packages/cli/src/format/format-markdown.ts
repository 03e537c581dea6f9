import type { ResultColumn, Row, Value } from '@askema/core';
import { printable } from '../terminal/printable.ts';
import { cellText, isNumericColumn } from './cell-text.ts';

/** The rows as a table of GitHub Flavored Markdown (https://github.github.com/gfm/#tables-extension-). NULL is an empty cell. */
export function formatMarkdown(columns: readonly ResultColumn[], rows: readonly Row[]): string {
  const numeric = columns.map((column, index) => isNumericColumn(column, index, rows));
  const lines = [
    columns.map((column) => markdownCell(column.name)),
    numeric.map((isNumeric) => (isNumeric ? '---:' : '---')),
    ...rows.map((row) => row.map((cell) => markdownCell(cellText(cell as Value)))),
  ];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** Characters that Markdown, HTML or the table itself would take for markup; a backslash makes each of them plain text. */
function markdownCell(text: string | undefined): string {
  if (text === undefined) return '';
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => printable(line).replace(/[\\`*_[\]<>|~&$!#]/g, '\\$&'))
    .join('<br>');
}
