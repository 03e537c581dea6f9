import type { Schema } from '@askema/core';
import { type ComparedSchema, comparedSchemaOf } from '../schemas/compared-schema.ts';

/** A schema as a judge reads it. Not null and unique stand only where the primary key does not say them. */
export function schemaLines(schema: Schema | ComparedSchema): string {
  return comparedSchemaOf(schema)
    .relations.map(({ name, attributes, primaryKey, foreignKeys }, position) => {
      const said = saidOf(schema, position);
      const columns = attributes.map((attribute) => {
        const more = primaryKey.includes(attribute.name) ? [] : (said.get(attribute.name) ?? []);
        return [attribute.name, ...(attribute.type === undefined ? [] : [attribute.type]), ...more].join(' ');
      });
      return [
        `${name}(${columns.join(', ')})`,
        `  key: ${primaryKey.join(', ') || 'none'}`,
        ...foreignKeys.map(
          (key) => `  ${key.attributes.join(', ')} references ${key.target}(${key.targetAttributes.join(', ')})`,
        ),
      ].join('\n');
    })
    .join('\n');
}

/** Constraints by the names of the attributes of the relation at this position; people's schemas have none. */
function saidOf(schema: Schema | ComparedSchema, position: number): ReadonlyMap<string, readonly string[]> {
  if (!('domainConstraints' in schema)) return new Map();
  const { attributes, domainConstraints, relations } = schema;
  return new Map(
    attributes
      .filter(({ relation }) => relation === relations[position]?.id)
      .map(({ id, name }) => [
        name,
        domainConstraints.filter(({ attribute }) => attribute === id).map(({ constraint }) => constraint),
      ]),
  );
}
