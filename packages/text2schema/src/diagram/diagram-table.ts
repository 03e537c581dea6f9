import type { Attribute, Catalog, RelationId, SchemaIndex } from '@askema/core';
import { cutText, textWidth } from './cell-width.ts';
import { visible, xmlText } from './xml-text.ts';

/** Sizes in points. */
export const FONT_SIZE = 12;
const PADDING = 8;
const ROW_HEIGHT = 22;

/** Text at the left edge of a cell of a fixed size stays away from it by a blank; padding would be taken from the text. */
const INDENT = '&#160;';

/** Longer names are cut in the drawing; the title of the table has them whole. */
const MAX_NAME_COLUMNS = 60;
const MAX_TYPE_COLUMNS = 24;

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
 * A relation as an HTML-like label of Graphviz (https://graphviz.org/doc/info/shapes.html#html): the name above, a row for each attribute with its
 * marks (PK, FK, UK), name and type. Every cell has its width from {@link textWidth}.
 */
export function tableLabel(catalog: Catalog | undefined, index: SchemaIndex, relation: RelationId): string {
  const title = cutText(relationLabel(catalog, index, relation), MAX_NAME_COLUMNS);
  const rows = index.attributesOf(relation).map((attribute, position) => row(catalog, index, attribute, position));
  const widthOf = (texts: readonly string[], extra = 0): number =>
    Math.max(0, ...texts.map((text) => textWidth(text, FONT_SIZE))) + 2 * PADDING + extra;
  const marks = widthOf(rows.map((each) => each.marks));
  const types = widthOf(rows.map(({ type }) => type));
  // The last row of cells gives way, so that a long title has its place.
  const names = Math.max(widthOf(rows.map(({ name }) => name)), widthOf([title], FONT_SIZE) - marks - types);
  const head = `<TR><TD COLSPAN="3" PORT="head" ALIGN="LEFT" BGCOLOR="${COLOURS.head}"${size(marks + names + types)}><FONT COLOR="${COLOURS.headText}"><B>${INDENT}${title.trim() === '' ? '' : xmlText(title)}</B></FONT></TD></TR>`;
  const body = rows.map(({ port, name, type, marks: text, isKey }) => {
    const background = isKey ? ` BGCOLOR="${COLOURS.key}"` : '';
    const cells = [
      cell(text, marks, `${background} PORT="${port}w"`, COLOURS.type),
      cell(name, names, background, COLOURS.text),
      cell(type, types, `${background} PORT="${port}e"`, COLOURS.type),
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

/** Blanks around a text would be lost; an empty cell needs something to be a cell. */
function cell(text: string, width: number, attributes: string, colour: string): string {
  const content = text.trim() === '' ? '' : xmlText(text);
  return `<TD ALIGN="LEFT"${size(width)}${attributes}><FONT COLOR="${colour}">${INDENT}${content}</FONT></TD>`;
}

function size(width: number): string {
  return ` WIDTH="${width}" HEIGHT="${ROW_HEIGHT}" FIXEDSIZE="TRUE"`;
}
