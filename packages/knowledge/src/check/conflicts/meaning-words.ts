/** English words that say nothing about what is meant. */
const SMALL = new Set(
  (
    'a an the this that these those it its their they them he she his her and or but as if then than so ' +
    'to of in on at by for ' +
    'with from into over is are was were be been being has have had do does did will would should must may might can ' +
    'each any all some every such which who whom whose where when while also just only both same other how what ' +
    'we you your our us i me please there here not no within ve s t re ll'
  ).split(' '),
);

/** Words of instructions: how something is computed or shown, not what. */
const COMMANDS: ReadonlySet<string> = new Set(
  (
    'calculate compute determine define get find show list give return obtain derive measure assess identify ' +
    'use base consider follow follows express call refer mean means set take ' +
    'make do given specific specified certain particular selected respective total overall'
  )
    .split(' ')
    .map(stemOf),
);

/** Words of business English that stand for one thing. */
const ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'average avg mean',
    'number count counts',
    'latest recent newest',
    'highest top largest greatest biggest',
    'lowest bottom smallest',
    'sale sell sold selling',
    'buy bought buying purchase purchased',
    'percent percentage pct',
    'ratio quotient',
    'month monthly',
    'day daily days',
    'year yearly annual',
    'week weekly',
    'client customer',
    'consume usage',
  ].flatMap((group) => {
    const [first = '', ...others] = group.split(' ');
    return others.map((other) => [stemOf(other), stemOf(first)] as const);
  }),
);

/** A word without its ending: `sales` is `sale`, `joining` and `joined` are `join`. For comparing only. */
export function stemOf(word: string): string {
  let stem = word.toLowerCase();
  if (stem.length > 3 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (stem.length > 3 && /[^su]s$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 7 && stem.endsWith('ation')) stem = stem.slice(0, -3);
  if (stem.length > 5 && stem.endsWith('ing')) stem = stem.slice(0, -3);
  else if (stem.length > 4 && stem.endsWith('ed')) stem = stem.slice(0, -2);
  if (/([^aeiouls])\1$/.test(stem)) stem = stem.slice(0, -1);
  return stem.length > 3 && stem.endsWith('e') ? stem.slice(0, -1) : stem;
}

/** What a text is about: stems of its words and numbers, each with the word as it is written. */
export type Meaning = ReadonlyMap<string, string>;

/** The meaning of an English text. `per user` and `for each user` are one word of their own, `per user`. */
export function meaningOf(text: string): Meaning {
  const found = new Map<string, string>();
  const rest = text
    .toLowerCase()
    .replace(/\b(?:per|(?:for |by |of |in )?(?:each|every))\s+([a-z]+)/g, (_, noun: string) => {
      found.set(`per ${wordOf(noun)}`, `per ${noun}`);
      return ' ';
    });
  for (const word of rest.replace(/'(?:s|ve|re|ll|t)\b/g, '').match(/[a-z]+|\d+(?:\.\d+)?/g) ?? [])
    if (/\d|../.test(word) && !isEmpty(word) && !found.has(wordOf(word))) found.set(wordOf(word), word);
  return found;
}

/** Words of `a`, as they are written, that `b` does not have; of those alone whose stem passes `counts`. */
export function without(a: Meaning, b: Meaning, counts: (stem: string) => boolean = () => true): string[] {
  const words: string[] = [];
  for (const [stem, word] of a) if (!b.has(stem) && counts(stem)) words.push(word);
  return words;
}

/** Of all words of both, the part that both have: 0 to 1. */
export function overlap(a: Meaning, b: Meaning): number {
  let shared = 0;
  for (const stem of a.keys()) if (b.has(stem)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** A word that tells nothing apart. */
export function isEmpty(word: string): boolean {
  return SMALL.has(word) || COMMANDS.has(stemOf(word));
}

/** The stem under which a word is compared; one for words that mean the same. */
export function wordOf(word: string): string {
  const stem = stemOf(word);
  return ALIKE[stem] ?? stem;
}
