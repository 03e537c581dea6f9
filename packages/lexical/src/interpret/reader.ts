import type { PhraseTable } from '../lexicon/phrase-table.ts';
import type { Lattice } from '../link/lattice.ts';
import type { Token } from '../tokenise/token.ts';

/** One way to read a piece of the question that begins somewhere and ends before token `end`. */
export interface Parse<T> {
  readonly value: T;
  readonly end: number;
  /** Grows with every choice that is less likely than another one. */
  readonly cost: number;
}

/** What all rules of the grammar share while one question is read. */
export interface Reader {
  readonly lattice: Lattice;
  readonly tokens: readonly Token[];
  /** ISO 8601 date. */
  readonly today: string;
  readonly memo: Map<object, Map<number, readonly Parse<unknown>[]>>;
  /** Rules that may still be tried; at 0 reading ends, so that it is bounded whatever the question. */
  fuel: number;
  /** The furthest token that any rule has reached: what follows is where reading got stuck. */
  furthest: number;
}

const FUEL = 40_000;
/** Readings of one piece that are kept, cheapest first. */
const MAX_PARSES = 48;

export function createReader(lattice: Lattice, today: string): Reader {
  return { lattice, tokens: lattice.tokens, today, memo: new Map(), fuel: FUEL, furthest: 0 };
}

/** A rule of the grammar: all readings of what begins at a token. */
export type Rule<T> = (reader: Reader, at: number) => readonly Parse<T>[];

/**
 * Makes a rule that is computed once for each token; a rule that comes back to itself at the same token reads nothing
 * there.
 */
export function defineRule<T>(compute: Rule<T>): Rule<T> {
  const key = {};
  return (reader, at) => {
    let cells = reader.memo.get(key);
    if (cells === undefined) {
      cells = new Map();
      reader.memo.set(key, cells);
    }
    const known = cells.get(at);
    // Every entry under this key was made by this rule.
    if (known !== undefined) return known as readonly Parse<T>[];
    cells.set(at, []);
    if (reader.fuel <= 0) return [];
    reader.fuel -= 1;
    const parses = keepBest(compute(reader, at));
    for (const { end } of parses) reader.furthest = Math.max(reader.furthest, end);
    cells.set(at, parses);
    return parses;
  };
}

function keepBest<T>(parses: readonly Parse<T>[]): readonly Parse<T>[] {
  if (parses.length <= MAX_PARSES) return parses;
  return [...parses].sort((a, b) => a.cost - b.cost || b.end - a.end).slice(0, MAX_PARSES);
}

export function parse<T>(value: T, end: number, cost = 0): Parse<T> {
  return { value, end, cost };
}

/** The lower-case word or symbol at a token; empty for anything else. */
export function wordAt(reader: Reader, at: number): string {
  const token = reader.tokens[at];
  return token !== undefined && (token.kind === 'word' || token.kind === 'symbol') ? token.lower : '';
}

export function isKind(reader: Reader, at: number, kind: Token['kind']): boolean {
  return reader.tokens[at]?.kind === kind;
}

/** Where the longest phrase of a table ends; `at` when none stands there. */
export function skip(reader: Reader, at: number, table: PhraseTable<unknown>): number {
  return table.matches(reader.tokens, at)[0]?.end ?? at;
}

/** Where any number of phrases of a table end. */
export function skipAll(reader: Reader, at: number, table: PhraseTable<unknown>): number {
  for (let end = at; ; ) {
    const next = skip(reader, end, table);
    if (next === end) return end;
    end = next;
  }
}

/** Both positions when a phrase of the table stands here, else the one. */
export function maybe(reader: Reader, at: number, table: PhraseTable<unknown>): readonly number[] {
  const ends = table.matches(reader.tokens, at).map(({ end }) => end);
  return [...ends, at];
}

export function map<T, U>(parses: readonly Parse<T>[], change: (value: T) => U, extraCost = 0): Parse<U>[] {
  return parses.map(({ value, end, cost }) => ({ value: change(value), end, cost: cost + extraCost }));
}

/** Each reading of the first rule followed by each of the second. */
export function sequence<T, U, V>(
  first: readonly Parse<T>[],
  second: (end: number, value: T) => readonly Parse<U>[],
  join: (first: T, second: U) => V,
): Parse<V>[] {
  return first.flatMap((a) =>
    second(a.end, a.value).map((b) => ({ value: join(a.value, b.value), end: b.end, cost: a.cost + b.cost })),
  );
}
