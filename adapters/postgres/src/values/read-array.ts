import type { JsonValue } from '@askema/core';

/** PostgreSQL has at most six dimensions. */
const MAX_DIMENSIONS = 6;

/**
 * Reads the text form of an array, nested as deep as it has dimensions (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO); bounds
 * in front (`[0:1]=`) are dropped. Undefined for a text that is none.
 */
export function readArray(
  text: string,
  delimiter: string,
  decode: (element: string) => JsonValue,
): JsonValue | undefined {
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  const open: JsonValue[][] = [];
  let whole: JsonValue[] | undefined;
  while (at < text.length) {
    const character = text[at];
    if (character === '{') {
      const list: JsonValue[] = [];
      open.at(-1)?.push(list);
      open.push(list);
      if (open.length > MAX_DIMENSIONS || whole !== undefined) return undefined;
      at += 1;
    } else if (character === '}') {
      const closed = open.pop();
      if (open.length === 0) whole = closed;
      at += 1;
    } else if (character === delimiter) {
      at += 1;
    } else {
      const list = open.at(-1);
      if (list === undefined) return undefined;
      const element = character === '"' ? readQuoted(text, at) : readBare(text, at, delimiter);
      if (element === undefined) return undefined;
      at = element.to;
      list.push(element.text === undefined ? null : decode(element.text));
    }
  }
  return open.length === 0 ? whole : undefined;
}

interface ElementText {
  /** Undefined for NULL. */
  readonly text: string | undefined;
  readonly to: number;
}

function readQuoted(text: string, from: number): ElementText | undefined {
  let content = '';
  let start = from + 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return { text: content + text.slice(start, at), to: at + 1 };
    if (text[at] !== '\\') continue;
    content += text.slice(start, at);
    at += 1;
    start = at;
  }
  return undefined;
}

function readBare(text: string, from: number, delimiter: string): ElementText {
  let content = '';
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '}') {
    if (text[at] === '\\') at += 1;
    content += text[at] ?? '';
    at += 1;
  }
  return { text: content === 'NULL' ? undefined : content, to: at };
}
