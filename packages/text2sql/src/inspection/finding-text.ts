import type { InspectionFinding } from '@askema/core';
import { cutText, onOneLine } from '../prompts/cut-text.ts';

const MAX_CHARACTERS = 1_200;

/** A finding on one line, with the cells that are near. It quotes cells, which may hold anything: it belongs into a fence. */
export function findingText({ message, advice, cells = [] }: InspectionFinding): string {
  const near = cells.map(({ column, value }) => `${onOneLine(column)} holds ${JSON.stringify(onOneLine(value))}`);
  const stored = near.length === 0 ? '' : ` Stored: ${near.join('; ')}.`;
  return cutText(onOneLine(`${message} ${advice}${stored}`), MAX_CHARACTERS);
}
