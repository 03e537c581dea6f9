import type { TableFamily } from '@askema/core';
import { namePattern } from './name-patterns.ts';
import type { Sheet } from './relation-sheet.ts';

/** Members of a family have at least this share of columns in common with its most common form. */
const MIN_COMMON_SHARE = 0.5;

/**
 * Relations of one schema that differ in numbers and dates of their names and have nearly the same columns, with two
 * members or more.
 */
export function findFamilies(sheets: readonly Sheet[]): TableFamily[] {
  return familyGroups(sheets)
    .filter(({ length }) => length > 1)
    .map((members) => ({
      pattern: `${members[0]?.qualifier ?? ''}${namePattern(members[0]?.name ?? '')}`,
      members: members.map(({ id }) => id),
    }));
}

/** All relations in families, most of them alone, in the order of their first members. */
export function familyGroups(sheets: readonly Sheet[]): Sheet[][] {
  const keyBy = (pattern: (name: string) => string) => (sheet: Sheet) =>
    `${sheet.kind} ${sheet.qualifier}${pattern(sheet.name)}`;
  const alike = [...Map.groupBy(sheets, keyBy(namePattern)).values()];
  const series = Map.groupBy(alike, ([first]) => (first === undefined ? '' : keyBy(seriesPattern)(first)));
  return [...series.values()]
    .flatMap((groups) => (groups.length < MIN_SERIES ? groups : [groups.flat()]))
    .flatMap(splitUnlikeColumns);
}

/** So many kinds that differ in nothing but a number are no kinds: `CM80` to `CM98`, but `HG19` and `HG38`. */
const MIN_SERIES = 5;

/** The name with `*` for all its numbers. */
const seriesPattern = (name: string): string => name.replace(/\d+/g, '*');

/** Relations whose names are alike by chance go apart: each is held against the first of the families found so far. */
function splitUnlikeColumns(alike: readonly Sheet[]): Sheet[][] {
  const families: { readonly columns: ReadonlySet<string>; readonly members: Sheet[] }[] = [];
  for (const sheet of alike) {
    const names = sheet.columns.map(({ name }) => name);
    const family = families
      .slice(0, MAX_FAMILIES_OF_A_NAME)
      .find(({ columns }) => share(names, columns) >= MIN_COMMON_SHARE);
    if (family === undefined) families.push({ columns: new Set(names), members: [sheet] });
    else family.members.push(sheet);
  }
  return families.map(({ members }) => members);
}

const MAX_FAMILIES_OF_A_NAME = 20;

function share(names: readonly string[], columns: ReadonlySet<string>): number {
  const common = names.filter((name) => columns.has(name)).length;
  const all = columns.size + names.length - common;
  return all === 0 ? 1 : common / all;
}
