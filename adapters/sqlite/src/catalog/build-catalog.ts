import {
  type Attribute,
  type AttributeId,
  type AttributeInfo,
  attributeId,
  type Catalog,
  type CatalogGap,
  createNameFilter,
  type DomainConstraint,
  finishCatalog,
  foldName,
  logicalType,
  type Relation,
  type RelationId,
  type RelationInfo,
  type RelationKind,
  relationId,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { RawAttribute, RawCatalog, RawRelation } from '../protocol.ts';
import { buildForeignKeys } from './foreign-keys.ts';
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
  const readable = withoutBroken(
    raw,
    raw.relations.filter(([relation]) => passes({ relation })),
    gaps,
  );
  const definitions = readDefinitions(readable, gaps);
  const relations: Relation[] = readable.map(([relation]) => ({ id: relationId([relation]), name: relation }));
  const known = new Set(relations.map(({ id }) => id));
  const columns = buildAttributes(raw.attributes, known, definitions);
  const foreignKeys = buildForeignKeys(raw, { known, keys: columns.keys, passes, gaps });
  const uniqueKeys = buildUniqueKeys(raw, known);
  return finishCatalog({
    schemaVersion: 1,
    dialect: sqliteDialect.name,
    name,
    nameComparison: 'insensitive',
    schema: {
      relations,
      attributes: columns.attributes,
      primaryKeys: [...columns.keys].map(([relation, attributes]) => ({ relation, attributes })),
      foreignKeys,
      domainConstraints: [...columns.notNull, ...uniqueKeys.flatMap(uniqueConstraint)],
    },
    // From entries, because a table may be named __proto__.
    relations: Object.fromEntries(readable.map((relation) => relationEntry(relation, definitions))),
    attributes: columns.infos,
    uniqueKeys,
    checks: [...definitions].flatMap(([relation, { checks }]) =>
      checks.map((expression) => ({ relation, expression })),
    ),
    families: [],
    keyStanding: {},
    incomplete: gaps,
  });
}

function withoutBroken(raw: RawCatalog, relations: readonly RawRelation[], gaps: CatalogGap[]): RawRelation[] {
  const broken = new Map(raw.broken.map(({ relation, message }) => [relation, message]));
  return relations.filter(([relation, kind]) => {
    const message = broken.get(relation);
    if (message !== undefined)
      gaps.push({ subject: relation, reason: `this ${KINDS[kind]} cannot be read: ${message}` });
    return message === undefined;
  });
}

function readDefinitions(relations: readonly RawRelation[], gaps: CatalogGap[]): Map<RelationId, TableDefinition> {
  const definitions = new Map<RelationId, TableDefinition>();
  for (const [relation, kind, sql] of relations) {
    if (kind !== 'table') continue;
    const definition = sql === null ? undefined : readTableDefinition(sql);
    if (definition !== undefined) definitions.set(relationId([relation]), definition);
    else
      gaps.push({
        subject: relation,
        reason: 'its CREATE TABLE could not be read: checks, collations and comments are missing',
      });
  }
  return definitions;
}

function relationEntry(
  [relation, kind, sql]: RawRelation,
  definitions: ReadonlyMap<RelationId, TableDefinition>,
): readonly [RelationId, RelationInfo] {
  const id = relationId([relation]);
  const info = {
    nameParts: { relation },
    kind: KINDS[kind],
    comment: definitions.get(id)?.comment,
    definition: kind === 'view' && sql !== null ? sql : undefined,
  };
  return [id, info];
}

interface Columns {
  readonly attributes: Attribute[];
  readonly infos: Record<AttributeId, AttributeInfo>;
  /** Primary keys in key order. */
  readonly keys: ReadonlyMap<RelationId, readonly AttributeId[]>;
  readonly notNull: DomainConstraint[];
}

function buildAttributes(
  raws: readonly RawAttribute[],
  known: ReadonlySet<RelationId>,
  definitions: ReadonlyMap<RelationId, TableDefinition>,
): Columns {
  const attributes: Attribute[] = [];
  const infos: Record<AttributeId, AttributeInfo> = {};
  const notNull: DomainConstraint[] = [];
  const keyParts = new Map<RelationId, { readonly position: number; readonly id: AttributeId }[]>();
  const positions = new Map<RelationId, number>();
  for (const [relationName, name, nativeType, isNotNull, defaultExpression, keyPosition, hidden] of raws) {
    const relation = relationId([relationName]);
    if (!known.has(relation) || hidden === INTERNAL_COLUMN) continue;
    const id = attributeId(relation, name);
    const position = (positions.get(relation) ?? 0) + 1;
    positions.set(relation, position);
    attributes.push({ id, relation, name, type: logicalType(nativeType, sqliteDialect) });
    const folded = foldName(name, 'insensitive');
    const definition = definitions.get(relation);
    infos[id] = {
      position,
      nativeType,
      comment: definition?.comments.get(folded),
      defaultExpression: defaultExpression ?? undefined,
      generated: hidden === 0 ? undefined : GENERATED[hidden],
      collation: definition?.collations.get(folded),
    };
    if (isNotNull) notNull.push({ attribute: id, constraint: 'not null' });
    if (keyPosition > 0) keyParts.set(relation, [...(keyParts.get(relation) ?? []), { position: keyPosition, id }]);
  }
  const keys = new Map(
    [...keyParts].map(([relation, parts]) => [
      relation,
      parts.toSorted((a, b) => a.position - b.position).map(({ id }) => id),
    ]),
  );
  return { attributes, infos, keys, notNull };
}

type UniqueKey = Catalog['uniqueKeys'][number];

function buildUniqueKeys(raw: RawCatalog, known: ReadonlySet<RelationId>): UniqueKey[] {
  const parts = new Map<string, { readonly relation: RelationId; readonly names: (string | null)[] }>();
  for (const [relationName, index, , attribute] of raw.uniqueKeys) {
    const relation = relationId([relationName]);
    if (!known.has(relation)) continue;
    const key = JSON.stringify([relation, index]);
    const entry = parts.get(key) ?? { relation, names: [] };
    entry.names.push(attribute);
    parts.set(key, entry);
  }
  const keys = new Map<string, UniqueKey>();
  for (const { relation, names } of parts.values()) {
    // An index over an expression says nothing of attributes.
    const attributes = names.flatMap((name) => (name === null ? [] : [attributeId(relation, name)]));
    if (attributes.length === names.length) keys.set(JSON.stringify(attributes), { relation, attributes });
  }
  return [...keys.values()];
}

function uniqueConstraint({ attributes }: UniqueKey): DomainConstraint[] {
  const [only, ...others] = attributes;
  return only === undefined || others.length > 0 ? [] : [{ attribute: only, constraint: 'unique' }];
}
