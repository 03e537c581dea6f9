/** What stands at a place of a JSON text. */
export type JsonKind = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'null';

/** Stands in a path for any element of an array. */
export const ELEMENT = '[]';

interface Frame {
  readonly isArray: boolean;
  /** An object is behind a key. */
  hasKey: boolean;
}

/**
 * Visits each value of a JSON text with its path, in one pass and without recursion; the root, whose path is empty, as
 * well. The text may be cut off anywhere: what stands before the cut is visited. Text that is no JSON ends the scan.
 */
export function scanJson(text: string, visit: (path: readonly string[], kind: JsonKind) => void): void {
  const path: string[] = [];
  const frames: Frame[] = [];
  let expect: 'value' | 'key' | 'after' = 'value';
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    const frame = frames.at(-1);
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      at += 1;
      continue;
    }
    if (character === '}' || character === ']') {
      if (frame === undefined || frame.isArray !== (character === ']')) return;
      if (frame.isArray || frame.hasKey) path.pop();
      frames.pop();
      expect = 'after';
      at += 1;
    } else if (expect === 'after') {
      if (character !== ',' || frame === undefined) return;
      expect = frame.isArray ? 'value' : 'key';
      at += 1;
    } else if (expect === 'key') {
      const end = stringEnd(text, at);
      const key = end < 0 ? undefined : unescapeString(text.slice(at, end + 1));
      if (key === undefined || frame === undefined) return;
      at = afterBlanks(text, end + 1);
      if (text[at] !== ':') return;
      if (frame.hasKey) path.pop();
      frame.hasKey = true;
      path.push(key);
      expect = 'value';
      at += 1;
    } else if (character === '{' || character === '[') {
      const isArray = character === '[';
      visit(path, isArray ? 'array' : 'object');
      frames.push({ isArray, hasKey: false });
      if (isArray) path.push(ELEMENT);
      expect = isArray ? 'value' : 'key';
      at += 1;
    } else if (character === '"') {
      visit(path, 'string');
      const end = stringEnd(text, at);
      if (end < 0) return;
      expect = 'after';
      at = end + 1;
    } else {
      const end = wordEnd(text, at);
      const kind = kindOfWord(text.slice(at, end));
      // A word at the very end may be cut off.
      if (kind === undefined || (end === text.length && frames.length > 0)) return;
      visit(path, kind);
      expect = 'after';
      at = end;
    }
  }
}

function kindOfWord(word: string): JsonKind | undefined {
  if (word === 'true' || word === 'false') return 'boolean';
  // Snowflake writes `undefined` for an element that a sparse array does not have.
  if (word === 'null' || word === 'undefined') return 'null';
  if (/^-?\d+$/.test(word)) return 'integer';
  return /^-?\d[\d.eE+-]*$/.test(word) ? 'number' : undefined;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !' \n\r\t,:{}[]"'.includes(text[at] ?? ' ')) at += 1;
  return at;
}

function afterBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? '')) at += 1;
  return at;
}

/** The closing quote of the string that opens at `start`; -1 where there is none. */
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return -1;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

function unescapeString(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
