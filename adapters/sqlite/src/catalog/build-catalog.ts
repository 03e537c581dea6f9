import { foreignKeysOf, groupRows, keysOf } from '@askema/adapter-kit';
import {
  buildCatalog as buildFromDraft,
  type Catalog,
  type CatalogGap,
  createNameFilter,
  type DraftAttribute,
  type DraftRelation,
  foldName,
  type RelationKind,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { RawAttribute, RawCatalog, RawForeignKeyPart, RawRelation, RawUniqueKeyPart } from '../protocol.ts';
import { readTableDefinition, type TableDefinition } from './table-definition.ts';

const KINDS: Readonly<Record<RawRelation[1], RelationKind>> = {
  table: 'table',
  view: 'view',
  virtual: 'virtual table',
};

/** `hidden` of pragma_table_xinfo. */
const INTERNAL_COLUMN = 1;
const GENERATED = { 2: 'virtual', 3: 'stored' } as const;

/** Makes the catalog of what SQLite says of itself; see RawCatalog. Row counts come later. */
export function buildCatalog(raw: RawCatalog, name: string, include: readonly string[] | undefined): Catalog {
  const passes = createNameFilter(include, 'insensitive');
  const gaps: CatalogGap[] = [];
  const leftOut = new Map<string, string>(raw.leftOut);
  const rows: RowsOf = {
    attributes: groupRows(raw.attributes, firstCell),
    foreignKeys: groupRows(raw.foreignKeys, firstCell),
    uniqueKeys: groupRows(raw.uniqueKeys, firstCell),
  };
  const relations: DraftRelation[] = [];
  for (const relation of raw.relations) {
    const [subject, kind] = relation;
    if (!passes({ relation: subject })) continue;
    const why = leftOut.get(subject);
    if (why === undefined) relations.push(draftOf(relation, rows, gaps));
    else gaps.push({ subject, reason: `this ${KINDS[kind]} cannot be read: ${why}` });
  }
  return buildFromDraft({ dialect: sqliteDialect, name, relations, gaps, include });
}

function firstCell([relation]: readonly [string, ...unknown[]]): readonly [string] {
  return [relation];
}

interface RowsOf {
  readonly attributes: (relation: string) => readonly RawAttribute[];
  readonly foreignKeys: (relation: string) => readonly RawForeignKeyPart[];
  readonly uniqueKeys: (relation: string) => readonly RawUniqueKeyPart[];
}

function draftOf([relation, kind, sql]: RawRelation, rows: RowsOf, gaps: CatalogGap[]): DraftRelation {
  const definition = kind !== 'table' || sql === null ? undefined : readTableDefinition(sql);
  if (kind === 'table' && definition === undefined)
    gaps.push({
      subject: relation,
      reason: 'its CREATE TABLE could not be read: checks, collations and comments are missing',
    });
  const attributes = rows.attributes(relation).filter(([, , , , , , hidden]) => hidden !== INTERNAL_COLUMN);
  const keyParts = attributes.filter(([, , , , , keyPosition]) => keyPosition > 0);
  return {
    nameParts: { relation },
    kind: KINDS[kind],
    comment: definition?.comment,
    definition: kind === 'view' && sql !== null ? sql : undefined,
    attributes: attributes.map((attribute) => draftAttribute(attribute, definition)),
    primaryKey: keyParts.toSorted((a, b) => a[5] - b[5]).map(([, column]) => column),
    // An index over an expression says nothing of attributes.
    uniqueKeys: [...keysOf(rows.uniqueKeys(relation), ([, id, , column]) => ({ id, column })).values()],
    // One without target columns means the target's primary key (https://sqlite.org/foreignkeys.html, section 3).
    foreignKeys: foreignKeysOf(rows.foreignKeys(relation), ([, id, , target, column, targetColumn]) => ({
      id,
      column,
      target: { relation: target },
      targetColumn,
    })),
    checks: definition?.checks,
  };
}

function draftAttribute(
  [, name, nativeType, isNotNull, defaultExpression, , hidden]: RawAttribute,
  definition: TableDefinition | undefined,
): DraftAttribute {
  const folded = foldName(name, 'insensitive');
  return {
    name,
    nativeType,
    notNull: isNotNull === 1,
    comment: definition?.comments.get(folded),
    defaultExpression: defaultExpression ?? undefined,
    generated: hidden === 2 || hidden === 3 ? GENERATED[hidden] : undefined,
    collation: definition?.collations.get(folded),
  };
}
