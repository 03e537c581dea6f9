/**
 * Surface forms of cells as people write them, by a seeded generator: the second half of the recall bar of value
 * indexes.
 */

import { seededRandom } from './seeded-random.ts';

export const SURFACE_KINDS = ['case', 'typo', 'abbreviation', 'word order'] as const;
type SurfaceKind = (typeof SURFACE_KINDS)[number];

/** A cell and how somebody may write it. */
export interface SurfaceCase {
  readonly kind: SurfaceKind;
  readonly stored: string;
  readonly surface: string;
}

type Random = () => number;

const pick = <T>(random: Random, items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];

/**
 * Whether a cell is a name or phrase that people write in their own way: no date, code, address of the web, or long
 * prose.
 */
export function isWritable(cell: string): boolean {
  const text = cell.trim();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters >= 4 && text.length <= 60 && !/\d{2}|@|www\.|:\/\/|_/.test(text) && letters >= text.length * 0.7;
}

/** One surface form of a kind; undefined where the cell has none that differs from it. */
function surfaceFormOf(cell: string, kind: SurfaceKind, random: Random): string | undefined {
  const surface = MAKERS[kind](cell.trim(), random);
  return surface === undefined || surface === cell || surface.trim() === '' ? undefined : surface;
}

const MAKERS: Readonly<Record<SurfaceKind, (cell: string, random: Random) => string | undefined>> = {
  case: (cell, random) =>
    pick(
      random,
      [cell.toLowerCase(), cell.toUpperCase(), capitals(cell)].filter((text) => text !== cell),
    ),
  typo: (cell, random) => {
    const once = mistype(cell, random);
    return once !== undefined && cell.length > 12 && random() < 0.5 ? mistype(once, random) : once;
  },
  abbreviation: (cell, random) => {
    const words = cell.split(/\s+/);
    const forms = [words.length >= 3 ? initials(words) : undefined, shortened(words, random), withInitial(words)];
    return pick(
      random,
      forms.filter((form) => form !== undefined),
    );
  },
  'word order': (cell, random) => {
    const words = cell.split(/[\s,]+/).filter((word) => word !== '');
    if (words.length < 2 || words.length > 5) return undefined;
    const [first = '', ...others] = words;
    const last = words.at(-1) ?? '';
    const forms = [
      `${others.join(' ')} ${first}`,
      `${last}, ${words.slice(0, -1).join(' ')}`,
      [...words].reverse().join(' '),
    ];
    return pick(
      random,
      forms.filter((form) => form !== cell),
    );
  },
};

function capitals(cell: string): string {
  return cell.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

/** Swaps, drops, doubles or replaces a letter inside of a word of four letters or more. */
function mistype(cell: string, random: Random): string | undefined {
  const places = [...cell.matchAll(/\p{L}{4,}/gu)].flatMap(({ index, 0: word }) =>
    Array.from({ length: word.length - 2 }, (_, at) => index + 1 + at),
  );
  const at = pick(random, places);
  if (at === undefined) return undefined;
  const [before, letter, next, after] = [cell.slice(0, at), cell[at] ?? '', cell[at + 1] ?? '', cell.slice(at + 2)];
  const forms = [
    letter === next ? undefined : before + next + letter + after,
    before + next + after,
    before + letter + letter + next + after,
    `${before}${'aeiourstln'[Math.floor(random() * 10)]}${next}${after}`,
  ];
  return pick(
    random,
    forms.filter((form) => form !== undefined && form !== cell),
  );
}

function initials(words: readonly string[]): string | undefined {
  const letters = words
    .filter((word) => !/^(of|the|and|for|in|on|a|an)$/i.test(word))
    .map((word) => /\p{L}/u.exec(word)?.[0] ?? '');
  return letters.length >= 3 ? letters.join('').toUpperCase() : undefined;
}

/** One long word is cut or loses its vowels: `Comp. Science`, `Dprtmnt`. */
function shortened(words: readonly string[], random: Random): string | undefined {
  const long = words.flatMap((word, at) => (/^\p{L}{6,}$/u.test(word) ? [at] : []));
  const at = pick(random, long);
  if (at === undefined) return undefined;
  const word = words[at] ?? '';
  const cut = word.slice(0, 3 + Math.floor(random() * 2));
  const form = pick(random, [`${cut}.`, cut, `${word[0]}${word.slice(1).replace(/[aeiou]/gi, '')}`]) ?? cut;
  return words.map((other, place) => (place === at ? form : other)).join(' ');
}

/** `T. Casey`. */
function withInitial(words: readonly string[]): string | undefined {
  const [first = '', ...others] = words;
  return words.length === 2 && /^\p{L}{3,}$/u.test(first) ? `${first[0]}. ${others.join(' ')}` : undefined;
}

/** So many cases of each kind, each of another cell where there are enough. */
export function generateSurfaceForms<Cell extends { readonly value: string }>(
  cells: readonly Cell[],
  countOfEach: number,
  seed: number,
): readonly (SurfaceCase & { readonly cell: Cell })[] {
  const random = seededRandom(seed);
  const writable = cells.filter(({ value }) => isWritable(value));
  return SURFACE_KINDS.flatMap((kind) => {
    const made: (SurfaceCase & { readonly cell: Cell })[] = [];
    const seen = new Set<string>();
    for (let tries = 0; made.length < countOfEach && tries < countOfEach * 40; tries += 1) {
      const cell = pick(random, writable);
      const surface = cell && surfaceFormOf(cell.value, kind, random);
      if (cell === undefined || surface === undefined || seen.has(`${cell.value}\0${surface}`)) continue;
      seen.add(`${cell.value}\0${surface}`);
      made.push({ kind, stored: cell.value, surface, cell });
    }
    return made;
  });
}
