import { type AttributeId, type Catalog, type ForeignKey, foreignKeyId, indexSchema } from '@askema/core';
import type { BoundDataset, BoundKnowledge, BoundRelationship } from '../bind/bound-knowledge.ts';

/** The catalog with the keys and links that the knowledge declares, so that checks of joins know them. */
export function withDeclaredKeys({ catalog, datasets, relationships }: BoundKnowledge): Catalog {
  const { schema } = catalog;
  const index = indexSchema(catalog);
  const idsOf = ({ relation }: BoundDataset, columns: readonly string[]): readonly AttributeId[] => {
    const attributes = relation === undefined ? [] : index.attributesOf(relation);
    return columns.flatMap((column) => attributes.find(({ name }) => name === column)?.id ?? []);
  };
  const uniqueKeys = [...datasets.values()].flatMap((dataset) => {
    const { relation, keys } = dataset;
    return relation === undefined ? [] : keys.map((key) => ({ relation, attributes: idsOf(dataset, key) }));
  });
  const keyOf = ({ from, to, pairs }: BoundRelationship): ForeignKey[] => {
    const [relation, target] = [from.relation, to.relation];
    if (relation === undefined || target === undefined) return [];
    const ends = idsOf(
      from,
      pairs.map((pair) => pair.from.name),
    );
    const targets = idsOf(
      to,
      pairs.map((pair) => pair.to.name),
    );
    const linked = ends.flatMap((end, at) => (targets[at] === undefined ? [] : [{ from: end, to: targets[at] }]));
    if (linked.length === 0 || linked.length < pairs.length) return [];
    return [{ id: foreignKeyId(relation, target, linked), relation, target, pairs: linked }];
  };
  const declared = new Set(schema.foreignKeys.map(({ id }) => id));
  const foreignKeys = relationships.flatMap(keyOf).filter(({ id }) => !declared.has(id));
  const standing = foreignKeys.map(({ id }) => [id, 'informational'] as const);
  return {
    ...catalog,
    schema: { ...schema, foreignKeys: [...schema.foreignKeys, ...foreignKeys] },
    uniqueKeys: [...catalog.uniqueKeys, ...uniqueKeys.filter(({ attributes }) => attributes.length > 0)],
    keyStanding: { ...catalog.keyStanding, ...Object.fromEntries(standing) },
  };
}
