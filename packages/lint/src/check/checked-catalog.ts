import {
  type AttributeId,
  type Catalog,
  type CatalogGap,
  type Dialect,
  indexSchema,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';

/** What of a dialect the checks read. */
export type CheckedDialect = Pick<Dialect, 'displayName' | 'ddl'>;

/** A catalog with its look-up, and how its names stand in messages. */
export interface CheckedCatalog {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: CheckedDialect | undefined;
  /** With the schema in front where the engine has schemas, and the database where there are several. */
  relationName(id: RelationId): string;
  attributeName(id: AttributeId): string;
  /** `` `a` `` or `` (`a`, `b`) ``. */
  listed(attributes: readonly AttributeId[]): string;
  /** Declared keys without NULLs, the primary key first; attributes in key order. */
  keysOf(relation: RelationId): readonly (readonly AttributeId[])[];
  /** Foreign keys of the relation that refer to nothing. */
  lostForeignKeys(relation: RelationId): readonly CatalogGap[];
  /** Tables; views have neither keys nor rows of their own. */
  readonly tables: readonly RelationId[];
}

export function checkedCatalog(catalog: Catalog, dialect?: CheckedDialect): CheckedCatalog {
  const index = indexSchema(catalog);
  const hasSeveral = new Set(Object.values(catalog.relations).map(({ nameParts }) => nameParts.database)).size > 1;
  const relationName = (id: RelationId): string => {
    const { database, schema, relation } = catalog.relations[id]?.nameParts ?? {
      relation: index.relation(id)?.name ?? id,
    };
    return [hasSeveral ? database : undefined, schema, relation].filter((part) => part !== undefined).join('.');
  };
  const attributeName = (id: AttributeId): string => index.attribute(id)?.name ?? id;
  return {
    catalog,
    index,
    dialect,
    attributeName,
    relationName,
    lostForeignKeys: (relation) =>
      catalog.incomplete.filter(
        ({ subject, foreignKey }) =>
          foreignKey !== undefined &&
          [relationName(relation), catalog.relations[relation]?.nameParts.relation].includes(subject),
      ),
    listed(attributes) {
      const names = attributes.map((id) => `\`${attributeName(id)}\``);
      return names.length === 1 ? names.join() : `(${names.join(', ')})`;
    },
    keysOf(relation) {
      const primary = index.primaryKey(relation)?.attributes ?? [];
      const unique = [
        ...catalog.uniqueKeys.filter((key) => key.relation === relation).map(({ attributes }) => attributes),
        ...index.attributesOf(relation).flatMap(({ id }) => (index.isUnique(id) ? [[id]] : [])),
      ].filter((key) => key.every((id) => index.isNotNull(id) || primary.includes(id)));
      const keys = new Map<string, readonly AttributeId[]>();
      for (const key of [primary, ...unique])
        if (key.length > 0 && !keys.has(key.toSorted().join('\n'))) keys.set(key.toSorted().join('\n'), key);
      return [...keys.values()];
    },
    tables: catalog.schema.relations
      .map(({ id }) => id)
      .filter((id) => !['view', 'materialized view'].includes(catalog.relations[id]?.kind ?? 'table')),
  };
}
