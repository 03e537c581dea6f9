import { nearestNames } from '@askema/core';
import { splitWords } from '@askema/grounding';

/** The form under which names are one name: case, blanks, underscores, hyphens and full-width forms do not count. */
export function foldedName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase();
  const folded = plain.replace(/[\s_\-‐‑–—]+/gu, '');
  return folded === '' ? plain.trim() : folded;
}

/** Words that names share without being alike by them. */
const FILLERS: ReadonlySet<string> = new Set([
  'a',
  'an',
  'the',
  'of',
  'for',
  'in',
  'on',
  'to',
  'by',
  'with',
  'and',
  's',
]);

/**
 * A looser form: words in singular, without fillers. `Date of Birth` and `Dates of Birth` agree; `Birth Date` has the
 * same sorted form.
 */
export function wordForm(name: string, order: 'kept' | 'sorted' = 'kept'): string {
  const words = wordsOf(name).filter((word) => !FILLERS.has(word));
  return joined(order === 'sorted' ? words.sort() : words, name);
}

/** The words in singular, none left out: `Sell` and `Sell To` are two names, `Sells` and `sell` one. */
export function spokenForm(name: string): string {
  return joined(wordsOf(name), name);
}

/** In singular and small letters. */
function wordsOf(name: string): string[] {
  return splitWords(name.normalize('NFKC'));
}

/** A name without words has its folded form. */
function joined(words: readonly string[], name: string): string {
  return words.length === 0 ? foldedName(name) : words.join(' ');
}

/** What a name may mean, with the names under which it is known. */
export interface NamedThing<T> {
  readonly name: string;
  readonly value: T;
}

/**
 * A look-up by name: as it is written, else folded, else by its words in singular; a form that two things share counts
 * for the first of them, except for the words, where it must be one thing alone.
 */
export class NameLookup<T> {
  readonly #names: string[] = [];
  readonly #exact = new Map<string, T>();
  readonly #folded = new Map<string, T>();
  readonly #words = new Map<string, T | undefined>();

  constructor(things: Iterable<NamedThing<T>>) {
    for (const { name, value } of things) this.add(name, value);
  }

  add(name: string, value: T): void {
    this.#names.push(name);
    if (!this.#exact.has(name)) this.#exact.set(name, value);
    const folded = foldedName(name);
    if (!this.#folded.has(folded)) this.#folded.set(folded, value);
    const words = wordForm(name);
    if (!this.#words.has(words)) this.#words.set(words, value);
    else if (this.#words.get(words) !== value) this.#words.set(words, undefined);
  }

  find(name: string): T | undefined {
    return this.#exact.get(name) ?? this.#folded.get(foldedName(name)) ?? this.#words.get(wordForm(name));
  }

  /** Names that could have been meant, best first. */
  nearest(name: string): readonly string[] {
    return nearestNames(name, this.#names);
  }
}

/** A name as messages write it. */
export function quoted(name: string): string {
  return `\`${name}\``;
}

/** `a`, `b` and `c`. */
export function quotedList(names: readonly string[]): string {
  const all = names.map(quoted);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** “ Did you mean `a` and `b`?” with a blank before it, or nothing. */
export function hint(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : ` Did you mean ${quotedList(nearest)}?`;
}
