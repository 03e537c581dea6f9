import type { AttributeId } from '@askema/core';
import { splitWords } from '../words/split-words.ts';
import { chooseForms, type Form, SHORT_COLUMNS } from './choose-forms.ts';
import { composeText, type Selection } from './compose-text.ts';
import type { Notation } from './notation.ts';
import type { PreparedCatalog } from './prepared-catalog.ts';
import { briefSheet, type Sheet, type SheetColumn, type SheetSource } from './relation-sheet.ts';
import { type Detail, FULL_DETAIL, NO_DETAIL, type RemarkSource } from './remarks.ts';

/** A text that takes so much of the budget is not tried again with more: the first texts, and those after them. */
const ENOUGH = 0.975;
const ENOUGH_LATER = 0.9;
const FIRST_TRIES = 3;
/** What a text is tried with is a little less than what would fit by the count of the last one. */
const AIM = 0.985;
/** The first text is tried with this share of what it would hold: one that is far too long takes as much longer. */
const FIRST_AIM = 0.7;
/** Names have about so many characters for each token. */
const CHARACTERS_PER_TOKEN = 3;
/** About how many characters the names of what is left out may take for each token of the budget. */
const NAME_CHARACTERS_PER_TOKEN = 0.4;
/** Names have fewer characters for each token of any real tokenizer. */
const MOST_CHARACTERS_PER_TOKEN = 12;

export interface Budget {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
  readonly question: string;
  readonly knowledge: string;
  /** True for text that shares a word with the question. */
  readonly isRelevant: (text: string) => boolean;
  /** The same for the documents. */
  readonly isKnown: (text: string) => boolean;
}

export interface Fitted {
  readonly text: string;
  /** What is in the text. Sheets that lost columns are there with those left. */
  readonly shown: readonly Sheet[];
}

/** How comments and values give way, before any name does. */
function stages(isRelevant: Budget['isRelevant']): Pick<Selection, 'detail' | 'isTight'>[] {
  return [
    { detail: { ...FULL_DETAIL, isRelevant } },
    { detail: { commentCharacters: 80, samplesCharacters: 60, isRelevant, onlyRelevant: false } },
    { detail: relevantDetail(isRelevant) },
    { detail: { commentCharacters: 80, samplesCharacters: 0, onlyRelevant: false } },
    { detail: NO_DETAIL },
    { detail: NO_DETAIL, isTight: true },
  ];
}

function relevantDetail(isRelevant: Budget['isRelevant']): Detail {
  return { commentCharacters: 80, samplesCharacters: 60, isRelevant, onlyRelevant: true };
}

/**
 * The most that a budget holds: first comments and values are cut, then kept only where they share a word with the
 * question, then dropped; then families that the question is not about keep only the names of their columns, then only
 * their own.
 */
export function fitBudget(prepared: PreparedCatalog, source: RemarkSource, budget: Budget): Fitted {
  const { sheets, brackets } = prepared;
  const isHopeless = prepared.leastTokens(budget.count) > budget.maxTokens;
  for (const stage of isHopeless ? [] : stages(budget.isRelevant)) {
    const text = composeText(source, { shown: sheets, brackets, ...stage })();
    if (budget.count(text) <= budget.maxTokens) return { text, shown: sheets };
  }
  return chooseFamilies(prepared, source, budget, relevantDetail(budget.isRelevant));
}

/** Texts of families share less or more than what each counts alone: so often the sum is put right. */
const MAX_TRIES = 7;

function chooseFamilies(prepared: PreparedCatalog, source: RemarkSource, budget: Budget, detail: Detail): Fitted {
  const { groups, brackets, names } = prepared;
  const ranked = prepared.ranking
    .rank(budget.question, budget.knowledge, source.samples)
    .map((position) => groups[position] ?? []);
  const { isShared } = prepared;
  const order = memo((sheet: Sheet) => byRelevance(source, sheet, budget, isShared));
  /** By the names of its largest member: all have nearly the same columns. */
  const keptNames = (family: readonly Sheet[], most: number): ReadonlySet<string> | undefined => {
    const largest = family.reduce((a, b) => (b.columns.length > a.columns.length ? b : a));
    if (largest.columns.length <= most) return undefined;
    return new Set(order(largest).slice(0, most));
  };
  const costs = {
    brief: (family: readonly Sheet[]) => prepared.briefTokens(family, budget.count),
    whole: memo((family: readonly Sheet[]) =>
      budget.count(composeText(source, { shown: family, brackets, detail, isTight: true })()),
    ),
  };
  const select = (forms: readonly Form[]): Sheet[] =>
    forms
      .flatMap((form, at) => {
        const family = ranked[at] ?? [];
        if (form === 'whole') return family;
        const isKept = keptNames(family, form);
        return family.map((sheet) => briefly(sheet, isKept));
      })
      .sort((a, b) => a.position - b.position);
  /** The text of a choice by the room for names of what is left out. */
  const compose = (shown: readonly Sheet[]): ((nameCharacters: number) => string) => {
    const write = composeText(source, { shown, brackets, detail, isTight: true });
    const ids = new Set(shown.map(({ id }) => id));
    return (nameCharacters) => {
      const leftOut = (notation: Notation): string => names.write(ids, nameCharacters, notation);
      return write(ids.size === prepared.sheets.length ? undefined : leftOut);
    };
  };
  const nameRoom = Math.floor(budget.maxTokens * NAME_CHARACTERS_PER_TOKEN);
  const tokensOfNames = Math.ceil(nameRoom / CHARACTERS_PER_TOKEN);
  let best: { readonly shown: readonly Sheet[]; readonly text: string; readonly tokens: number } | undefined;
  let write: ReturnType<typeof compose> | undefined;
  let aim = Math.floor(FIRST_AIM * Math.max(0, budget.maxTokens - tokensOfNames));
  const tried: Tried = { fits: { aim: 0, tokens: 0 }, exceeds: undefined };
  let forms: readonly Form[] = [];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    forms = chooseForms(ranked, costs, aim);
    const shown = select(forms);
    const writeThese = compose(shown);
    const text = writeThese(nameRoom);
    const tokens = budget.count(text);
    if (tokens <= budget.maxTokens && tokens > (best?.tokens ?? -1)) {
      best = { shown, text, tokens };
      write = writeThese;
    }
    const isAll = forms.length === ranked.length && forms.every((form) => form === 'whole');
    const enough = (tries < FIRST_TRIES ? ENOUGH : ENOUGH_LATER) * budget.maxTokens;
    if (tokens <= budget.maxTokens && (isAll || tokens >= enough)) break;
    if (tokens > budget.maxTokens) tried.exceeds = { aim, tokens };
    else if (aim > tried.fits.aim) tried.fits = { aim, tokens };
    aim = nextAim(tried, { aim, tokens }, budget.maxTokens * AIM, tries > 3);
  }
  if (best !== undefined && write !== undefined)
    return { shown: best.shown, text: withMoreNames(best.text, write, nameRoom, budget) };
  for (const [choice, room] of fallbacks(forms, nameRoom)) {
    const shown = select(choice);
    const writeThese = compose(shown);
    const text = writeThese(room);
    if (budget.count(text) > budget.maxTokens) continue;
    return { text: withMoreNames(text, writeThese, room, budget), shown };
  }
  return { text: '', shown: [] };
}

interface Try {
  readonly aim: number;
  readonly tokens: number;
}

/** The most that was seen to fit, and the least that was not. */
interface Tried {
  fits: Try;
  exceeds: Try | undefined;
}

/** In proportion, and between two tries on the line through both; by halves where the texts grow by leaps. */
function nextAim({ fits, exceeds }: Tried, last: Try, wanted: number, byHalves: boolean): number {
  if (exceeds === undefined || fits.aim === 0 || exceeds.aim <= fits.aim)
    return Math.floor((last.aim * wanted) / Math.max(last.tokens, 1));
  const slope = (exceeds.aim - fits.aim) / Math.max(1, exceeds.tokens - fits.tokens);
  return Math.floor(byHalves ? (fits.aim + exceeds.aim) / 2 : fits.aim + (wanted - fits.tokens) * slope);
}

/** What is left of the budget goes to further names. */
function withMoreNames(text: string, write: (characters: number) => string, room: number, budget: Budget): string {
  let best = text;
  for (
    let characters = 2 * Math.max(room, 16);
    characters <= MOST_CHARACTERS_PER_TOKEN * budget.maxTokens;
    characters *= 2
  ) {
    const more = write(characters);
    if (more === best || budget.count(more) > budget.maxTokens) break;
    best = more;
  }
  return best;
}

/** Ever less where counting went wrong; in the end there is nothing but a number. */
function* fallbacks(forms: readonly Form[], room: number): Generator<[readonly Form[], number]> {
  for (let size = forms.length; size > 0; size = Math.min(size - 1, Math.floor(size * 0.8)))
    yield [
      forms.slice(0, size).map((form) => (form === 'whole' ? SHORT_COLUMNS : Math.min(form, SHORT_COLUMNS))),
      room,
    ];
  for (let left = room; left >= 1; left = Math.floor(left / 2)) yield [[], left];
  yield [[], 0];
}

function memo<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

/** The first columns of a relation tell what a row is. */
const FIRST_COLUMNS = 8;

/** Columns that tell by their names that they identify something, the first so many: relations are joined by them. */
const IDENTIFIERS = 4;
const IDENTIFIER_WORD = /^(id|key|code|uuid|guid)$/;

/**
 * The columns of a relation in the order in which they are shown where there is no room for all: its keys, those that
 * share a word with the question or the documents, identifiers, those whose names other relations have too, its first
 * ones, and the others.
 */
function byRelevance(
  source: RemarkSource,
  sheet: Sheet,
  { isRelevant, isKnown }: Budget,
  isShared: (name: string) => boolean,
): string[] {
  const keys = keyAttributes(source, sheet);
  const identifiers = new Set(
    sheet.columns.filter(({ name }) => IDENTIFIER_WORD.test(splitWords(name).at(-1) ?? '')).slice(0, IDENTIFIERS),
  );
  const scored = sheet.columns.map((column, position) => {
    const score =
      (keys.has(column.id) ? KEY : 0) +
      2 * relevance(source, column, isRelevant) +
      (identifiers.has(column) ? IDENTIFIER : 0) +
      relevance(source, column, isKnown) +
      (isShared(column.name) ? 1 : 0) +
      (position < FIRST_COLUMNS ? 1 : 0);
    return { column, position, score };
  });
  return scored.sort((a, b) => b.score - a.score || a.position - b.position).map(({ column }) => column.name);
}

/** A relation by the names of these columns, or of all. The others are counted in `hidden`. */
function briefly(sheet: Sheet, kept: ReadonlySet<string> | undefined): Sheet {
  if (kept === undefined) return briefSheet(sheet);
  const columns = sheet.columns.filter(({ name }) => kept.has(name));
  return briefSheet({ ...sheet, columns, hidden: sheet.columns.length - columns.length });
}

/** More than any word. */
const KEY = 1_000;
/** As much as a word of the question in a name. */
const IDENTIFIER = 9;

function keyAttributes({ index, uniqueKeys }: SheetSource, { id, columns }: Sheet): Set<AttributeId> {
  const keys = new Set<AttributeId>(index.primaryKey(id)?.attributes);
  for (const key of index.foreignKeysFrom(id)) for (const { from } of key.pairs) keys.add(from);
  for (const key of index.foreignKeysTo(id)) for (const { to } of key.pairs) keys.add(to);
  for (const attributes of uniqueKeys.get(id) ?? []) for (const attribute of attributes) keys.add(attribute);
  for (const column of columns) if (index.isUnique(column.id)) keys.add(column.id);
  return keys;
}

/** A name says more than a comment or a value. */
function relevance(
  { catalog, index, samples }: RemarkSource,
  column: SheetColumn,
  isRelevant: (text: string) => boolean,
): number {
  const name = index.attribute(column.id)?.name ?? '';
  const info = catalog.attributes[column.id];
  const values = Object.hasOwn(samples, column.id) ? (samples[column.id] ?? []) : [];
  return (
    (isRelevant(name) ? 4 : 0) +
    (isRelevant(info?.comment ?? '') ? 2 : 0) +
    (values.some((value) => typeof value === 'string' && isRelevant(value)) ? 1 : 0) +
    ((info?.nestedFields ?? []).some(({ path }) => isRelevant(path.join(' '))) ? 2 : 0)
  );
}
