import { type Catalog, type Dialect, indexSchema, qualifiedName, quoteIfNeeded } from '@askema/core';
import type { ExploreColumnsOutput } from '../tasks/explore-columns.ts';
import type { RelevantRelation } from './exploration.ts';

/** Names of one answer that are looked up. */
const MAX_RELATIONS = 200;
const MAX_ATTRIBUTES = 500;

/**
 * What the model named, as it stands in the catalog: relations under any part of their qualified name, quotes left out, each once. Names
 * that do not exist are counted.
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
    const [relation] = index.relationsNamed(bare(name));
    const info = relation && catalog.relations[relation.id];
    if (relation === undefined || info === undefined) {
      unknown += 1;
      continue;
    }
    const known = attributes
      .slice(0, MAX_ATTRIBUTES)
      .map((attribute) => index.attributeNamed(relation.id, lastName(attribute)));
    unknown += known.filter((attribute) => attribute === undefined).length;
    const before = found.get(relation.id);
    const ids = new Set([...(before?.attributeIds ?? []), ...known.flatMap((attribute) => attribute?.id ?? [])]);
    const kept = index.attributesOf(relation.id).filter(({ id }) => ids.has(id));
    found.set(relation.id, {
      relation: qualifiedName(info.nameParts, dialect),
      attributes: kept.map((attribute) => quoteIfNeeded(attribute.name, dialect)),
      relationId: relation.id,
      attributeIds: kept.map(({ id }) => id),
    });
  }
  return { relevant: [...found.values()], unknown };
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
