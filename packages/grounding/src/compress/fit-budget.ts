import type { AttributeId } from '@askema/core';
import { composeText, type Selection } from './compose-text.ts';
import type { Notation } from './notation.ts';
import type { PreparedCatalog } from './prepared-catalog.ts';
import type { Sheet, SheetColumn, SheetSource } from './relation-sheet.ts';
import { type Detail, FULL_DETAIL, NO_DETAIL, type RemarkSource } from './remarks.ts';

/**
 * Relations are shown whole up to this share of the budget; what is left is for more relations with their relevant
 * columns only.
 */
const WHOLE_SHARE = 0.7;
/** A family that takes more than this share of the budget alone is shown with its relevant columns only. */
const FAMILY_SHARE = 0.4;
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
 * question, then dropped; then families that the question is not about keep only keys and relevant columns, then only
 * their names.
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

/** The first so many families whole, as far as they are not too large, further ones shortened, the rest by name. */
interface Choice {
  readonly whole: number;
  readonly partly: number;
}

function chooseFamilies(prepared: PreparedCatalog, source: RemarkSource, budget: Budget, detail: Detail): Fitted {
  const { groups, brackets, positions, names } = prepared;
  const ranked = prepared.ranking
    .rank(budget.question, budget.knowledge, source.samples)
    .map((position) => groups[position] ?? []);
  const shortened = memo(
    (sheet: Sheet): Sheet => ({
      ...shortenSheet(source, sheet, budget.isRelevant),
      isQuiet: true,
    }),
  );
  const isLarge = memo((family: readonly Sheet[]) => {
    const most = FAMILY_SHARE * budget.maxTokens;
    // Texts of less than a character for each token are none: most families need no count.
    if (family.reduce((sum, sheet) => sum + sheet.columns.length, 0) * 4 < most) return false;
    return budget.count(composeText(source, { shown: family, brackets, detail })()) > most;
  });
  const select = ({ whole, partly }: Choice): Sheet[] =>
    ranked
      .slice(0, partly)
      .flatMap((family, position) => (position < whole && !isLarge(family) ? family : family.map(shortened)))
      .sort((a, b) => (positions.get(a.id) ?? 0) - (positions.get(b.id) ?? 0));
  /** The text of a choice by the room for names of what is left out. */
  const compose = (choice: Choice): ((nameCharacters: number) => string) => {
    const shown = select(choice);
    const write = composeText(source, { shown, brackets, detail, isTight: true });
    const ids = new Set(shown.map(({ id }) => id));
    return (nameCharacters) => {
      const leftOut = (notation: Notation): string => names.write(ids, nameCharacters, notation);
      return write(ids.size === prepared.sheets.length ? undefined : leftOut);
    };
  };
  const nameRoom = Math.floor(budget.maxTokens * NAME_CHARACTERS_PER_TOKEN);
  const measure = (choice: Choice): number => budget.count(compose(choice)(nameRoom));
  const most = ranked.length;
  const whole = largestWithin(WHOLE_SHARE * budget.maxTokens, most, (size) => measure({ whole: size, partly: size }));
  const partly =
    whole + largestWithin(budget.maxTokens, most - whole, (size) => measure({ whole, partly: whole + size }));
  for (const [choice, room] of fallbacks(whole, partly, nameRoom)) {
    const write = compose(choice);
    const text = write(room);
    if (budget.count(text) > budget.maxTokens) continue;
    return { text: withMoreNames(text, write, room, budget), shown: select(choice) };
  }
  return { text: '', shown: [] };
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

/**
 * Counting need not be monotonous, so that what a search found may be too much; in the end there is nothing but a
 * number.
 */
function* fallbacks(whole: number, partly: number, room: number): Generator<[Choice, number]> {
  for (let size = partly; size > 0; size = Math.min(size - 1, Math.floor(size * 0.9)))
    yield [{ whole: Math.min(whole, size), partly: size }, room];
  for (let left = room; left >= 1; left = Math.floor(left / 2)) yield [{ whole: 0, partly: 0 }, left];
  yield [{ whole: 0, partly: 0 }, 0];
}

/** So many sizes are guessed from those measured before; what is then still open is halved. */
const MAX_GUESSES = 4;

/**
 * The largest size up to `most` that measures at most `limit`, taken that larger sizes measure more; 0 when there is
 * none. Small sizes are tried first, because large ones are dear.
 */
export function largestWithin(limit: number, most: number, measure: (size: number) => number): number {
  let low = 0;
  let high = most + 1;
  let next = Math.min(8, most);
  for (let tries = 1; high - low > 1; tries += 1) {
    const measured = measure(next);
    if (measured <= limit) low = next;
    else high = next;
    const guessed = Math.floor((next * limit) / Math.max(measured, 1));
    const isGuess = tries <= MAX_GUESSES && guessed > low && guessed < high;
    const halved = high > most ? Math.min(2 * low, most) : Math.floor((low + high) / 2);
    next = isGuess ? Math.min(guessed, Math.max(4 * next, 8)) : halved;
  }
  return low;
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

/** Relevant columns that a shortened relation keeps beside its keys. */
const MAX_RELEVANT = 24;
/** With fewer relevant columns the first ones of the relation are shown up to this number: they tell what a row is. */
const MIN_COLUMNS = 8;

/**
 * A relation with its keys, the columns that share a word with the question, and a few of its first columns. The others
 * are counted in `hidden`. A relation of few columns stays as it is.
 */
function shortenSheet(source: RemarkSource, sheet: Sheet, isRelevant: (text: string) => boolean): Sheet {
  if (sheet.columns.length <= MIN_COLUMNS) return sheet;
  const keys = keyAttributes(source, sheet);
  const scored = sheet.columns
    .map((column, position) => ({ column, position, score: relevance(source, column, isRelevant) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, MAX_RELEVANT);
  const kept = new Set<SheetColumn>(scored.map(({ column }) => column));
  for (const column of sheet.columns) if (keys.has(column.id)) kept.add(column);
  for (const column of sheet.columns) {
    if (kept.size >= MIN_COLUMNS) break;
    kept.add(column);
  }
  if (kept.size >= sheet.columns.length) return sheet;
  return {
    ...sheet,
    columns: sheet.columns.filter((column) => kept.has(column)),
    hidden: sheet.columns.length - kept.size,
  };
}

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
