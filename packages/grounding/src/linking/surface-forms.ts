import { splitWords } from '../words/split-words.ts';

/** Longer texts are compared by their beginning. */
export const MAX_SURFACE_CHARACTERS = 200;

/**
 * A text in the forms in which texts are compared. Each form drops a little more than the one before. Forms are made
 * when they are first read, so that comparing many cells costs little.
 */
export interface SurfaceForms {
  /** The text itself, whole. */
  readonly text: string;
  /** The first {@link MAX_SURFACE_CHARACTERS} characters in lower case. */
  readonly lower: string;
  /**
   * Lower case without accents, trimmed, a run of blanks as one. Compatibility forms are one (full width, ligatures).
   */
  readonly folded: string;
  /**
   * The words of `folded` in their order. Apostrophes and the dots of `U.S.A.` are dropped. Signs that tell values
   * apart stay: `a+`, `b-`, `c#`, `-5`, `1.5`.
   */
  readonly words: readonly string[];
  /** The words without anything between them; `folded` where there are no words (`***`). */
  readonly squashed: string;
  /** The words in alphabetical order, with blanks between: `Casey, Todd` is `Todd Casey`. */
  readonly sortedWords: string;
  /** The words in the singular, in alphabetical order. */
  readonly singular: string;
  /**
   * First letters of the words, then those without small words: `Bachelor of Science` gives `bos`, `bs`. Empty for one
   * word.
   */
  readonly initials: readonly string[];
  /** Its consonants by their sound, the first letter kept: `Dean` and `Daan` are `dn`. */
  readonly skeleton: string;
  /** A set of the characters of `squashed` in 31 bits; different characters may share a bit. */
  readonly letters: number;
}

/** Words that do not tell cells apart and that initials may leave out. */
export const SMALL_WORDS: ReadonlySet<string> = new Set([
  'of',
  'the',
  'and',
  'for',
  'in',
  'on',
  'at',
  'a',
  'an',
  'de',
  'la',
  'del',
]);

/** The forms of a text of any script. Linear in its length, which is cut. */
export function surfaceForms(text: string): SurfaceForms {
  return new LazyForms(text);
}

class LazyForms implements SurfaceForms {
  readonly text: string;
  #lower: string | undefined;
  #folded: string | undefined;
  #words: readonly string[] | undefined;
  #squashed: string | undefined;
  #sortedWords: string | undefined;
  #singular: string | undefined;
  #initials: readonly string[] | undefined;
  #skeleton: string | undefined;
  #letters: number | undefined;

  constructor(text: string) {
    this.text = text;
  }
  get lower(): string {
    this.#lower ??= cut(this.text).toLowerCase();
    return this.#lower;
  }
  get folded(): string {
    this.#folded ??= fold(this.lower);
    return this.#folded;
  }
  get words(): readonly string[] {
    this.#words ??= wordsOf(this.folded);
    return this.#words;
  }
  get squashed(): string {
    this.#squashed ??= this.words.length === 0 ? this.folded : this.words.join('');
    return this.#squashed;
  }
  get sortedWords(): string {
    this.#sortedWords ??= [...this.words].sort().join(' ');
    return this.#sortedWords;
  }
  get singular(): string {
    this.#singular ??= this.words.map(singularOf).sort().join(' ');
    return this.#singular;
  }
  get initials(): readonly string[] {
    this.#initials ??= initialsOf(this.words);
    return this.#initials;
  }
  get skeleton(): string {
    this.#skeleton ??= skeletonOf(this.squashed);
    return this.#skeleton;
  }
  get letters(): number {
    this.#letters ??= lettersOf(this.squashed);
    return this.#letters;
  }
}

/** Never between the halves of a character. */
function cut(text: string): string {
  if (text.length <= MAX_SURFACE_CHARACTERS) return text;
  const last = text.charCodeAt(MAX_SURFACE_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_SURFACE_CHARACTERS - 1 : MAX_SURFACE_CHARACTERS);
}

/** Beyond ASCII. */
const NEEDS_FOLDING = /\P{ASCII}/u;
/** The marks that Latin, Greek and Cyrillic letters carry. Those of other scripts are letters in their own right. */
const ACCENTS = /[\u0300-\u036f]+/gu;
/** Letters that Unicode does not take apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ı: 'i',
};

function fold(lower: string): string {
  const plain = NEEDS_FOLDING.test(lower)
    ? lower
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[øłđðþæœßı]/gu, (letter) => PLAIN_LETTERS[letter] ?? letter)
    : lower;
  return plain.replace(/\s+/gu, ' ').trim();
}

const APOSTROPHES = /['\u2018\u2019\u02bc`]/gu;
function wordsOf(folded: string): readonly string[] {
  // `u.s.a.`
  const dotted = /(?<!\p{L})(?:\p{L}\.){2,}/gu;
  // A minus before a number at the start of a word, decimals, and what grades and names of languages end with.
  const word = /(?:(?<=^|\s)-(?=\p{N}))?[\p{L}\p{N}\p{M}]+(?:(?<=\p{N})\.\p{N}+)?(?:[+#%]+|-(?=\s|$))?/gu;
  const text = folded.replace(APOSTROPHES, '').replace(dotted, (letters) => `${letters.replaceAll('.', '')} `);
  return text.match(word) ?? [];
}

/** A word without its English plural ending, as {@link splitWords} folds it. */
export function singularOf(word: string): string {
  return word.endsWith('s') && word.length > 3 ? splitWords(word).join('') : word;
}

function initialsOf(words: readonly string[]): readonly string[] {
  if (words.length < 2) return [];
  const first = (some: readonly string[]): string => some.map((word) => [...word][0]).join('');
  const all = first(words);
  const main = first(words.filter((word) => !SMALL_WORDS.has(word)));
  return main === all || main.length < 2 ? [all] : [all, main];
}

/** Sounds that are written in several ways. */
function skeletonOf(squashed: string): string {
  if (!/^[a-z]/.test(squashed)) return '';
  const sounds = squashed
    .replace(/ph/g, 'f')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/ck|[cq]/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/z/g, 's')
    .replace(/w/g, 'v');
  const rest = sounds.slice(1).replace(/[aeiouyh]+/g, '');
  return `${sounds[0]}${rest}`.replace(/(.)\1+/gu, '$1');
}

function lettersOf(squashed: string): number {
  let set = 0;
  for (let at = 0; at < squashed.length; at += 1) {
    const code = squashed.charCodeAt(at);
    // a-z have a bit each; digits share the other five.
    set |= 1 << (code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? 26 + (code % 5) : code % 31);
  }
  return set;
}
