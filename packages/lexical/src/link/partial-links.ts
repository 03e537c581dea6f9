import { lemma } from '../tokenise/lemma.ts';
import type { TermLink } from './links.ts';
import type { AttributeEntry, NameEntry, Vocabulary } from './vocabulary.ts';

const PARTIAL = 0.4;
const MISSING_WORD = 0.08;
const COMPOUND = 0.4;
/** Words that occur in so many names that a part of a name says nothing. */
const MAX_NAMES = 400;
/** No part of a name by themselves: the "from" of `start_from`. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'in on at by to from with of for as and or not no is be do have the a an per than more most less least many much all each every any some this that these those who which what how where when'.split(
    ' ',
  ),
);
/** These never stand for a longer name by themselves: "name" alone does not mean `first_name` more than `last_name`. */
const TOO_GENERAL: ReadonlySet<string> = new Set(
  ['id', 'name', 'code', 'number', 'type', 'detail', 'date', 'no', 'value', 'key', 'description'].map(lemma),
);

/**
 * Links of words that are a part of a longer name: "phone" for `home_phone_line`, "hero" for `superhero`. Dear, so that
 * a whole name always wins.
 */
export function partialLinks(words: readonly string[], vocabulary: Vocabulary): TermLink[] {
  const [first, ...rest] = words;
  if (first === undefined || words.length > 3 || words.some((word) => FUNCTION_WORDS.has(word))) return [];
  const named = vocabulary.withWord(first);
  const wanted = new Set(words);
  const links: TermLink[] = [];
  const general = words.length === 1 && TOO_GENERAL.has(first);
  if (named.length <= MAX_NAMES) {
    for (const entry of named) {
      if (entry.kind !== 'attribute' || entry.foreignKey !== undefined) continue;
      const parts = entry.words.every((word) => !wanted.has(word)) ? entry.plainWords : entry.words;
      if (parts.length <= words.length || !rest.every((word) => parts.includes(word))) continue;
      const missing = parts.length - words.length;
      links.push(attributeLink(entry, PARTIAL + MISSING_WORD * missing + (general ? 0.25 : 0)));
    }
  }
  if (rest.length === 0 && named.length === 0) links.push(...compoundLinks(first, vocabulary));
  return links;
}

/** A relation whose one word ends with this one. */
function compoundLinks(word: string, vocabulary: Vocabulary): TermLink[] {
  if (word.length < 4) return [];
  return vocabulary.relations.flatMap((entry): TermLink[] => {
    const last = entry.words[entry.words.length - 1] ?? '';
    return endsCompound(entry, last, word) ? [{ kind: 'relation', relation: entry.relation.id, cost: COMPOUND }] : [];
  });
}

function endsCompound(entry: NameEntry, last: string, word: string): boolean {
  return entry.words.length === 1 && last.length - word.length >= 3 && last.endsWith(word);
}

function attributeLink(entry: AttributeEntry, cost: number): TermLink {
  return { kind: 'attribute', relation: entry.owner.relation.id, attribute: entry.attribute.id, cost };
}
