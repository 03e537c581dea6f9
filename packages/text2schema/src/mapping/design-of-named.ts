import { synthesize3NF } from '@askema/core';
import type { DesignedRelation, LogicalDesign, NamedSchema } from '../model/index.ts';
import { namedSchemaOf, schemaOfNamed } from './named-schema.ts';

/**
 * A design for a schema that came without dependencies, as baselines write it: the primary key of a relation determines its other attributes,
 * which says nothing about what else may hold. A relation without a primary key has no dependencies. `findings` are those of `schemaOfNamed`.
 */
export function designOfNamed(named: NamedSchema): LogicalDesign {
  const { schema, findings } = schemaOfNamed(named);
  const relations: DesignedRelation[] = [];
  const decompositions: LogicalDesign['decompositions'][number][] = [];
  for (const [at, { name, attributes, primaryKey }] of namedSchemaOf(schema).relations.entries()) {
    const names = attributes.map((attribute) => attribute.name);
    const right = names.filter((one) => !primaryKey.includes(one));
    const dependencies = primaryKey.length === 0 || right.length === 0 ? [] : [{ left: primaryKey, right }];
    decompositions.push(synthesize3NF({ name, attributes: names, dependencies }, { preferredKey: primaryKey }));
    relations.push({
      relation: schema.relations[at]?.id ?? '',
      name,
      source: { set: name, kind: 'entity' },
      absorbed: [],
      dependencies,
      candidateKeys: primaryKey.length === 0 ? [] : [primaryKey],
    });
  }
  return { schema, relations, decompositions, findings };
}
