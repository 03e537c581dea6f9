import type { Block, Table } from './document.ts';
import { visibleLine, visibleText } from './visible-text.ts';

/** Blocks for a terminal, without colours. */
export function writeText(blocks: readonly Block[]): string {
  return `${blocks.map(textOf).join('\n\n')}\n`;
}

function textOf(block: Block): string {
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
      return textTable(block.table);
    case 'sql':
      return `  ${visibleLine(block.title)}\n${visibleText(block.sql).replace(/^/gm, '    ')}`;
  }
}

function textTable({ caption, columns, rows, words = [] }: Table): string {
  const lines = [columns, ...rows].map((cells) => cells.map(visibleLine));
  const widths = columns.map((_, column) =>
    lines.reduce((most, cells) => Math.max(most, cells[column]?.length ?? 0), 0),
  );
  const isLeft = (column: number): boolean => column === 0 || words.includes(column);
  const [titles = '', ...body] = lines.map((cells) =>
    cells
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const rule = '-'.repeat(widths.reduce((total, width) => total + width, 0) + 2 * (columns.length - 1));
  return [`${visibleLine(caption)}:`, titles, rule, ...body].join('\n');
}
