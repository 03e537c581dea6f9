/** `at [2:8]` as BigQuery writes it, `[at 2:8]` as ZetaSQL does. */
const PLACE = /\s?(?:at \[(\d{1,9}):(\d{1,9})\]|\[at (\d{1,9}):(\d{1,9})\])/g;

/** How wide BigQuery takes a tab to be. */
const TAB = 8;

/** The last place that a message names, from 1. */
export function placeIn(message: string): { readonly line: number; readonly column: number } | undefined {
  const match = [...message.slice(0, 8_000).matchAll(PLACE)].at(-1);
  if (match === undefined) return undefined;
  return { line: Number(match[1] ?? match[3]), column: Number(match[2] ?? match[4]) };
}

/** The message without the place at its end. */
export function withoutPlace(message: string): string {
  return message.replace(/\s?(?:at \[\d{1,9}:\d{1,9}\]|\[at \d{1,9}:\d{1,9}\])\s*$/, '');
}

/**
 * The offset in UTF-16 code units of a place as BigQuery counts it: columns are characters, not bytes, a tab goes on to the next multiple of 8,
 * and `\r` alone ends a line as well. Undefined when the text has no such line.
 */
export function offsetOfPlace(sql: string, { line, column }: { line: number; column: number }): number | undefined {
  let offset = 0;
  for (let current = 1; current < line; current++) {
    const rest = sql.slice(offset).search(/\r\n?|\n/);
    if (rest < 0) return undefined;
    offset += rest;
    offset += sql.startsWith('\r\n', offset) ? 2 : 1;
  }
  let reached = 1;
  for (const character of sql.slice(offset)) {
    if (reached >= column || character === '\n' || character === '\r') break;
    reached = character === '\t' ? (Math.floor((reached - 1) / TAB) + 1) * TAB + 1 : reached + 1;
    offset += character.length;
  }
  return offset;
}
