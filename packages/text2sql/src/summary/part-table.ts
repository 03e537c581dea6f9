import { countTokensRoughly, type Value } from '@askema/core';
import { cutText, onOneLine } from '../prompts/cut-text.ts';
import { cellText, rowsNote } from '../prompts/result-view.ts';
import type { SummaryPart } from './summary.ts';

/** Of all parts together. */
const MAX_TOKENS = 1_500;
const MAX_ROWS = 40;
const MAX_COLUMNS = 20;
const MAX_NAME_CHARACTERS = 40;
/** As much of a cell as a summary takes. */
export const MAX_CELL_CHARACTERS = 100;

/** A result as a prompt shows it. */
export interface PartTable {
  readonly question: string;
  /** Numbered columns and rows, and how many rows there are. To be fenced. */
  readonly table: string;
  /** Its first rows, which can be cited. */
  readonly shown: number;
}

/** The first rows of each part, within 40 rows a part and about 1,500 tokens in all. */
export function partTables(parts: readonly SummaryPart[]): readonly PartTable[] {
  return parts.map((part) => partTable(part, MAX_TOKENS / parts.length));
}

function partTable({ question, result }: SummaryPart, maxTokens: number): PartTable {
  const { columns, rows } = result;
  const names = columns
    .slice(0, MAX_COLUMNS)
    .map(({ name }, position) => `${position + 1} ${cutText(onOneLine(name), MAX_NAME_CHARACTERS)}`);
  const lines = [['row', ...names].join(' | ')];
  let room = maxTokens - countTokensRoughly(lines[0] ?? '');
  let shown = 0;
  for (const row of rows.slice(0, MAX_ROWS)) {
    const line = [shown + 1, ...row.slice(0, MAX_COLUMNS).map(shownCell)].join(' | ');
    room -= countTokensRoughly(line);
    if (room < 0 && shown > 0) break;
    lines.push(line);
    shown += 1;
  }
  const hidden = columns.length > MAX_COLUMNS ? [`(${columns.length - MAX_COLUMNS} more columns)`] : [];
  return { question, table: [...lines, ...hidden, rowsNote(shown, result)].join('\n'), shown };
}

function shownCell(value: Value): string {
  return cutText(cellText(value), MAX_CELL_CHARACTERS);
}
