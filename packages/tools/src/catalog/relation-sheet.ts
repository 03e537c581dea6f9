import {
  type Attribute,
  type AttributeId,
  type Catalog,
  type Dialect,
  indexSchema,
  qualifiedName,
  quoteIfNeeded,
  type Relation,
  type RelationId,
} from '@askema/core';
import { cutText, jsonLength } from '../reply/cut-text.ts';

export const DETAILS = ['names', 'summary', 'full'] as const;

type Detail = (typeof DETAILS)[number];

/** A relation as a search tells it: structure, never cells. */
export interface RelationSheet {
  /** As SQL. */
  readonly name: string;
  readonly kind?: string;
  readonly comment?: string;
  readonly rows?: number;
  /** True where `rows` is an estimate. */
  readonly isEstimate?: boolean;
  readonly key?: readonly string[];
  readonly references?: readonly ReferenceSheet[];
  readonly columns?: readonly (string | ColumnSheet)[];
  /** Columns that are left out. */
  readonly moreColumns?: number;
}

interface ReferenceSheet {
  readonly columns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** Nobody declared it: names and values speak for it. */
  readonly inferred?: boolean;
}

interface ColumnSheet {
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  readonly notNull?: boolean;
  readonly unique?: boolean;
  readonly masked?: boolean;
}

export interface SheetOptions {
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly detail: Detail;
  /** How much the name and the comment of a column are asked for: such columns come first. */
  readonly likenessOf: (texts: readonly (string | undefined)[]) => number;
  /** Characters of the columns; the first is there in any case. */
  readonly room: number;
}

/** Columns and references of a summary. */
const SUMMARY_ITEMS = 15;
const COMMENT_CHARACTERS = 300;
const TYPE_CHARACTERS = 200;
const NAME_CHARACTERS = 500;

/** What a catalog tells of a relation, in that detail. */
export function relationSheet({ id }: Relation, options: SheetOptions): RelationSheet {
  const { catalog, dialect, detail } = options;
  const name = nameOf(id, options);
  if (detail === 'names') return { name };
  const index = indexSchema(catalog);
  const info = catalog.relations[id];
  const columnName = (attribute: AttributeId): string => columnOf(index.attribute(attribute), dialect);
  const key = (index.primaryKey(id)?.attributes ?? []).map(columnName);
  const references = index
    .foreignKeysFrom(id)
    .slice(0, SUMMARY_ITEMS)
    .map(({ id: key, target, pairs }) => ({
      columns: pairs.map(({ from }) => columnName(from)),
      to: nameOf(target, options),
      toColumns: pairs.map(({ to }) => columnName(to)),
      ...(catalog.keyStanding[key] === 'inferred' ? { inferred: true } : {}),
    }));
  return {
    name,
    ...(info === undefined ? {} : { kind: info.kind }),
    ...commentOf(info?.comment),
    ...(info?.rowCount === undefined ? {} : { rows: info.rowCount }),
    ...(info?.rowCount === undefined || info.rowCountExact === true ? {} : { isEstimate: true }),
    ...(key.length === 0 ? {} : { key }),
    ...(references.length === 0 ? {} : { references }),
    ...columnsOf(id, options),
  };
}

function columnsOf(id: RelationId, options: SheetOptions): Pick<RelationSheet, 'columns' | 'moreColumns'> {
  const { catalog, dialect, detail, likenessOf } = options;
  const all = indexSchema(catalog).attributesOf(id);
  const likeness = new Map(all.map((one) => [one, likenessOf([one.name, catalog.attributes[one.id]?.comment])]));
  const inOrder = [...all].sort((a, b) => (likeness.get(b) ?? 0) - (likeness.get(a) ?? 0));
  const columns: (string | ColumnSheet)[] = [];
  let { room } = options;
  for (const attribute of detail === 'full' ? inOrder : inOrder.slice(0, SUMMARY_ITEMS)) {
    const column = detail === 'full' ? columnSheet(attribute, options) : columnOf(attribute, dialect);
    room -= jsonLength(column) + 1;
    if (room < 0 && columns.length > 0) break;
    columns.push(column);
  }
  return { columns, ...(columns.length < all.length ? { moreColumns: all.length - columns.length } : {}) };
}

function columnSheet(attribute: Attribute, { catalog, dialect }: SheetOptions): ColumnSheet {
  const index = indexSchema(catalog);
  const info = catalog.attributes[attribute.id];
  return {
    name: columnOf(attribute, dialect),
    type: cutText(info === undefined || info.nativeType === '' ? attribute.type : info.nativeType, TYPE_CHARACTERS),
    ...commentOf(info?.comment),
    ...(index.isNotNull(attribute.id) ? { notNull: true } : {}),
    ...(index.isUnique(attribute.id) ? { unique: true } : {}),
    ...(info?.masked === true ? { masked: true } : {}),
  };
}

function nameOf(id: RelationId, { catalog, dialect }: Pick<SheetOptions, 'catalog' | 'dialect'>): string {
  const parts = catalog.relations[id]?.nameParts;
  const name = parts === undefined ? (indexSchema(catalog).relation(id)?.name ?? id) : qualifiedName(parts, dialect);
  return cutText(name, NAME_CHARACTERS);
}

function columnOf(attribute: Attribute | undefined, dialect: Dialect): string {
  return attribute === undefined ? '' : cutText(quoteIfNeeded(attribute.name, dialect), NAME_CHARACTERS);
}

function commentOf(comment: string | undefined): { readonly comment?: string } {
  return comment === undefined || comment === '' ? {} : { comment: cutText(comment, COMMENT_CHARACTERS) };
}
