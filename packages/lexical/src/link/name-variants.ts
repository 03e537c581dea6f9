import { GENERIC_ENDINGS, UNIT_ENDINGS } from '../lexicon/name-words.ts';
import { lemma } from '../tokenise/lemma.ts';
import type { TermLink } from './links.ts';
import type { AttributeEntry, NameEntry, RelationEntry } from './vocabulary.ts';

/** Words under which a name is known, and the link that they make. */
export interface NameVariant {
  readonly words: readonly string[];
  readonly link: TermLink;
}

const EXPANDED = 0.02;
const WITHOUT_PREFIX = 0.03;
const WITHOUT_UNIT = 0.05;
const WITHOUT_ENDING = 0.25;
/** An order is known by its number rather than by its date. */
const NOT_ITS_NAME = 0.15;
const WITH_NAME = 0.15;
const RELATION_TAIL = 0.22;
/** A key column that shows a number means what it points to; one that shows text is read as it stands. */
const UNLIKELY_SIDE_OF_KEY = 0.3;
/** The key of another entity is rather that entity's own. */
const KEY_ELSEWHERE = 0.15;
/** `hero_id` is the key of a hero, whatever its table is called. */
const KEY_OF = 0.15;
const ROLE = 0.1;

const NAME = lemma('name');
const KEY_ENDINGS: ReadonlySet<string> = new Set(['id', 'code', 'number', 'key', 'no', 'num', 'fk', 'uid'].map(lemma));

/** All ways of saying a name that use whole words of it. */
export function variantsOf(entry: NameEntry): readonly NameVariant[] {
  return entry.kind === 'relation' ? relationVariants(entry) : attributeVariants(entry);
}

function relationVariants({ relation, words, plainWords, placeWords }: RelationEntry): NameVariant[] {
  const link = (cost: number): TermLink => ({ kind: 'relation', relation: relation.id, cost });
  const variants: NameVariant[] = [{ words, link: link(0) }];
  if (plainWords !== words) variants.push({ words: plainWords, link: link(EXPANDED) });
  if (placeWords.length > 0) variants.push({ words: [...placeWords, ...plainWords], link: link(0) });
  for (let from = 1; from < plainWords.length; from += 1) {
    variants.push({ words: plainWords.slice(from), link: link(RELATION_TAIL + 0.03 * from) });
  }
  return variants;
}

function attributeVariants(entry: AttributeEntry): NameVariant[] {
  const variants: NameVariant[] = [];
  const bases: readonly (readonly [readonly string[], number])[] =
    entry.plainWords === entry.words
      ? [[entry.words, 0]]
      : [
          [entry.words, 0],
          [entry.plainWords, EXPANDED],
        ];
  for (const [words, cost] of bases) {
    addReadings(variants, entry, words, cost);
    const short = withoutPrefix(words, entry.owner);
    if (short !== undefined) addReadings(variants, entry, short, cost + WITHOUT_PREFIX);
    else if (!isQuestion(words))
      for (const prefix of ownerPhrases(entry.owner)) addReadings(variants, entry, [...prefix, ...words], cost);
  }
  return variants;
}

/** `has_pool`, `is_open`: what it asks of its owner, who is not a part of the name. */
function isQuestion(words: readonly string[]): boolean {
  return words.length > 1 && (words[0] === 'have' || words[0] === 'be');
}

/**
 * The words themselves, without a unit, without a generic ending, with "name" behind; and the role when it is a key.
 */
function addReadings(variants: NameVariant[], entry: AttributeEntry, words: readonly string[], cost: number): void {
  const { attribute, owner, foreignKey } = entry;
  const attributeLink = (extra: number): TermLink => ({
    kind: 'attribute',
    relation: owner.relation.id,
    attribute: attribute.id,
    cost: cost + extra,
  });
  const last = words[words.length - 1] ?? '';
  const body = words.slice(0, -1);
  const isKey = foreignKey !== undefined;
  const endsLikeKey = isKey && KEY_ENDINGS.has(last) && body.length > 0;
  const showsNumber = isKey && !endsLikeKey && attribute.type === 'NUMERIC';
  variants.push({ words, link: attributeLink(showsNumber ? UNLIKELY_SIDE_OF_KEY : endsLikeKey ? KEY_ELSEWHERE : 0) });
  if (foreignKey !== undefined) {
    const role = (extra: number): TermLink => ({
      kind: 'role',
      relation: owner.relation.id,
      foreignKey,
      cost: cost + extra,
    });
    if (endsLikeKey) variants.push({ words: body, link: role(ROLE) }, { words: [...body, NAME], link: role(ROLE) });
    else variants.push({ words, link: role(showsNumber ? 0 : UNLIKELY_SIDE_OF_KEY) });
  }
  if (body.length > 0 && UNIT_ENDINGS.has(last)) variants.push({ words: body, link: attributeLink(WITHOUT_UNIT) });
  if (entry.isKey && body.length > 0 && KEY_ENDINGS.has(last)) {
    variants.push({ words: body, link: { kind: 'relation', relation: owner.relation.id, cost: cost + KEY_OF } });
  } else if (body.length > 0 && GENERIC_ENDINGS.has(last)) {
    const unlikely = isKey ? UNLIKELY_SIDE_OF_KEY : KEY_ENDINGS.has(last) || last === NAME ? 0 : NOT_ITS_NAME;
    variants.push({ words: body, link: attributeLink(WITHOUT_ENDING + unlikely) });
  }
  if (isQuestion(words) && attribute.type === 'BOOL')
    variants.push({ words: words.slice(1), link: attributeLink(EXPANDED) });
  if (last !== NAME && attribute.type === 'TEXT' && !isKey) {
    variants.push({ words: [...words, NAME], link: attributeLink(WITH_NAME) });
  }
}

/** The name of the owner, whole and by its last word. */
function ownerPhrases(owner: RelationEntry): readonly (readonly string[])[] {
  const last = owner.plainWords[owner.plainWords.length - 1];
  return owner.plainWords.length > 1 && last !== undefined ? [owner.plainWords, [last]] : [owner.plainWords];
}

/** `pet_age` of `pets` without "pet"; `stu_phone` of `student` without "stu"; undefined when nothing is to be cut. */
function withoutPrefix(words: readonly string[], owner: RelationEntry): readonly string[] | undefined {
  for (const prefix of [owner.words, owner.plainWords]) {
    if (words.length > prefix.length && prefix.every((word, place) => words[place] === word))
      return words.slice(prefix.length);
  }
  const first = words[0] ?? '';
  const last = owner.words[owner.words.length - 1] ?? '';
  if (words.length < 2) return undefined;
  return first === last || (first.length >= 3 && isAbbreviation(first, owner.words.join('')))
    ? words.slice(1)
    : undefined;
}

/**
 * True when the letters are the beginning of the word, or its first letter and consonants in order: `crs` of `course`.
 */
function isAbbreviation(short: string, word: string): boolean {
  if (word.startsWith(short)) return true;
  if (short[0] !== word[0] || /[aeiou]/u.test(short.slice(1))) return false;
  let at = 0;
  for (const letter of short) {
    at = word.indexOf(letter, at);
    if (at < 0) return false;
    at += 1;
  }
  return true;
}
