import type { Attribute, Catalog, RelationId, SchemaIndex } from '@askema/core';
import { eastAsianWidth } from 'get-east-asian-width';

/** Sizes in points. */
export const FONT_SIZE = 12;
export const PADDING = 8;
const ROW_HEIGHT = 22;

/** Longer names are cut in the drawing; the title of the table has them whole. */
const MAX_NAME_COLUMNS = 60;
const MAX_TYPE_COLUMNS = 24;

/** The colour of the names of tables; no other text has it. */
export const HEAD_TEXT = '#ffffff';

/** Colours that keep a contrast of at least 4.5 to 1 with what they stand on. */
const COLOURS = {
  line: '#57606a',
  head: '#24527a',
  headText: '#ffffff',
  text: '#1f2328',
  type: '#57606a',
  key: '#f3f6f9',
};

/** The name of a relation as people read it, with its qualifiers. */
export function relationLabel(catalog: Catalog | undefined, index: SchemaIndex, relation: RelationId): string {
  const parts = catalog?.relations[relation]?.nameParts ?? { relation: index.relation(relation)?.name ?? relation };
  return visible([parts.database, parts.schema, parts.relation].filter((part) => part !== undefined).join('.'));
}

interface Row {
  readonly port: string;
  readonly name: string;
  readonly type: string;
  readonly marks: string;
  readonly isKey: boolean;
}

/** The name of the cell of an attribute: its position among those of the relation. */
export function portOf(index: SchemaIndex, attribute: Attribute): string {
  return `c${index.attributesOf(attribute.relation).findIndex(({ id }) => id === attribute.id)}`;
}

/**
 * A relation as an HTML-like label of Graphviz (https://graphviz.org/doc/info/shapes.html#html): the name above, a row
 * for each attribute with its marks (PK, FK, UK), name and type. Every cell has its width from {@link textWidth}.
 *
 * Graphviz sees no text of the schema: each stands in `texts`, and its number, tiny, in the label. So nothing that
 * Graphviz thinks of the width of a letter moves anything, and no name is ever read as markup.
 */
export function tableLabel(
  catalog: Catalog | undefined,
  index: SchemaIndex,
  relation: RelationId,
  texts: string[],
): string {
  const title = cutText(relationLabel(catalog, index, relation), MAX_NAME_COLUMNS);
  const rows = index.attributesOf(relation).map((attribute, position) => row(catalog, index, attribute, position));
  const widthOf = (list: readonly string[], extra = 0): number =>
    Math.max(0, ...list.map((text) => textWidth(text, FONT_SIZE))) + 2 * PADDING + extra;
  const marks = widthOf(rows.map((each) => each.marks));
  const types = widthOf(rows.map(({ type }) => type));
  // The names give way to a long title, which is bold and a little wider.
  const names = Math.max(widthOf(rows.map(({ name }) => name)), widthOf([title], FONT_SIZE) - marks - types);
  const head = `<TR><TD COLSPAN="3" PORT="head" ALIGN="LEFT" BGCOLOR="${COLOURS.head}"${size(marks + names + types)}>${numbered(texts, title, HEAD_TEXT)}</TD></TR>`;
  const body = rows.map(({ port, name, type, marks: text, isKey }) => {
    const background = isKey ? ` BGCOLOR="${COLOURS.key}"` : '';
    const cells = [
      cell(texts, text, marks, `${background} PORT="${port}w"`, COLOURS.type),
      cell(texts, name, names, background, COLOURS.text),
      cell(texts, type, types, `${background} PORT="${port}e"`, COLOURS.type),
    ];
    return `<TR>${cells.join('')}</TR>`;
  });
  return `<TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" COLOR="${COLOURS.line}" BGCOLOR="#ffffff">${head}${body.join('')}</TABLE>`;
}

function row(catalog: Catalog | undefined, index: SchemaIndex, attribute: Attribute, position: number): Row {
  const { id, relation } = attribute;
  const isKey = index.primaryKey(relation)?.attributes.includes(id) ?? false;
  const isForeign = index.foreignKeysFrom(relation).some(({ pairs }) => pairs.some(({ from }) => from === id));
  const marks = [
    isKey ? 'PK' : '',
    isForeign ? 'FK' : '',
    index.constraintsOn(id).includes('unique') ? 'UK' : '',
  ].filter((mark) => mark !== '');
  const native = catalog?.attributes[id]?.nativeType;
  const type = native === undefined || native === '' ? attribute.type : native;
  const isOptional = !isKey && !index.isNotNull(id);
  return {
    port: `c${position}`,
    name: cutText(visible(attribute.name), MAX_NAME_COLUMNS),
    type: `${cutText(visible(type), MAX_TYPE_COLUMNS)}${isOptional ? '?' : ''}`,
    marks: marks.join(' '),
    isKey,
  };
}

function cell(texts: string[], text: string, width: number, attributes: string, colour: string): string {
  return `<TD ALIGN="LEFT"${size(width)}${attributes}>${numbered(texts, text, colour)}</TD>`;
}

/** The number of a text in `texts`, too small to need room. */
function numbered(texts: string[], text: string, colour: string): string {
  texts.push(text);
  return `<FONT POINT-SIZE="1" COLOR="${colour}">t${texts.length - 1}</FONT>`;
}

function size(width: number): string {
  return ` WIDTH="${width}" HEIGHT="${ROW_HEIGHT}" FIXEDSIZE="TRUE"`;
}

/**
 * How wide a text is in a monospaced font, in points. Graphviz has no fonts here and takes every character for a Latin
 * one, so that it is told: a Latin letter is 0.6 of the size in the usual fonts (0.602 in DejaVu Sans Mono, 0.6 in
 * Courier New, 0.55 in Consolas), an East Asian wide one the whole size, sometimes a little more where a fallback font
 * is used. Combining marks have no width.
 */
export function textWidth(text: string, fontSize: number): number {
  let units = 0;
  for (const character of text) {
    if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(character)) continue;
    units += eastAsianWidth(character.codePointAt(0) ?? 0) === 2 ? 1.05 : 0.61;
  }
  return Math.ceil(units * fontSize);
}

/** A text on one line that fits into so many columns (a wide character takes two), cut with an ellipsis. */
function cutText(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    const width = eastAsianWidth(character.codePointAt(0) ?? 0);
    if (used + width > columns) return `${kept}…`;
    used += width;
    kept += character;
  }
  return kept;
}

/**
 * A text for XML: what XML 1.0 cannot hold, and line breaks, become visible marks; quotes and brackets become entities.
 */
export function xmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Control characters as their pictures, line breaks too; surrogates that stand alone and non-characters as U+FFFD. */
export function visible(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      if (code === 0x7f) return '\u2421';
      const isOdd =
        (code >= 0x80 && code <= 0x9f) ||
        (code >= 0xd800 && code <= 0xdfff) ||
        (code & 0xfffe) === 0xfffe ||
        isDirection(code);
      return isOdd || code === 0x2028 || code === 0x2029 ? '\ufffd' : character;
    })
    .join('');
}

/** Marks that turn the direction of everything behind them. */
function isDirection(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}
