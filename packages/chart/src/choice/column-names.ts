import { oneLine } from '@askema/core';
import type { ColumnFacts } from '../facts/column-facts.ts';

const MOST_NAMED = 6;
const LONGEST_NAME = 80;

/** Columns in a sentence, of many the first. `say` adds something to a name. */
export function columnNames(columns: readonly ColumnFacts[], say: (column: ColumnFacts) => string = () => ''): string {
  const named = columns
    .slice(0, MOST_NAMED)
    .map((column) => `${JSON.stringify(oneLine(column.name, LONGEST_NAME))}${say(column)}`);
  const others = columns.length - named.length;
  return `${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}
