import type { Catalog, CompressOptions } from '@askema/core';
import { indexSchema, oneLine, qualifiedName, quoteIfNeeded } from '@askema/core';
import type { DecodedRelation } from './decode.ts';

/**
 * For tests and measurements: relations, columns and types of a catalog as the text writes them, made without the
 * compressor.
 */
export function expectedRelations(
  catalog: Catalog,
  dialect: NonNullable<CompressOptions['dialect']>,
): Map<string, Map<string, string>> {
  const index = indexSchema(catalog);
  return new Map(
    catalog.schema.relations.map(({ id, name }) => [
      oneLine(qualifiedName(catalog.relations[id]?.nameParts ?? { relation: name }, dialect)),
      new Map(
        index
          .attributesOf(id)
          .map((attribute) => [
            oneLine(quoteIfNeeded(attribute.name, dialect)),
            oneLine(catalog.attributes[attribute.id]?.nativeType ?? attribute.type),
          ]),
      ),
    ]),
  );
}

/** What the decoded text lacks, has beyond or has otherwise, in words; empty when both are equal. */
export function differences(
  expected: ReadonlyMap<string, ReadonlyMap<string, string>>,
  decoded: ReadonlyMap<string, DecodedRelation>,
): string[] {
  const found: string[] = [];
  for (const [name, columns] of expected) {
    const relation = decoded.get(name);
    if (relation === undefined) {
      found.push(`${name} is missing`);
      continue;
    }
    for (const [column, type] of columns) {
      const got = relation.columns.get(column);
      if (got?.type !== type) found.push(`${name}.${column} is ${got?.type ?? 'missing'} instead of ${type}`);
    }
    for (const column of relation.columns.keys()) if (!columns.has(column)) found.push(`${name}.${column} is invented`);
  }
  for (const name of decoded.keys()) if (!expected.has(name)) found.push(`${name} is invented`);
  return found;
}
