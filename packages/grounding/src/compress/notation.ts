import type { Brackets } from './name-patterns.ts';
import type { Sheet } from './relation-sheet.ts';

/** Types are shortened only where this many characters are saved; small schemas stay as they are. */
const MIN_TYPE_CHARACTERS = 1_000;

/** How names and types are shortened in one text, and which of it was used. */
export interface Notation {
  readonly brackets: Brackets | undefined;
  /** Short forms of types: `NUMBER` for `NUMBER(38,0)`. */
  readonly types: ReadonlyMap<string, string>;
  readonly used: Used;
}

/** Which forms a text has. */
interface Used {
  ranges: boolean;
  lists: boolean;
  /** One pattern for several relations. */
  parts: boolean;
  like: boolean;
  brief: boolean;
}

export function nothingUsed(): Used {
  return { ranges: false, lists: false, parts: false, like: false, brief: false };
}

/** `brackets` are those of the whole catalog, also where a text shows a part of it. */
export function makeNotation(shown: readonly Sheet[], brackets: Brackets | undefined): Notation {
  return { brackets, types: shortTypes(shown), used: nothingUsed() };
}

/** Everything as it is: nothing to explain. */
export function plainNotation(): Notation {
  return { brackets: undefined, types: new Map(), used: nothingUsed() };
}

/**
 * For each word that types begin with, the most common type with parameters stands under that word alone, as far as no
 * column has the bare type.
 */
function shortTypes(sheets: readonly Sheet[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { columns } of sheets) for (const { type } of columns) counts.set(type, (counts.get(type) ?? 0) + 1);
  const short = new Map<string, { readonly type: string; readonly saved: number }>();
  for (const [type, count] of counts) {
    const [, word] = /^(\w+)\([\d, ]+\)$/.exec(type) ?? [];
    if (word === undefined || counts.has(word)) continue;
    const saved = count * (type.length - word.length);
    if (saved > (short.get(word)?.saved ?? 0)) short.set(word, { type, saved });
  }
  const total = [...short.values()].reduce((sum, { saved }) => sum + saved, 0);
  return new Map(total < MIN_TYPE_CHARACTERS ? [] : [...short].map(([word, { type }]) => [type, word]));
}

/** What a reader must know, in one line for each form that the text uses. */
export function legend({ brackets, types, used }: Notation): string[] {
  const lines: string[] = [];
  if (used.ranges && brackets !== undefined) {
    const { open, close } = brackets;
    lines.push(
      `-- ${open}1..3,7${close} inside a name stands for one name with each of 1, 2, 3, 7. Dates count in days (${open}20160228..20160301${close}) or months (${open}201611..201702${close}). Write real names in SQL.`,
    );
  }
  if (used.lists)
    lines.push('-- Relations listed in one CREATE have the same columns and stand in the same schema as the first.');
  if (used.parts)
    lines.push(
      '-- Relations under one pattern hold parts of one thing, each its own: UNION ALL those that a question is about.',
    );
  if (used.like)
    lines.push(
      '-- LIKE t: the columns of t, except those named in WITHOUT; columns in the brackets are added, or replace those of the same name.',
    );
  if (used.brief)
    lines.push('-- Where the columns stand on one line, only their names are shown, and what they refer to.');
  if (types.size > 0) lines.push(`-- Types: ${[...types].map(([type, word]) => `${word} is ${type}`).join(', ')}.`);
  return lines.length === 0 ? [] : [lines.join('\n')];
}
