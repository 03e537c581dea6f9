import type { Table } from '../figures/run-tables.ts';
import { visibleLine, visibleText } from '../figures/visible-text.ts';

/** A part of a report as text or as Markdown. */
export type Block =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'table'; readonly table: Table }
  | { readonly type: 'sql'; readonly title: string; readonly sql: string };

export function heading(level: 1 | 2 | 3, text: string): Block {
  return { type: 'heading', level, text };
}

export function paragraph(text: string): Block {
  return { type: 'paragraph', text };
}

/** Nothing for an empty table. */
export function tables(...all: readonly (Table | undefined)[]): readonly Block[] {
  return all.flatMap((table): readonly Block[] =>
    table === undefined || table.rows.length === 0 ? [] : [{ type: 'table', table }],
  );
}

/** Nothing for an empty list. */
export function list(items: readonly string[]): readonly Block[] {
  return items.length === 0 ? [] : [{ type: 'list', items }];
}

/** Blocks as Markdown with the tables of GitHub. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(blockMarkdown).join('\n\n')}\n`;
}

function blockMarkdown(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`;
    case 'paragraph':
      return escaped(block.text);
    case 'list':
      return block.items.map((item) => `- ${escaped(item)}`).join('\n');
    case 'table':
      return markdownTable(block.table);
    case 'sql':
      return `${escaped(block.title)}:\n\n${fenced(visibleText(block.sql))}`;
  }
}

function markdownTable({ caption, columns, rows, words = [] }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = columns.map((_, column) => (column === 0 || words.includes(column) ? '---' : '---:'));
  const table = [line(columns.map(escaped)), line(rule), ...rows.map((cells) => line(cells.map(escaped)))];
  return `${escaped(caption)}:\n\n${table.join('\n')}`;
}

/** Text that is nothing but text: no markup of Markdown or HTML, no cell that ends early, no link. */
function escaped(text: string): string {
  return visibleLine(text)
    .replaceAll('&', '&amp;')
    .replace(/[\\`*_[\]{}|~$]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/^(#|\+|-)/, '\\$1')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** A fence that is longer than every run of backticks inside. */
function fenced(code: string): string {
  const longest = (code.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}sql\n${code}\n${fence}`;
}

/** Blocks for a terminal, without colours. */
export function writeText(blocks: readonly Block[]): string {
  return `${blocks.map(blockText).join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'heading': {
      const text = visibleLine(block.text);
      return block.level === 3 ? text : `${text}\n${(block.level === 1 ? '=' : '-').repeat(text.length)}`;
    }
    case 'paragraph':
      return visibleLine(block.text);
    case 'list':
      return block.items.map((item) => `- ${visibleLine(item)}`).join('\n');
    case 'table':
      return tableText(block.table);
    case 'sql':
      return `  ${visibleLine(block.title)}\n${visibleText(block.sql).replace(/^/gm, '    ')}`;
  }
}

function tableText({ caption, columns, rows, words }: Table): string {
  const visible = (cells: readonly string[]): readonly string[] => cells.map(visibleLine);
  return [`${visibleLine(caption)}:`, ...textTable(visible(columns), [rows.map(visible)], words)].join('\n');
}

/**
 * A table for a terminal, as lines: titles, a rule, rows. The first column stands to the left, and so do those of
 * `words` (positions from 0); the others are numbers. Groups of rows have a rule between them.
 */
export function textTable(
  titles: readonly string[],
  groups: readonly (readonly (readonly string[])[])[],
  words: readonly number[] = [],
): readonly string[] {
  const rows = [titles, ...groups.flat()];
  const widths = titles.map((_, column) => rows.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0));
  const isLeft = (column: number): boolean => column === 0 || words.includes(column);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const rule = '-'.repeat(widths.reduce((total, width) => total + width, 0) + 2 * (titles.length - 1));
  return [line(titles), ...groups.flatMap((group) => [rule, ...group.map(line)])];
}
