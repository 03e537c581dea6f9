import { knownEquivalents, surfaceForms } from '@askema/grounding';

/** How the words of a person differ from what is stored. */
export const MISMATCH_KINDS = [
  'case',
  'plural',
  'abbreviation',
  'synonym',
  'typo',
  'word order',
  'dropped part',
] as const;
export type MismatchKind = (typeof MISMATCH_KINDS)[number];

type Random = () => number;

/** Forms of a text as a person may write it; none where the rule does not fit. Each differs from the text. */
export function variantsOf(value: string, kind: MismatchKind): readonly string[] {
  const text = value.trim();
  const forms = RULES[kind](text).map((form) => form.trim());
  return [...new Set(forms)].filter((form) => form !== '' && form !== text);
}

/** One variant of a kind; undefined where there is none. */
export function varyValue(value: string, kind: MismatchKind, random: Random): string | undefined {
  const forms = variantsOf(value, kind);
  return forms[Math.floor(random() * forms.length)];
}

const RULES: Readonly<Record<MismatchKind, (text: string) => readonly string[]>> = {
  case: (text) => [text.toLowerCase(), text.toUpperCase(), capitals(text)],
  plural: (text) =>
    withLastWord(text, (word) => [word.endsWith('s') ? word.replace(/(?<=[^s])s$/, '') : pluralOf(word)]),
  abbreviation: (text) => [...initials(text), ...shortened(text)],
  // Of longer names only the letters are known, without their blanks.
  synonym: (text) =>
    knownEquivalents(surfaceForms(text).squashed)
      .filter((name) => name.length <= 3)
      .map((name) => name.toUpperCase()),
  typo: misspelt,
  'word order': (text) => {
    const words = wordsOf(text);
    if (words.length < 2 || words.length > 4 || !words.every(isWord)) return [];
    return [`${words.at(-1)}, ${words.slice(0, -1).join(' ')}`, `${words.slice(1).join(' ')} ${words[0]}`];
  },
  'dropped part': (text) => {
    const words = wordsOf(text);
    if (words.length < 2) return [];
    return [words.slice(0, -1), words.slice(1)].map((left) => left.join(' ')).filter((left) => /\p{L}{4}/u.test(left));
  },
};

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/);
}

function isWord(text: string): boolean {
  return /^[\p{L}.'-]+$/u.test(text);
}

function capitals(text: string): string {
  return text.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

function withLastWord(text: string, formsOf: (word: string) => readonly string[]): readonly string[] {
  const [, head = '', word = ''] = /^(.*?)(\p{Ll}{3,}|\p{Lu}\p{Ll}{2,})$/su.exec(text) ?? [];
  return word === '' ? [] : formsOf(word).map((form) => head + form);
}

function pluralOf(word: string): string {
  if (/(?:x|z|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** `ANC` of African National Congress. */
function initials(text: string): readonly string[] {
  const words = wordsOf(text).filter((word) => !/^(?:of|the|and|for|in|on|a|an)$/i.test(word));
  const letters = words.map((word) => /^\p{L}/u.exec(word)?.[0] ?? '').join('');
  return words.length >= 3 && letters.length === words.length ? [letters.toUpperCase()] : [];
}

/** `Comp. Science`, `T. Casey`. */
function shortened(text: string): readonly string[] {
  const words = wordsOf(text);
  const at = words.findIndex((word) => /^\p{L}{6,}$/u.test(word));
  const cut = at < 0 ? [] : [words.map((word, place) => (place === at ? `${word.slice(0, 4)}.` : word)).join(' ')];
  const [first = '', last] = words;
  const initial = words.length === 2 && isWord(first) && first.length > 2 ? [`${first[0]}. ${last}`] : [];
  return [...cut, ...initial];
}

/** Two letters swapped, one left out or one doubled, inside of a word of five letters or more. */
function misspelt(text: string): readonly string[] {
  const places = [...text.matchAll(/\p{L}{5,}/gu)].flatMap(({ index, 0: word }) =>
    Array.from({ length: word.length - 3 }, (_, at) => index + 1 + at),
  );
  return places.flatMap((at) => {
    const [before, letter = '', next = '', after] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)];
    return [before + next + letter + after, before + next + after, before + letter + letter + next + after];
  });
}
