import type { RelationId } from '@askema/core';
import type { Brackets } from './name-patterns.ts';
import { type Notation, nothingUsed } from './notation.ts';
import type { Sheet } from './relation-sheet.ts';
import { writeNames } from './write-block.ts';

/** The names of relations that a text leaves out. */
export interface NameList {
  /**
   * One line: how many relations there are beside the `shown` ones, and their names by schema, as far as
   * `maxCharacters` hold them. Whole names only; how many are not even named is said.
   */
  write(shown: ReadonlySet<RelationId>, maxCharacters: number, notation: Notation): string;
}

/** Names that differ in numbers alone, and so are written together. */
interface Portion {
  readonly sheets: readonly Sheet[];
  /** As they are written where all are left out. */
  text?: { readonly names: string; readonly hasRanges: boolean };
}

/** Made once for a catalog: writing takes time for what is shown and what there is room for. */
export function createNameList(sheets: readonly Sheet[], brackets: Brackets | undefined): NameList {
  const places = [...Map.groupBy(sheets, ({ qualifier }) => qualifier)].map(([qualifier, inPlace]) => {
    const shapes = Map.groupBy(inPlace, ({ name }) => name.replace(/\d+/g, '0'));
    return { qualifier, portions: [...shapes.values()].map((members): Portion => ({ sheets: members })) };
  });
  const portionOf = new Map<RelationId, Portion>();
  for (const { portions } of places)
    for (const portion of portions) for (const { id } of portion.sheets) portionOf.set(id, portion);

  /** All names of a portion, or those that are left. */
  const textOf = (portion: Portion, left: readonly Sheet[]): NonNullable<Portion['text']> => {
    if (left.length === portion.sheets.length && portion.text !== undefined) return portion.text;
    const own = { brackets, types: new Map(), used: nothingUsed() };
    const text = { names: writeNames(left, own).join(', '), hasRanges: own.used.ranges };
    if (left.length === portion.sheets.length) portion.text = text;
    return text;
  };

  return {
    write(shown, maxCharacters, notation) {
      const touched = new Set<Portion>();
      for (const id of shown) {
        const portion = portionOf.get(id);
        if (portion !== undefined) touched.add(portion);
      }
      const lists: string[] = [];
      let characters = 0;
      let named = 0;
      for (const { qualifier, portions } of places) {
        let isFirst = true;
        for (const portion of portions) {
          const left = touched.has(portion) ? portion.sheets.filter(({ id }) => !shown.has(id)) : portion.sheets;
          if (left.length === 0) continue;
          const { names, hasRanges } = textOf(portion, left);
          const text = isFirst ? `${qualifier}${names}` : names;
          if (characters + text.length + 2 > maxCharacters) break;
          isFirst = false;
          characters += text.length + 2;
          named += left.length;
          if (hasRanges) notation.used.ranges = true;
          lists.push(text);
        }
      }
      return sentence(sheets.length - shown.size, named, lists);
    },
  };
}

function sentence(unshown: number, named: number, lists: readonly string[]): string {
  const missing = unshown - named;
  const head = `-- ${unshown} more relation${unshown === 1 ? '' : 's'} without details`;
  if (named === 0) return `${head} and without room for names`;
  return `${head}: ${lists.join(', ')}${missing > 0 ? `; ${missing} of them ${missing === 1 ? 'is' : 'are'} not named here` : ''}`;
}
