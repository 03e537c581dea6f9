import type { Block, Table } from './document.ts';
import { textTable } from './text-table.ts';
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
      return tableText(block.table);
    case 'sql':
      return `  ${visibleLine(block.title)}\n${visibleText(block.sql).replace(/^/gm, '    ')}`;
  }
}

function tableText({ caption, columns, rows, words }: Table): string {
  const visible = (cells: readonly string[]): readonly string[] => cells.map(visibleLine);
  return [`${visibleLine(caption)}:`, ...textTable(visible(columns), [rows.map(visible)], words)].join('\n');
}
