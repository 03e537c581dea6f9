import type { RunComparison } from '../compare/index.ts';
import { comparisonBlocks } from './comparison-blocks.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeText } from './write-text.ts';

/** A comparison for a terminal (`text`, without colours) or as Markdown. Default: `text`. */
export function formatComparison(comparison: RunComparison, format: 'text' | 'markdown' = 'text'): string {
  const blocks = comparisonBlocks(comparison);
  return format === 'markdown' ? writeMarkdown(blocks) : writeText(blocks);
}
