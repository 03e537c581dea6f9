import type { Span } from '@askema/core';
import type { Token } from './scan-tokens.ts';

/** Half-open range of indexes into {@link TokenTable.tokens}. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

/** Tokens with their brackets: what the shape is cut out of the source with. */
export interface TokenTable {
  readonly source: string;
  readonly tokens: readonly Token[];
  /** The closing token of an opening one and the other way round; -1 for all others. CASE and END are a pair too. */
  readonly partner: Int32Array;
}

/**
 * Pairs brackets, CASE … END and the angle brackets of ARRAY<…> and STRUCT<…>. What has no partner pairs with nothing.
 */
export function makeTokenTable(source: string, tokens: readonly Token[]): TokenTable {
  const partner = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  const pair = (from: number, to: number): void => {
    partner[from] = to;
    partner[to] = from;
  };
  const top = (): string => tokens[open.at(-1) ?? -1]?.upper ?? '';
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    const text = token.upper;
    if (text === '(' || text === '[' || text === '{') open.push(index);
    else if (text === 'CASE' && tokens[index - 1]?.upper !== '.' && !/^[.,)=]$/.test(tokens[index + 1]?.upper ?? ','))
      open.push(index);
    else if (text === 'END' && top() === 'CASE' && tokens[index - 1]?.upper !== '.') pair(open.pop() ?? 0, index);
    else if (text === ')' || text === ']' || text === '}') {
      // A CASE without END inside of the brackets was a name.
      while (top() === 'CASE') open.pop();
      if (open.length > 0) pair(open.pop() ?? 0, index);
    } else if (text === '<' && /^(ARRAY|STRUCT|MAP|TABLE|RANGE)$/.test(tokens[index - 1]?.upper ?? '')) {
      const close = closingAngle(tokens, index);
      if (close !== undefined) {
        pair(index, close);
        index = close;
      }
    }
  }
  return { source, tokens, partner };
}

function closingAngle(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (let index = from; index < tokens.length && index < from + 1000; index++) {
    const text = tokens[index]?.upper;
    if (text === '<') depth++;
    else if (text === '>') depth--;
    else if (text === '>>') depth -= 2;
    else if (text === ';' || text === 'SELECT') return undefined;
    if (depth <= 0) return index;
  }
  return undefined;
}

/** The index of the next token at the same level: behind the closing bracket of an opening one. */
export function nextAtLevel(table: TokenTable, index: number): number {
  const close = table.partner[index] ?? -1;
  return close > index ? close + 1 : index + 1;
}

/** Indexes of the tokens of a range that stand in no bracket of it; an opening bracket stands for its group. */
export function* levelTokens(table: TokenTable, range: TokenRange): Generator<number> {
  for (let index = range.from; index < range.to; index = nextAtLevel(table, index)) yield index;
}

/** Whether the token is this keyword; behind a point it would be a name. */
export function isWord(table: TokenTable, index: number, word: string): boolean {
  return table.tokens[index]?.upper === word && table.tokens[index - 1]?.upper !== '.';
}

/** Parts of a range between the tokens of its level that `isSeparator` holds for. An empty range gives no part. */
export function splitRange(
  table: TokenTable,
  range: TokenRange,
  isSeparator: (index: number) => boolean,
): readonly TokenRange[] {
  if (range.from >= range.to) return [];
  const parts: TokenRange[] = [];
  let from = range.from;
  for (const index of levelTokens(table, range)) {
    if (!isSeparator(index)) continue;
    parts.push({ from, to: index });
    from = index + 1;
  }
  parts.push({ from, to: range.to });
  return parts;
}

/** Parts between commas; a comma at the end (BigQuery) is followed by nothing. */
export function splitAtCommas(table: TokenTable, range: TokenRange): readonly TokenRange[] {
  const parts = splitRange(table, range, (index) => table.tokens[index]?.upper === ',');
  const last = parts.at(-1);
  return last !== undefined && last.from >= last.to ? parts.slice(0, -1) : parts;
}

/** The range without brackets around the whole of it. */
export function stripBrackets(table: TokenTable, range: TokenRange): TokenRange {
  let { from, to } = range;
  while (from < to && table.tokens[from]?.upper === '(' && table.partner[from] === to - 1) {
    from++;
    to--;
  }
  return { from, to };
}

/** The source that a range of tokens covers; undefined for an empty one. */
export function spanOf(table: TokenTable, range: TokenRange): Span | undefined {
  const first = table.tokens[range.from];
  const last = table.tokens[range.to - 1];
  return first === undefined || last === undefined || range.from >= range.to
    ? undefined
    : { start: first.start, end: last.end };
}

/** The index of the token that begins at this offset. */
export function tokenAt(table: TokenTable, offset: number): number | undefined {
  let low = 0;
  let high = table.tokens.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const start = table.tokens[middle]?.start ?? 0;
    if (start === offset) return middle;
    if (start < offset) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
