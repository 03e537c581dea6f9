import { addUsage } from '@askema/core';
import type { Spent } from '../steps/sql-input.ts';

/** Nothing asked. */
export const NOTHING_SPENT: Spent = { usage: {}, calls: 0, solvedBy: '', warnings: [] };

/** What several answers cost together; the last one that wrote something counts as its writer. */
export function sumSpent(...all: readonly Spent[]): Spent {
  return {
    usage: addUsage(...all.map(({ usage }) => usage)),
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    solvedBy: all.findLast(({ solvedBy }) => solvedBy !== '')?.solvedBy ?? '',
    warnings: all.flatMap(({ warnings }) => warnings),
  };
}
