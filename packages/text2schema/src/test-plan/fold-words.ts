import { splitWords } from '@askema/grounding';

/**
 * The form under which two spellings of a name are one: case, blanks, underscores, hyphens, full-width letters and
 * English plurals do not count. A name without letters or digits stays what it is.
 */
export function foldWords(name: string): string {
  const folded = wordsOf(name).join('');
  return folded === '' ? name.trim() : folded;
}

/** Scripts without blanks between words: their characters are compared as they stand. */
const UNSPACED = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}';
const RUNS = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** The words of a name, plurals folded. Digits are words of their own, as `Address1` and `Address 1` are one name. */
export function wordsOf(name: string): string[] {
  const plain = name
    .normalize('NFKC')
    .replace(/(\p{L})(?=\p{N})/gu, '$1 ')
    .replace(/(\p{N})(?=\p{L})/gu, '$1 ');
  return (plain.match(RUNS) ?? []).flatMap((run) => (IS_UNSPACED.test(run) ? [run] : splitWords(run)));
}

const PREPOSITIONS: ReadonlySet<string> = new Set('in of to at by for from with on into is has the a an'.split(' '));
const ENDINGS: ReadonlySet<string> = new Set(
  ['', 'e', 's', 'es', 'd', 'ed', 'ing', 'ment', 'er', 'or', 'ion', 'ation', 'al', 'y', 'ie', 'ied'].values(),
);
/** Shorter beginnings are shared by words that have nothing to do with each other. */
const MIN_STEM_LENGTH = 4;

/**
 * True for forms of the same words: `Enrollment`, `enrolls in` and `enrolled` are. Only for names of relationships, and
 * only with notice.
 */
export function isWordForm(a: string, b: string): boolean {
  const left = contentWords(a);
  const right = contentWords(b);
  if (left.length === 0 || left.length !== right.length) return false;
  return left.every((word, at) => shareStem(word, right[at] ?? ''));
}

function contentWords(name: string): string[] {
  return wordsOf(name).filter((word) => !PREPOSITIONS.has(word));
}

function shareStem(a: string, b: string): boolean {
  if (a === b) return true;
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  for (let stem = length; stem >= Math.max(MIN_STEM_LENGTH, length - 1); stem -= 1)
    if (ENDINGS.has(a.slice(stem)) && ENDINGS.has(b.slice(stem))) return true;
  return false;
}
