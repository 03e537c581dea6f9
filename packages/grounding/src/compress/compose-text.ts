import type { Catalog } from '@askema/core';
import { oneLine } from '@askema/core';
import { groupSheets } from './group-sheets.ts';
import { legend, makeNotation, type Notation } from './notation.ts';
import type { Sheet } from './relation-sheet.ts';
import type { Detail, RemarkSource } from './remarks.ts';
import { writeBlock, writeNames } from './write-block.ts';

const GAP_CHARACTERS = 240;

/** What a text shows. */
export interface Selection {
  /** In the order of the catalog; some may have lost columns. */
  readonly shown: readonly Sheet[];
  /** Only named, as far as there is room. */
  readonly unshown: readonly Sheet[];
  /** Room for the names of what is not shown, in characters. */
  readonly nameCharacters: number;
  readonly detail: Detail;
  /** More differences between relations of unlike names: shorter, but harder to read. */
  readonly isTight?: boolean | undefined;
}

/** The text of a selection: notation, blocks, names of what is left out, gaps. */
export function composeText(source: RemarkSource, selection: Selection): string {
  const { shown, unshown, nameCharacters, detail, isTight } = selection;
  const notation = makeNotation([...shown, ...unshown]);
  const blocks = groupSheets(shown, isTight).map((block) => writeBlock(source, block, notation, detail));
  const rest = unshown.length === 0 ? [] : [namesOfUnshown(unshown, nameCharacters, notation)];
  return [...legend(notation), ...blocks, ...rest, ...gapLines(source.catalog)].join('\n\n');
}

/** What the catalog could not read, so that nobody takes the text for whole. */
export function gapLines({ incomplete }: Catalog): string[] {
  return incomplete
    .filter(({ affects }) => affects !== 'counts')
    .map(({ subject, reason }) => oneLine(`-- Not read: ${subject}: ${reason}`, GAP_CHARACTERS));
}

/** Names by schema, whole ones only; how many are not even named is said. */
function namesOfUnshown(unshown: readonly Sheet[], maxCharacters: number, notation: Notation): string {
  const places = Map.groupBy(unshown, ({ qualifier }) => qualifier);
  const lists: string[] = [];
  let characters = 0;
  let named = 0;
  const relations = (count: number): string => `${count} more relation${count === 1 ? '' : 's'}`;
  for (const [qualifier, sheets] of places) {
    let last = '';
    for (const part of namePortions(sheets, notation)) {
      const text = last === '' ? `${qualifier}${part.text}` : part.text;
      if (characters + text.length + 2 > maxCharacters) break;
      characters += text.length + 2;
      named += part.count;
      last = text;
      lists.push(text);
    }
  }
  const missing = unshown.length - named;
  const head = `-- ${relations(unshown.length)} without details`;
  if (named === 0) return `${head} and without room for names`;
  return `${head}: ${lists.join(', ')}${missing > 0 ? `; ${missing} of them ${missing === 1 ? 'is' : 'are'} not named here` : ''}`;
}

/** One portion for each family of names: its patterns and how many names they stand for. */
function namePortions(sheets: readonly Sheet[], notation: Notation): { text: string; count: number }[] {
  const shapes = Map.groupBy(sheets, ({ name }) => name.replace(/\d+/g, '0'));
  return [...shapes.values()].map((group) => ({ text: writeNames(group, notation).join(', '), count: group.length }));
}
