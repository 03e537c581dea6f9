import {
  type Attribute,
  type Catalog,
  type Dialect,
  indexSchema,
  qualifiedName,
  quoteIfNeeded,
  type Relation,
  type RelationId,
  type SchemaIndex,
} from '@askema/core';
import type { RelevantRelation } from './exploration.ts';
import type { ExploreColumnsOutput } from './tasks/explore-columns.ts';

/** Names of one answer that are looked up. */
const MAX_RELATIONS = 200;
const MAX_ATTRIBUTES = 500;
/** Relations of one name, in several schemas, that a bare name may mean. */
const MAX_NAMESAKES = 8;

/**
 * What the model named, as it stands in the catalog: relations under any part of their qualified name, quotes left out,
 * each once. A name without quotes is also looked for as the engine stores it. A bare name that relations of several
 * schemas have means each of them. Names that do not exist are counted.
 */
export function resolveRelevant(
  named: ExploreColumnsOutput['relevant'],
  catalog: Catalog,
  dialect: Dialect,
): { readonly relevant: readonly RelevantRelation[]; readonly unknown: number } {
  const index = indexSchema(catalog);
  const found = new Map<string, RelevantRelation>();
  let unknown = 0;
  for (const { relation: name, attributes } of named.slice(0, MAX_RELATIONS)) {
    const wanted = attributes.slice(0, MAX_ATTRIBUTES).map(lastName);
    const relations = relationsCalled(bare(name), index, dialect);
    if (relations.length === 0) unknown += 1;
    else
      unknown += wanted.filter((each) =>
        relations.every(({ id }) => !attributeCalled(id, each, index, dialect)),
      ).length;
    for (const { id: relation } of relations) {
      const info = catalog.relations[relation];
      if (info === undefined) continue;
      const known = wanted.flatMap((each) => attributeCalled(relation, each, index, dialect)?.id ?? []);
      const ids = new Set([...(found.get(relation)?.attributeIds ?? []), ...known]);
      const kept = index.attributesOf(relation).filter(({ id }) => ids.has(id));
      found.set(relation, {
        relation: qualifiedName(info.nameParts, dialect),
        attributes: kept.map((attribute) => quoteIfNeeded(attribute.name, dialect)),
        relationId: relation,
        attributeIds: kept.map(({ id }) => id),
      });
    }
  }
  return { relevant: [...found.values()], unknown };
}

function relationsCalled(name: string, index: SchemaIndex, dialect: Dialect): readonly Relation[] {
  const exact = index.relationsNamed(name);
  return (exact.length > 0 ? exact : index.relationsNamed(folded(name, dialect))).slice(0, MAX_NAMESAKES);
}

function attributeCalled(
  relation: RelationId,
  name: string,
  index: SchemaIndex,
  dialect: Dialect,
): Attribute | undefined {
  return index.attributeNamed(relation, name) ?? index.attributeNamed(relation, folded(name, dialect));
}

/** As the engine stores what is written without quotes. */
function folded(name: string, { identifiers }: Dialect): string {
  if (identifiers.unquotedFolding === 'none') return name;
  return identifiers.unquotedFolding === 'upper' ? name.toUpperCase() : name.toLowerCase();
}

function bare(name: string): string {
  return name.replace(/["`[\]]/g, '').trim();
}

/** Of `orders.status` the attribute; of `"status" (TEXT)` the name. */
function lastName(name: string): string {
  const quoted = /["`[]([^"`\]]+)["`\]](?:\s*\([^)]*\))?\s*$/.exec(name)?.[1];
  return (
    quoted ??
    bare(name)
      .replace(/\s+\([^)]*\)$/, '')
      .split('.')
      .at(-1) ??
    name
  );
}
