import { oneLine } from '@askema/core';

/** A text of a database or a model as one line, without what a terminal would obey. */
export function plainLine(text: string): string {
  return oneLine(text.replaceAll(/\s+/g, ' ')).trim();
}
