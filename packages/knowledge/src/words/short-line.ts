import { shortened } from '@askema/core';

/** A text of a file on one line, for a message; at most `length` UTF-16 code units of it. */
export function shortLine(text: string, length = 80): string {
  return shortened(text.replaceAll(/\s+/gu, ' ').trim(), length);
}
