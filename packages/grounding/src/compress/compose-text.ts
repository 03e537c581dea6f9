import type { Catalog } from '@askema/core';
import { oneLine } from '@askema/core';
import { groupSheets } from './group-sheets.ts';
import type { Brackets } from './name-patterns.ts';
import { legend, makeNotation, type Notation } from './notation.ts';
import type { Sheet } from './relation-sheet.ts';
import type { Detail, RemarkSource } from './remarks.ts';
import { writeBlock } from './write-block.ts';

const GAP_CHARACTERS = 240;

/** What a text shows. */
export interface Selection {
  /** In the order of the catalog; some may have lost columns. */
  readonly shown: readonly Sheet[];
  readonly detail: Detail;
  /** Of the whole catalog, see `chooseBrackets`. */
  readonly brackets: Brackets | undefined;
  /** More differences between relations of unlike names: shorter, but harder to read. */
  readonly isTight?: boolean | undefined;
}

/** The text of a selection: notation, blocks, a line about what is left out if there is one, gaps. */
export function composeText(
  source: RemarkSource,
  { shown, detail, brackets, isTight }: Selection,
): (leftOut?: (notation: Notation) => string) => string {
  const notation = makeNotation(shown, brackets);
  const blocks = groupSheets(shown, isTight).map((block) => writeBlock(source, block, notation, detail));
  return (leftOut) => {
    const rest = leftOut === undefined ? [] : [leftOut(notation)];
    return [...legend(notation), ...blocks, ...rest, ...gapLines(source.catalog)].join('\n\n');
  };
}

/** What the catalog could not read, so that nobody takes the text for whole. */
export function gapLines({ incomplete }: Catalog): string[] {
  return incomplete
    .filter(({ affects }) => affects !== 'counts')
    .map(({ subject, reason }) => oneLine(`-- Not read: ${subject}: ${reason}`, GAP_CHARACTERS));
}
