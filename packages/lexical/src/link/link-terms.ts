import { INCOME_NOUNS, UNIT_NOUNS } from '../lexicon/figures.ts';
import { LINKING_WORDS } from '../lexicon/name-words.ts';
import { otherWordings, synonymsOf, verbNouns, wordingWords } from '../lexicon/synonyms.ts';
import { isPlural, stems } from '../tokenise/lemma.ts';
import { splitName } from '../tokenise/split-name.ts';
import type { Token } from '../tokenise/token.ts';
import type { Figures } from './figures.ts';
import type { TermLink, TermMention } from './links.ts';
import { variantsOf } from './name-variants.ts';
import { partialLinks } from './partial-links.ts';
import { type NameEntry, nameWords, type Vocabulary } from './vocabulary.ts';
import { SYNONYM, withoutLuck } from './without-luck.ts';

/** Words of the longest piece that is compared with names. */
const MAX_WORDS = 6;
/** Links of one piece at most; more than that say nothing. */
const MAX_LINKS = 600;

const STEM = 0.08;
const PART_OF_NAME = 0.1;
/** A word that is just what a table is called is hardly a verb. */
const RATHER_NOUN = 0.1;
/** "id of the student" is rather the id that a student has than something called `student_id`. */
const TURNED_ROUND = 0.15;
const OTHER_WORDING = 0.08;
const PARTICIPLE = 0.3;
const GOES_ON: ReadonlySet<string> = new Set(
  'by in on at to from with after before since until between during for'.split(' '),
);

/** Names by the words of their variants, joined; only of entries that share a word with the question. */
type PhraseLinks = ReadonlyMap<string, readonly TermLink[]>;

/**
 * All pieces of the question that denote something in the catalog, by the token that they begin with, longest first.
 */
export function linkTerms(
  tokens: readonly Token[],
  vocabulary: Vocabulary,
  figures: Figures = { money: [], quantity: [] },
): ReadonlyMap<number, readonly TermMention[]> {
  const phrases = relevantPhrases(tokens, vocabulary);
  const mentions = new Map<number, TermMention[]>();
  tokens.forEach((token, start) => {
    if (token.kind !== 'word') return;
    const found: TermMention[] = [];
    for (const end of ends(tokens, start)) {
      const mention = linkPiece(tokens, start, end, phrases, vocabulary) ?? figureAt(token, start, end, figures);
      if (mention !== undefined) found.unshift(mention);
    }
    if (found.length > 0) mentions.set(start, found);
  });
  return withoutLuck(mentions);
}

/** "revenue" and "units", where nothing is called so. */
function figureAt(token: Token, start: number, end: number, figures: Figures): TermMention | undefined {
  const links = INCOME_NOUNS.has(token.lower) ? figures.money : UNIT_NOUNS.has(token.lower) ? figures.quantity : [];
  if (end !== start + 1 || links.length === 0) return undefined;
  return { start, end, text: token.text, plural: isPlural(token.lower), links };
}

/**
 * A word read as a verb: whole names that end in a preposition (`directed_by`), then names that share its stem
 * (`publisher`).
 */
export function linkVerbs(
  tokens: readonly Token[],
  terms: ReadonlyMap<number, readonly TermMention[]>,
  vocabulary: Vocabulary,
): ReadonlyMap<number, readonly TermMention[]> {
  const verbs = new Map<number, readonly TermMention[]>();
  tokens.forEach((token, start) => {
    if (token.kind !== 'word' || NO_VERBS.has(token.lower)) return;
    const whole = (terms.get(start) ?? []).filter(
      ({ end }) => end === start + 2 && PREPOSITIONS.has(tokens[end - 1]?.lower ?? ''),
    );
    const isSigning = /^sign(?:s|ed|ing)?$/u.test(token.lower) && tokens[start + 1]?.lower === 'up';
    const byRole = verbNouns(isSigning ? 'sign up' : token.lower).flatMap((noun) => vocabulary.withWord(noun));
    const sameStem = stems(token.lower).flatMap((form) => vocabulary.withStem(form));
    const byEnd = new Map<number, TermLink[]>();
    for (const entry of [...sameStem, ...byRole]) {
      if (isTurnedRound(entry, tokens, start)) continue;
      const end = isSigning ? start + 2 : particlesEnd(tokens, start, entry);
      const links = byEnd.get(end);
      if (links === undefined) byEnd.set(end, stemLinks(entry));
      else links.push(...stemLinks(entry));
    }
    const isNoun = (terms.get(start) ?? []).some(
      ({ end, links }) => end === start + 1 && links.some((link) => link.kind === 'relation' && link.cost < 0.2),
    );
    const byStem = [...byEnd].map(
      ([end, links]): TermMention => ({
        start,
        end,
        text: token.text,
        plural: false,
        links: best(links).map(dearer(isNoun ? RATHER_NOUN : 0)),
      }),
    );
    const found = [...whole, ...byStem];
    if (found.length > 0) verbs.set(start, found);
  });
  return verbs;
}

/**
 * "who referred someone" beside `members.referred_by`, which is of those who were referred: the key leads the other way
 * round.
 */
function isTurnedRound(entry: NameEntry, tokens: readonly Token[], start: number): boolean {
  if (entry.kind === 'relation' || entry.foreignKey?.target !== entry.owner.relation.id) return false;
  if (splitName(entry.attribute.name).at(-1) !== 'by' && !/_by_/iu.test(entry.attribute.name)) return false;
  const before = tokens.slice(Math.max(0, start - 3), start).map(({ lower }) => lower);
  return tokens[start + 1]?.lower !== 'by' && !before.some((word) => PASSIVE.has(word));
}

const PASSIVE: ReadonlySet<string> = new Set(['is', 'are', 'was', 'were', 'been', 'being', 'be', 'got']);

/** Behind the particles of a verb that the name has too: "signed up" for `signed_up_on`. */
function particlesEnd(tokens: readonly Token[], start: number, entry: NameEntry): number {
  if (entry.kind === 'relation') return start + 1;
  const words = splitName(entry.attribute.name);
  const place = words.indexOf(tokens[start]?.lower ?? '');
  let end = start + 1;
  while (place >= 0 && PARTICLES.has(tokens[end]?.lower ?? '') && words[place + end - start] === tokens[end]?.lower)
    end += 1;
  return end;
}

const PARTICLES: ReadonlySet<string> = new Set(['up', 'out', 'off', 'down', 'over', 'back']);

const PREPOSITIONS: ReadonlySet<string> = new Set(['by', 'in', 'on', 'at', 'to', 'from', 'with']);
/** Words that are never a verb that names something. */
const NO_VERBS: ReadonlySet<string> = new Set(
  'is are was were be been being has have had do does did not the a an all number numbers name names most least how many which what who whose date year'.split(
    ' ',
  ),
);

/** A name of one content word, or an attribute like `directed_by` and `hire_date`. */
function stemLinks(entry: NameEntry): TermLink[] {
  if (entry.kind === 'relation') {
    const cost = STEM + (entry.plainWords.length > 1 ? PART_OF_NAME : 0);
    return [{ kind: 'relation', relation: entry.relation.id, cost }];
  }
  const { attribute, owner, foreignKey } = entry;
  if (foreignKey !== undefined) {
    const raw: TermLink = {
      kind: 'attribute',
      relation: owner.relation.id,
      attribute: attribute.id,
      cost: STEM + 0.02,
    };
    return [{ kind: 'role', relation: owner.relation.id, foreignKey, cost: STEM }, raw];
  }
  return [{ kind: 'attribute', relation: owner.relation.id, attribute: attribute.id, cost: STEM }];
}

/**
 * Where a piece that begins here may end: behind up to six words in a row, "of" and "the" among them but not at its
 * end.
 */
function ends(tokens: readonly Token[], start: number): number[] {
  const found: number[] = [];
  for (let end = start + 1; end <= tokens.length && end - start <= MAX_WORDS; end += 1) {
    const last = tokens[end - 1];
    if (last?.kind !== 'word' && last?.kind !== 'number') break;
    if (!LINKING_WORDS.has(last.lower)) found.push(end);
  }
  return found;
}

function linkPiece(
  tokens: readonly Token[],
  start: number,
  end: number,
  phrases: PhraseLinks,
  vocabulary: Vocabulary,
): TermMention | undefined {
  const piece = tokens.slice(start, end);
  if (LINKING_WORDS.has(piece[0]?.lower ?? '')) return undefined;
  // "branches have parking" is no `has_parking` of theirs, but the parking that they have.
  if (piece.length > 1 && ['have', 'be'].includes(piece[0]?.lemma ?? '')) return undefined;
  const words = piece.filter((token) => !LINKING_WORDS.has(token.lower)).flatMap(tokenWords);
  const generic = piece.length === 1 ? genericKind(piece[0]?.lower ?? '') : undefined;
  const ofInside = piece.some((token) => LINKING_WORDS.has(token.lower));
  const links = best([
    ...exactLinks(words, phrases, ofInside ? TURNED_ROUND : 0).filter(
      (link) => !ofInside || !isRoleOfFirst(link, words[0] ?? '', vocabulary),
    ),
    ...synonymLinks(words, phrases),
    ...otherWordings(words)
      .flatMap((other) => [...exactLinks(other, phrases), ...partialLinks(other, vocabulary)])
      .map(dearer(OTHER_WORDING)),
    ...partialLinks(words, vocabulary),
  ]);
  if (links.length === 0 && generic === undefined) return undefined;
  const last = piece[piece.length - 1]?.lower ?? '';
  // "book published after": the participle goes on, and is no end of a name.
  const isVerb = last.endsWith('ed') && GOES_ON.has(tokens[end]?.lower ?? '');
  return {
    start,
    end,
    text: piece.map((token) => token.text).join(' '),
    plural: isPlural(last),
    links: isVerb ? links.map(dearer(PARTICIPLE)) : links,
    ...(generic === undefined ? {} : { generic }),
  };
}

/** "categories of businesses" asks for categories, and not for the business of `category.business_id`. */
function isRoleOfFirst(link: TermLink, first: string, vocabulary: Vocabulary): boolean {
  return link.kind === 'role' && vocabulary.relation(link.relation)?.plainWords[0] === first;
}

/** A name that stands in the question as the schema writes it is taken apart like the name. */
function tokenWords(token: Token): readonly string[] {
  return token.lower.includes('_') ? nameWords(token.text) : [token.lemma];
}

function genericKind(lower: string): TermMention['generic'] {
  if (lower === 'name' || lower === 'names') return 'name';
  if (['id', 'ids', 'identifier', 'identifiers'].includes(lower)) return 'id';
  if (
    [
      'details',
      'detail',
      'information',
      'info',
      'everything',
      'columns',
      'fields',
      'attributes',
      'data',
      'records',
      'rows',
    ].includes(lower)
  )
    return 'details';
  return undefined;
}

function dearer(cost: number): (link: TermLink) => TermLink {
  return (link) => ({ ...link, cost: link.cost + cost });
}

/** The same words in the order of the name, or in another one: "date of birth" for `birth_date`. */
function exactLinks(words: readonly string[], phrases: PhraseLinks, turnedRound = 0): readonly TermLink[] {
  const sorted = words.length > 1 ? (phrases.get(sortedKey(words)) ?? []) : [];
  return [...(phrases.get(words.join('')) ?? []), ...sorted.map(dearer(turnedRound))];
}

/** One word replaced by a synonym. */
function synonymLinks(words: readonly string[], phrases: PhraseLinks): TermLink[] {
  if (words.length > 3) return [];
  return words.flatMap((word, place) =>
    synonymsOf(word).flatMap((other) => {
      const replaced = words.with(place, other);
      return exactLinks(replaced, phrases).map(dearer(SYNONYM));
    }),
  );
}

function relevantPhrases(tokens: readonly Token[], vocabulary: Vocabulary): PhraseLinks {
  const entries = new Set<NameEntry>();
  const words = tokens.filter((token) => token.kind === 'word').flatMap(tokenWords);
  for (const word of new Set(words)) {
    for (const form of [word, ...synonymsOf(word), ...wordingWords(word)])
      for (const entry of vocabulary.withWord(form)) entries.add(entry);
  }
  for (let start = 0; start < words.length; start += 1) {
    for (let length = 1; length <= 4 && start + length <= words.length; length += 1) {
      for (const entry of vocabulary.squashed(words.slice(start, start + length).join(''))) entries.add(entry);
    }
  }
  const phrases = new Map<string, TermLink[]>();
  const add = (key: string, link: TermLink): void => {
    const group = phrases.get(key);
    if (group === undefined) phrases.set(key, [link]);
    else group.push(link);
  };
  for (const entry of entries) for (const [key, link] of keyedLinks(entry)) add(key, link);
  return phrases;
}

const linksOf = new WeakMap<NameEntry, readonly (readonly [key: string, link: TermLink])[]>();

/** Every way to say the name, by the text that is looked up. */
function keyedLinks(entry: NameEntry): readonly (readonly [key: string, link: TermLink])[] {
  const known = linksOf.get(entry);
  if (known !== undefined) return known;
  const found: (readonly [key: string, link: TermLink])[] = [];
  for (const { words, link } of variantsOf(entry)) {
    found.push([words.join(''), link]);
    if (words.length > 1) found.push([sortedKey(words), { ...link, cost: link.cost + 0.02 }]);
  }
  linksOf.set(entry, found);
  return found;
}

function sortedKey(words: readonly string[]): string {
  const [first = '', second = ''] = words;
  if (words.length === 2) return first < second ? `${first}|${second}` : `${second}|${first}`;
  return [...words].sort().join('|');
}

/** The cheapest link to each denotation, cheapest first. */
function best(links: readonly TermLink[]): readonly TermLink[] {
  const byTarget = new Map<string, TermLink>();
  for (const link of links) {
    const target =
      link.kind === 'relation'
        ? link.relation
        : link.kind === 'attribute'
          ? link.attribute
          : `role ${link.foreignKey.id}`;
    const known = byTarget.get(target);
    if (known === undefined || link.cost < known.cost) byTarget.set(target, link);
  }
  return [...byTarget.values()].sort((a, b) => a.cost - b.cost).slice(0, MAX_LINKS);
}
