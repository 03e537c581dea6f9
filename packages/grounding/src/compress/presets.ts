import type { AttributeId } from '@askema/core';
import { gapLines } from './compose-text.ts';
import { createFamilyRanking } from './family-ranking.ts';
import type { Budget, Fitted } from './fit-budget.ts';
import { relationName, type Sheet } from './relation-sheet.ts';
import type { RemarkSource } from './remarks.ts';
import { writeSheet } from './write-block.ts';

/** v5 merges groups with more members than this. */
const V5_GROUP = 10;

/**
 * The paper does not say what a similar beginning or end is; here: all words of the name but the last, or but the
 * first.
 */
const MIN_COMMON_CHARACTERS = 4;

interface PresetText extends Fitted {
  /** Attributes of members that the one relation of their group which is described does not have. */
  readonly hiddenAttributes: readonly AttributeId[];
}

/**
 * The compression of others, for comparison: one relation of each group is described, of the others there is the name.
 * What these have and the described one lacks is hidden. A budget drops the groups that the question is least about.
 */
export function presetText(
  source: RemarkSource,
  sheets: readonly Sheet[],
  preset: 'paper' | 'v5',
  budget: Budget | undefined,
): PresetText {
  const groups = preset === 'v5' ? v5Groups(sheets) : paperGroups(sheets);
  const write = (chosen: readonly (readonly Sheet[])[]): string =>
    [...chosen.map((group) => writeGroup(source, group)), ...gapLines(source.catalog)].join('\n\n');
  let kept = groups;
  let text = write(groups);
  if (budget !== undefined && budget.count(text) > budget.maxTokens) {
    const ranked = createFamilyRanking(source, groups).rank(budget.question, budget.knowledge, source.samples);
    const select = (size: number): Sheet[][] => {
      const chosen = new Set(ranked.slice(0, size));
      return groups.filter((_, position) => chosen.has(position));
    };
    kept = select(largestWithin(budget.maxTokens, groups.length, (size) => budget.count(write(select(size)))));
    text = write(kept);
    if (budget.count(text) > budget.maxTokens) return { text: '', shown: [], hiddenAttributes: [] };
  }
  return { text, shown: kept.flat(), hiddenAttributes: kept.flatMap(hiddenOf) };
}

function writeGroup(source: RemarkSource, group: readonly Sheet[]): string {
  const [first, ...others] = group;
  if (first === undefined) return '';
  const text = writeSheet(source, first);
  if (others.length === 0) return text;
  return `${text}\n-- Relations of a similar structure: ${others.map(({ id }) => relationName(source, id)).join(', ')}`;
}

function hiddenOf(group: readonly Sheet[]): AttributeId[] {
  const known = new Set(group[0]?.columns.map(({ name }) => name));
  return group.slice(1).flatMap(({ columns }) => columns.filter(({ name }) => !known.has(name)).map(({ id }) => id));
}

/** The key of the authors' code is the whole name without digits. */
function v5Groups(sheets: readonly Sheet[]): Sheet[][] {
  const groups = Map.groupBy(sheets, ({ qualifier, name }) => (qualifier + name).replace(/\d/g, ''));
  return [...groups.values()].flatMap((group) => (group.length > V5_GROUP ? [group] : group.map((sheet) => [sheet])));
}

function paperGroups(sheets: readonly Sheet[]): Sheet[][] {
  const byPrefix = [
    ...Map.groupBy(sheets, (sheet) => commonPart(sheet, /^(.*[^\p{L}\p{N}]|.*\D(?=\d))[\p{L}\p{N}]+\W*$/u)).values(),
  ];
  const alone = byPrefix.filter(({ length }) => length === 1).flat();
  const bySuffix = [
    ...Map.groupBy(alone, (sheet) => commonPart(sheet, /^\W*[\p{L}\p{N}]+?([^\p{L}\p{N}].*)$/u)).values(),
  ];
  return [...byPrefix.filter(({ length }) => length > 1), ...bySuffix];
}

/** Long names are no names of a series, and matching them is not worth the time. */
const MAX_NAME_CHARACTERS = 300;

function commonPart({ qualifier, name, id }: Sheet, pattern: RegExp): string {
  const part = name.length > MAX_NAME_CHARACTERS ? undefined : pattern.exec(name)?.[1];
  return part === undefined || part.length < MIN_COMMON_CHARACTERS ? `#${id}` : `${qualifier}${part}`;
}

/** So many sizes are guessed from those measured before; what is then still open is halved. */
const MAX_GUESSES = 4;

/**
 * The largest size up to `most` that measures at most `limit`, taken that larger sizes measure more; 0 when there is
 * none. Small sizes are tried first, because large ones are dear.
 */
function largestWithin(limit: number, most: number, measure: (size: number) => number): number {
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
