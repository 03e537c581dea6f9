import { AskemaError } from '@askema/core';
import type { RunComparison } from '../compare/index.ts';

/** A comparison for a terminal (`text`, without colours) or as Markdown. Default: `text`. */
export function formatComparison(comparison: RunComparison, format: 'text' | 'markdown' = 'text'): string {
  throw new AskemaError('INTERNAL', `Not there yet: ${comparison.a.name} ${format}`);
}
