import { foldWords, isWordForm, wordsOf } from '../test-plan/fold-words.ts';

/** They only join the words of a name. */
const JOINING: ReadonlySet<string> = new Set('a an the of'.split(' '));
/** They tell nothing apart when words are counted. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an the of in on at by for from to with and or is was are be been has have its their his her'.split(' '),
);
/** Any thing has a date and a number: they say little about which fact is meant. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  'date datetime time day number no nr id identifier key name value record information info detail data count'.split(
    ' ',
  ),
);
const GENERAL_WEIGHT = 0.1;
/** Of another form of the same word: `returned` and `return`. */
const FORM_SHARE = 0.9;

/** The same name, but for case, blanks and plurals. */
export const SAME_NAME = 4;
/** The same words in another order, without articles and `of`. */
export const SAME_WORDS = 3;
/** The same with the name of its owner in front. */
export const SAME_WITH_OWNER = 2;
/** Fewer words in common are no likeness: a wrong place is worse than none. */
export const MIN_SHARE = 0.7;
/** By how much the best share must be ahead. */
const CLEAR_LEAD = 0.15;

/** How alike two names are: one of the three levels above, else the share of their words (0 to 1). */
export function likeness(wanted: string, name: string, owners: readonly string[] = []): number {
  if (foldWords(wanted) === foldWords(name)) return SAME_NAME;
  const [left, right] = [bagOf(wanted), bagOf(name)];
  if (left === '' || right === '') return 0;
  if (left === right) return SAME_WORDS;
  const hasOwner = owners.some((owner) => bagOf(`${owner} ${wanted}`) === right || bagOf(`${owner} ${name}`) === left);
  return hasOwner ? SAME_WITH_OWNER : shareOfWords(wanted, name);
}

/** The words of a name, without possessives. */
export function plainWords(name: string): string[] {
  return wordsOf(name.replace(/['’]s?(?=\s|$)/gu, ''));
}

/** Words that say which fact is meant; empty where there are general words alone. */
export function tellingWords(name: string): string[] {
  return plainWords(name).filter((word) => !STOP_WORDS.has(word) && !GENERAL_WORDS.has(word));
}

function bagOf(name: string): string {
  return plainWords(name)
    .filter((word) => !JOINING.has(word))
    .sort()
    .join(' ');
}

function shareOfWords(wanted: string, name: string): number {
  const [left, right] = [wanted, name].map((text) => plainWords(text).filter((word) => !STOP_WORDS.has(word)));
  const free = [...(right ?? [])];
  let common = 0;
  let isTelling = false;
  for (const word of left ?? []) {
    const same = free.indexOf(word);
    const at = same >= 0 ? same : free.findIndex((other) => isWordForm(word, other));
    if (at < 0) continue;
    free.splice(at, 1);
    common += weightOf(word) * (same >= 0 ? 1 : FORM_SHARE);
    isTelling ||= !GENERAL_WORDS.has(word);
  }
  const apart = (left ?? []).some((word) => GENERAL_WORDS.has(word) && !(right ?? []).includes(word));
  // A number of something is not its date.
  if (!isTelling || (apart && free.some((word) => GENERAL_WORDS.has(word)))) return 0;
  const all = [...(left ?? []), ...free].reduce((sum, word) => sum + weightOf(word), 0);
  return common / all;
}

function weightOf(word: string): number {
  return GENERAL_WORDS.has(word) ? GENERAL_WEIGHT : 1;
}

/**
 * Who gets what, each at most once: level by level, and only where both sides leave no doubt.
 *
 * @param like how alike the two are, as {@link likeness} counts
 */
export function pairUp<W, C>(
  wanted: readonly W[],
  candidates: readonly C[],
  like: (wanted: W, candidate: C) => number,
): Map<W, C> {
  const pairs = new Map<W, C>();
  const taken = new Set<C>();
  for (const level of [SAME_NAME, SAME_WORDS, SAME_WITH_OWNER, MIN_SHARE]) {
    const asking = wanted.filter((one) => !pairs.has(one));
    const best = asking.map((one) =>
      clearlyBest(
        one,
        candidates.filter((candidate) => !taken.has(candidate)),
        like,
        level,
      ),
    );
    for (const [at, one] of asking.entries()) {
      const candidate = best[at];
      if (candidate === undefined || best.filter((other) => other === candidate).length > 1) continue;
      pairs.set(one, candidate);
      taken.add(candidate);
    }
  }
  return pairs;
}

function clearlyBest<W, C>(
  wanted: W,
  candidates: readonly C[],
  like: (wanted: W, candidate: C) => number,
  level: number,
): C | undefined {
  const scored = candidates
    .map((candidate) => ({ candidate, score: like(wanted, candidate) }))
    .filter(({ score }) => score >= level)
    .sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  if (first === undefined) return undefined;
  return second === undefined || first.score - second.score >= CLEAR_LEAD ? first.candidate : undefined;
}
