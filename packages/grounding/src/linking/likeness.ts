import { editDistance } from './edit-distance.ts';
import { areKnownEquivalents } from './known-equivalents.ts';
import { type SurfaceForms, surfaceForms } from './surface-forms.ts';
import { alignWords, isSubsequence } from './word-likeness.ts';

/** In what two texts differ; `none` where they have nothing to do with each other. */
export type LikenessKind =
  | 'same'
  | 'case'
  | 'blanks or marks'
  | 'accents'
  | 'word order'
  | 'number'
  | 'known equivalent'
  | 'contained'
  | 'abbreviation'
  | 'initials'
  | 'typo'
  | 'sounds alike'
  | 'none';

export interface Likeness {
  /** From 0 to 1; 1 for the same text only. */
  readonly score: number;
  readonly how: LikenessKind;
}

/** Kinds with a score of their own: what differs is spelling alone. The others depend on how much differs. */
export const LIKENESS_SCORES = {
  same: 1,
  case: 0.98,
  'blanks or marks': 0.95,
  accents: 0.94,
  'word order': 0.92,
  number: 0.9,
  'known equivalent': 0.88,
} as const satisfies Partial<Record<LikenessKind, number>>;

const NONE: Likeness = { score: 0, how: 'none' };

/** The initials of the other text; and those with which the other's begin, or the reverse: `USA`, `United States`. */
const INITIALS_SCORE = 0.82;
const PART_INITIALS_SCORE = 0.6;
/** A short code whose letters stand in the other text in this order, the first one first: `SFO` of `San Francisco`. */
const CODE_SCORE = 0.55;
const MAX_CODE_LENGTH = 5;
/** Shorter pieces are in every text. */
const MIN_CONTAINED_LENGTH = 3;
/** Edits for each character of the longer text, beyond which two texts are no misspelling of each other. */
const MAX_EDIT_SHARE = 0.4;

/**
 * Says how likely two texts mean the same thing, and in what they differ. It reads letters, not meanings; names that
 * general knowledge connects stand in a table (`areKnownEquivalents`). Symmetric, deterministic; texts are compared by
 * their first 200 characters. Forms that were made before can be passed to save time.
 */
export function likeness(a: string | SurfaceForms, b: string | SurfaceForms): Likeness {
  const left = typeof a === 'string' ? surfaceForms(a) : a;
  const right = typeof b === 'string' ? surfaceForms(b) : b;
  return spelledAlike(left, right) ?? partlyAlike(left, right);
}

/** The same but for case, blanks, marks, accents, the order of words, a plural or a name of general knowledge. */
function spelledAlike(a: SurfaceForms, b: SurfaceForms): Likeness | undefined {
  if (a.text === b.text) return exactly('same');
  if (a.lower === b.lower) return exactly('case');
  if (a.squashed === '' || b.squashed === '') return NONE;
  if (a.squashed === b.squashed)
    return exactly(a.folded === b.folded && !differInBlanks(a, b) ? 'accents' : 'blanks or marks');
  if (a.words.length > 1 && a.sortedWords === b.sortedWords) return exactly('word order');
  if (a.singular !== '' && a.singular === b.singular) return exactly('number');
  if (areKnownEquivalents(a.squashed, b.squashed)) return exactly('known equivalent');
  return undefined;
}

function exactly(how: keyof typeof LIKENESS_SCORES): Likeness {
  return { score: LIKENESS_SCORES[how], how };
}

function differInBlanks(a: SurfaceForms, b: SurfaceForms): boolean {
  return a.lower.normalize('NFC').length !== b.lower.normalize('NFC').length;
}

function partlyAlike(a: SurfaceForms, b: SurfaceForms): Likeness {
  if (!shareLetters(a.letters, b.letters)) return NONE;
  const [first, second] = a.folded <= b.folded ? [a, b] : [b, a];
  const [short, long] = first.squashed.length <= second.squashed.length ? [first, second] : [second, first];
  let best = NONE;
  for (const found of [contained(short, long), misspelled(short, long), code(short, long), sounds(short, long)])
    if (found.score > best.score) best = found;
  if (first.words.length > 1 || second.words.length > 1) {
    const aligned = alignWords(first, second);
    if (aligned.score > best.score) best = aligned;
  } else {
    const word = alignWords(first, second);
    if (word.how === 'abbreviation' && word.score > best.score) best = word;
  }
  return best;
}

/** A cheap no for most pairs: of the characters of one, a third at most may be missing in the other. */
function shareLetters(a: number, b: number): boolean {
  const missing = Math.min(countBits(a & ~b), countBits(b & ~a));
  return missing <= 1 || missing * 3 <= Math.min(countBits(a), countBits(b));
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** `Jet Blue` begins `JetBlue Airways`; a piece from the middle says less. */
function contained(short: SurfaceForms, long: SurfaceForms): Likeness {
  if (short.squashed.length < MIN_CONTAINED_LENGTH || isNumber(short.squashed)) return NONE;
  const at = long.squashed.indexOf(short.squashed);
  if (at < 0) return NONE;
  const share = short.squashed.length / long.squashed.length;
  return { score: (at === 0 ? 0.55 : 0.42) + 0.35 * share, how: 'contained' };
}

function misspelled(short: SurfaceForms, long: SurfaceForms): Likeness {
  const length = long.squashed.length;
  if (length < 3 || isNumber(short.squashed)) return NONE;
  const edits = editDistance(short.squashed, long.squashed, Math.max(1, Math.floor(length * MAX_EDIT_SHARE)));
  return Number.isFinite(edits) ? { score: 0.95 * (1 - edits / length), how: 'typo' } : NONE;
}

function isNumber(squashed: string): boolean {
  return /^-?[\d.]+%?$/.test(squashed);
}

function code(short: SurfaceForms, long: SurfaceForms): Likeness {
  const letters = short.squashed;
  if (letters.length < 2 || letters.length > MAX_CODE_LENGTH || short.words.length > 2) return NONE;
  if (long.initials.includes(letters)) return { score: INITIALS_SCORE, how: 'initials' };
  if (long.initials.some((initials) => initials.length > 1 && isStart(initials, letters)))
    return { score: PART_INITIALS_SCORE, how: 'initials' };
  const isCode =
    short.words.length === 1 && letters[0] === long.squashed[0] && long.squashed.length >= letters.length * 2;
  if (!isCode || !isSubsequence(letters, long.squashed)) return NONE;
  return { score: CODE_SCORE + (long.squashed.endsWith(letters.slice(-1)) ? 0.03 : 0), how: 'initials' };
}

function isStart(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function sounds(short: SurfaceForms, long: SurfaceForms): Likeness {
  if (short.skeleton.length < 2 || short.skeleton !== long.skeleton) return NONE;
  return { score: 0.55 + 0.18 * (short.squashed.length / long.squashed.length), how: 'sounds alike' };
}
