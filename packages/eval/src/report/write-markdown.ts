import type { Block, Table } from './document.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** Blocks as Markdown with the tables of GitHub. */
export function writeMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(markdownOf).join('\n\n')}\n`;
}

function markdownOf(block: Block): string {
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
