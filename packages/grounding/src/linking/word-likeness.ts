import { editDistance } from './edit-distance.ts';
import { areKnownEquivalents } from './known-equivalents.ts';
import { SMALL_WORDS, type SurfaceForms, singularOf } from './surface-forms.ts';

/** What two words have in common. */
type WordKind = 'same' | 'number' | 'known equivalent' | 'abbreviation' | 'typo' | 'none';

/** How alike two lists of words are, and the least exact kind among the pairs that were made. */
interface WordAlignment {
  readonly score: number;
  readonly how: 'abbreviation' | 'contained' | 'known equivalent' | 'typo' | 'none';
}

/** Longer texts are aligned by their first words. */
const MAX_WORDS = 16;
/** Words that are less alike are not paired. */
const LEAST_PAIR = 0.6;
/** What an alignment in which each word has an exact counterpart would score. */
const BEST_ALIGNMENT = 0.9;
/** What is left of the score of the better covered side when nothing of the other side were covered. */
const CONTAINED_SHARE = 0.5;

interface Pair {
  readonly left: number;
  readonly right: number;
  readonly score: number;
  readonly how: WordKind;
}

/** Pairs each word with its best counterpart, exact pairs first; long words weigh more, small words hardly anything. */
export function alignWords(a: SurfaceForms, b: SurfaceForms): WordAlignment {
  const left = a.words.slice(0, MAX_WORDS);
  const right = b.words.slice(0, MAX_WORDS);
  const pairs = bestPairs(left, right);
  const coverA = coverage(left, pairs, 'left');
  const coverB = coverage(right, pairs, 'right');
  const high = Math.max(coverA, coverB);
  const low = Math.min(coverA, coverB);
  if (high === 0) return { score: 0, how: 'none' };
  return { score: BEST_ALIGNMENT * high * (CONTAINED_SHARE + (1 - CONTAINED_SHARE) * low), how: kindOf(pairs) };
}

function bestPairs(left: readonly string[], right: readonly string[]): readonly Pair[] {
  const candidates: Pair[] = [];
  left.forEach((leftWord, leftAt) => {
    right.forEach((rightWord, rightAt) => {
      const { score, how } = wordLikeness(leftWord, rightWord);
      if (score >= LEAST_PAIR) candidates.push({ left: leftAt, right: rightAt, score, how });
    });
  });
  candidates.sort((x, y) => y.score - x.score || Math.abs(x.left - x.right) - Math.abs(y.left - y.right));
  const leftTaken = new Set<number>();
  const rightTaken = new Set<number>();
  return candidates.filter((pair) => {
    if (leftTaken.has(pair.left) || rightTaken.has(pair.right)) return false;
    leftTaken.add(pair.left);
    rightTaken.add(pair.right);
    return true;
  });
}

function coverage(words: readonly string[], pairs: readonly Pair[], side: 'left' | 'right'): number {
  let all = 0;
  let covered = 0;
  const score = new Map(pairs.map((pair) => [pair[side], pair.score]));
  words.forEach((word, at) => {
    const weight = SMALL_WORDS.has(word) ? 0.5 : word.length;
    all += weight;
    covered += weight * (score.get(at) ?? 0);
  });
  return all === 0 ? 0 : covered / all;
}

function kindOf(pairs: readonly Pair[]): WordAlignment['how'] {
  for (const how of ['typo', 'abbreviation', 'known equivalent'] as const)
    if (pairs.some((pair) => pair.how === how)) return how;
  return 'contained';
}

/** Compares two folded words. Symmetric. */
function wordLikeness(a: string, b: string): { readonly score: number; readonly how: WordKind } {
  if (a === b) return { score: 1, how: 'same' };
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length > 3 && singularOf(a) === singularOf(b)) return { score: 0.98, how: 'number' };
  if (short.length > 1 && areKnownEquivalents(a, b)) return { score: 0.9, how: 'known equivalent' };
  if (/\d/.test(short)) return numbersAlike(short, long);
  const abbreviated = abbreviationScore(short, long);
  const typed = typoScore(short, long);
  return abbreviated >= typed
    ? { score: abbreviated, how: abbreviated === 0 ? 'none' : 'abbreviation' }
    : { score: typed, how: 'typo' };
}

/** Another digit is another number, but a long one may have been mistyped. */
function numbersAlike(short: string, long: string): { readonly score: number; readonly how: WordKind } {
  const score = short.length >= 5 ? typoScore(short, long) * 0.8 : 0;
  return { score, how: score > 0 ? 'typo' : 'none' };
}

/** `info` of `information`, `j` of `john`, `dept` of `department`; the first letter must be the same. */
function abbreviationScore(short: string, long: string): number {
  if (short[0] !== long[0]) return 0;
  const share = short.length / long.length;
  if (long.startsWith(short)) return short.length === 1 ? 0.62 : 0.78 + 0.2 * share;
  if (short.length >= 3 && short === withoutVowels(long)) return 0.9;
  return short.length >= 2 && share <= 0.7 && isSubsequence(short, long) ? 0.68 + 0.15 * share : 0;
}

/** `philippines` is `phlppns`; a first vowel stays. */
function withoutVowels(word: string): string {
  return word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, '');
}

function typoScore(short: string, long: string): number {
  if (short.length < 3) return 0;
  const edits = editDistance(short, long, Math.max(1, Math.floor(long.length * 0.34)));
  return Number.isFinite(edits) ? 1 - edits / long.length : 0;
}

/** Whether the characters of one stand in the other in the same order. */
export function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (let next = 0; next < long.length && at < short.length; next += 1) if (long[next] === short[at]) at += 1;
  return at === short.length;
}
