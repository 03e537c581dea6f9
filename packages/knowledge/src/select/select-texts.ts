import { entryId, type KnowledgeText } from '../model/knowledge.ts';
import { FUNCTION_WORDS } from '../reader/function-words.ts';
import { phraseKey, wordsOf } from '../words/words-of.ts';
import { isAbbreviation, questionWords } from './prose-words.ts';
import type { Candidate } from './selection.ts';
import { nameKey, type Searched, type SelectionIndex } from './selection-index.ts';
import { saySame, type TextPiece } from './text-pieces.ts';

/** Whether a word says what the knowledge or its database is about. */
export type IsSubject = (word: string) => boolean;

/** What prose a question needs, the most needed first in each list. */
export interface SelectedTexts {
  /** What holds whatever is asked. */
  readonly general: readonly Candidate[];
  /** About what is selected, or a term of the question. */
  readonly about: readonly Candidate[];
  /** With words of the question. */
  readonly alike: readonly Candidate[];
}

/** Rules that are longer than this are about something. */
const GENERAL_CHARACTERS = 240;
/** Of the score of the likest: what is less like the question is about something else. */
const LEAST_LIKE = 0.25;
/** Words of the question that a statement has to share, unless one is an abbreviation or a subject of the knowledge. */
const LEAST_SHARED = 2;
/** More statements are not looked at. */
const MAX_ALIKE = 200;
/** Phrases of questions are looked up to this many words. */
const MAX_PHRASE = 6;

export function selectTexts(
  question: string,
  index: SelectionIndex,
  selected: readonly string[],
  isSubject: IsSubject,
): SelectedTexts {
  const { pieces } = index;
  const general = pieces.things
    .filter((piece, at) => isGeneral(piece, pieces.words[at] ?? new Set(), isSubject))
    .sort((a, b) => b.text.priority - a.text.priority)
    .map((thing) => ({ thing }));
  const about = [...textsAbout(question, index, selected)].map(([text, reason]) =>
    (index.piecesOf.get(text) ?? []).map((thing) => ({ thing, reason })),
  );
  return {
    general: onceWritten(general).map(({ thing }) => candidate(thing, 'holds for every question', index, -1)),
    about: onceWritten(inTurn(about)).map(({ thing, reason }) => candidate(thing, reason, index)),
    alike: onceSaid(alike(question, pieces, isSubject)).flatMap(({ thing, shared }) =>
      [thing, ...goingOn(thing, index)].map((piece) => candidate(piece, `has ${shared}`, index)),
    ),
  };
}

/** Of no term, no name and no purpose: how texts are matched, how times are meant. */
function isGeneral({ text, shown, about }: TextPiece, words: ReadonlySet<string>, isSubject: IsSubject): boolean {
  if (text.kind !== 'rule' && text.kind !== 'caveat') return false;
  if (text.appliesTo.length > 0 || about !== '' || shown.length > GENERAL_CHARACTERS) return false;
  if (/[\p{L}\p{N}][_.][\p{L}\p{N}]/u.test(shown.replaceAll(/\b[ei]\.[ge]\./giu, ''))) return false;
  return [...words].every((word) => !isSubject(word));
}

function textsAbout(
  question: string,
  { textsAbout: known }: SelectionIndex,
  selected: readonly string[],
): ReadonlyMap<KnowledgeText, string> {
  const found = new Map<KnowledgeText, string>();
  const add = (texts: readonly KnowledgeText[], reason: string): void => {
    for (const text of texts) if (!found.has(text)) found.set(text, reason);
  };
  for (const { phrase, texts } of phrasesWithTexts(question, known)) add(texts, `about "${phrase}"`);
  for (const name of selected) add(known.get(nameKey(name)) ?? [], `about ${name}`);
  return found;
}

/** Pieces of a question that a rule is about, or that the glossary defines. */
export function phrasesAbout(question: string, { textsAbout: known }: SelectionIndex): readonly string[] {
  return phrasesWithTexts(question, known)
    .filter(({ texts }) => texts.some(({ kind }) => kind === 'rule' || kind === 'glossary'))
    .map(({ phrase }) => phrase);
}

function phrasesWithTexts(
  question: string,
  known: SelectionIndex['textsAbout'],
): readonly { readonly phrase: string; readonly texts: readonly KnowledgeText[] }[] {
  if (known.size === 0) return [];
  const words = wordsOf(question);
  return words.flatMap((_, at) =>
    Array.from({ length: Math.min(words.length - at, MAX_PHRASE) }, (__, more) =>
      words.slice(at, at + more + 1),
    ).flatMap((run) => {
      const texts = known.get(phraseKey(run));
      const phrase = question.slice(run[0]?.start, run.at(-1)?.end);
      return texts === undefined ? [] : [{ phrase, texts }];
    }),
  );
}

/** What shares words with a question, likest first, with the words. */
export function alike<T>(
  question: string,
  { things, words, index }: Searched<T>,
  isSubject: IsSubject,
  leastLike: number = LEAST_LIKE,
): { readonly thing: T; readonly shared: string }[] {
  const asked = questionWords(question);
  const ranked = index.rank([...asked.keys()].join(' '));
  const least = (ranked[0]?.score ?? 0) * leastLike;
  return ranked.flatMap(({ document, score }) => {
    const thing = things[document];
    const known = words[document];
    if (score < least || thing === undefined || known === undefined) return [];
    const shared = [...asked].filter(([word]) => known.has(word) && isTelling(word));
    const tells = shared.length >= LEAST_SHARED || shared.some(([word]) => isSubject(word) || isAbbreviation(word));
    return tells ? [{ thing, shared: quoted(shared.map(([, written]) => written)) }] : [];
  });
}

/** The likest of those that say the same. */
function onceSaid<T extends { readonly thing: TextPiece }>(ranked: readonly T[]): T[] {
  const kept: T[] = [];
  for (const one of ranked.slice(0, MAX_ALIKE))
    if (!kept.some(({ thing }) => saySame(thing, one.thing))) kept.push(one);
  return kept;
}

/** The first of those in the same words, so that what is said a thousand times takes no room from the rest. */
function onceWritten<T extends { readonly thing: TextPiece }>(all: readonly T[]): readonly T[] {
  const key = ({ words, turns }: TextPiece): string => `${[...words].join(' ')}\n${turns}`;
  return [...new Map(all.toReversed().map((one) => [key(one.thing), one])).values()].reverse();
}

/** The first of each list, then the second of each: a long text leaves room for the first words of others. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0);
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** What stands behind a definition and has no subject of its own: it says more of it. */
function goingOn(piece: TextPiece, { piecesOf }: SelectionIndex): readonly TextPiece[] {
  const all = piecesOf.get(piece.text) ?? [];
  const behind = piece.isDefinition ? all.slice(all.indexOf(piece) + 1) : [];
  const end = behind.findIndex(({ about }) => about !== '');
  return end < 0 ? behind : behind.slice(0, end);
}

/** Numbers and words such as "per" and "last" are shared by what has nothing to do with each other. */
export function isTelling(word: string): boolean {
  return !/^\p{N}+$/u.test(word) && !FUNCTION_WORDS.has(word);
}

/** So many words are enough to say why. */
const MAX_QUOTED = 5;

export function quoted(words: readonly string[]): string {
  return [...new Set(words)]
    .slice(0, MAX_QUOTED)
    .map((word) => `"${word}"`)
    .join(', ');
}

function candidate(
  { text, title, shown }: TextPiece,
  reason: string,
  { places }: SelectionIndex,
  general = 0,
): Candidate {
  const isSaid = title === '' || shown.toLowerCase().startsWith(title.toLowerCase());
  return {
    item: { id: entryId(text.kind, text.id), kind: text.kind, reason },
    section: 'Rules',
    line: isSaid ? shown : `${title}: ${shown}`,
    order: [general, -text.priority, places.get(text) ?? 0],
  };
}
