import type { Expression } from '../tree/tree.ts';
import type { BlockDraft } from './builder.ts';

/** The item that `ORDER BY 2` or `GROUP BY 2` means: its index, also beyond the list where the block has no items of its own. */
export function positionOf(expression: Expression, block: BlockDraft): number | undefined {
  if (expression.kind !== 'literal' || expression.type !== 'number' || !/^\d+$/.test(expression.value))
    return undefined;
  const index = Number(expression.value) - 1;
  return index >= 0 && (block.kind !== 'select' || index < Math.max(1, block.items.length) || hasStar(block))
    ? index
    : undefined;
}

function hasStar(block: BlockDraft): boolean {
  return block.items.some((item) => item.kind === 'star');
}
