import { pick, seededRandom } from './random.ts';

const STARTS = 'b c d f g h j k l m n p r s t v w z br ch cl cr dr fl gr kl pr sch sh sl st th tr'.split(' ');
const VOWELS = 'a e i o u ai ea ee ie io oa ou y é ö'.split(' ');
const ENDS = ['', '', '', 'l', 'm', 'n', 'r', 's', 't', 'ck', 'ng', 'nd', 'rt', 'st', 'x', 'll'];
const KINDS = [
  'Street',
  'Avenue',
  'Road',
  'Company',
  'Inc',
  'Ltd',
  'College',
  'School',
  'Hospital',
  'Group',
  'Department',
];
const LEXICON = 20_000;

/**
 * Distinct values like those of names, places, organisations, addresses and codes: words of a lexicon, of which some
 * are far more frequent than others.
 */
export function* generateValues(count: number, seed: number): Generator<string> {
  const random = seededRandom(seed);
  const words = lexicon(random);
  const word = (): string => words[Math.floor(words.length * random() ** 2.2)] ?? '';
  const name = (): string => word().replace(/^./u, (letter) => letter.toUpperCase());
  const digits = (most: number): number => Math.floor(random() * most);
  const seen = new Set<string>();
  while (seen.size < count) {
    const value = one(random(), { name, digits, random, prefix: () => word().slice(0, 3).toUpperCase() });
    if (seen.has(value)) continue;
    seen.add(value);
    yield value;
  }
}

interface Parts {
  readonly name: () => string;
  readonly prefix: () => string;
  readonly digits: (most: number) => number;
  readonly random: () => number;
}

function one(kind: number, { name, prefix, digits, random }: Parts): string {
  if (kind < 0.35) return `${name()} ${name()}`;
  if (kind < 0.5) return `${name()} ${name()} ${name()}`;
  if (kind < 0.65) return `${name()} ${name()} ${pick(KINDS, random)}`;
  if (kind < 0.75) return `University of ${name()} ${name()}`;
  if (kind < 0.85) return `${prefix()}-${digits(1_000_000)}`;
  if (kind < 0.93) return `${digits(9_000)} ${name()} ${pick(KINDS.slice(0, 3), random)}`;
  return `${name()}, ${name()} O'${name()}`;
}

function lexicon(random: () => number): readonly string[] {
  const words = new Set<string>();
  while (words.size < LEXICON) {
    let word = '';
    for (let syllables = 1 + Math.floor(random() * 3); syllables > 0; syllables -= 1)
      word += pick(STARTS, random) + pick(VOWELS, random);
    word += pick(ENDS, random);
    if (word.length > 2) words.add(word);
  }
  return [...words];
}
