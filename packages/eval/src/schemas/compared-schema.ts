import { type DataType, relationNameParts, type Schema } from '@askema/core';
import type { NamedSchema } from '@askema/text2schema';

/** A schema as scorers see it: names, and types where they are known. A {@link NamedSchema} is one. Plain JSON. */
export interface ComparedSchema {
  readonly relations: readonly ComparedRelation[];
}

/** A table of a {@link ComparedSchema}; attributes of its keys are named as they are written there. */
export interface ComparedRelation {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly type: DataType | undefined }[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ComparedForeignKey[];
}

/** The attributes of both sides in the same order. */
export interface ComparedForeignKey {
  readonly attributes: readonly string[];
  readonly target: string;
  readonly targetAttributes: readonly string[];
}

/** The form in which scorers compare; a 5-tuple loses its ids, nothing else is changed. */
export function comparedSchemaOf(schema: Schema | NamedSchema | ComparedSchema): ComparedSchema {
  return 'primaryKeys' in schema ? fromTuple(schema) : schema;
}

function fromTuple(schema: Schema): ComparedSchema {
  const relationNames = new Map(schema.relations.map((relation) => [relation.id, relation.name]));
  const attributeNames = new Map(schema.attributes.map((attribute) => [attribute.id, attribute.name]));
  const nameOf = (id: string): string => attributeNames.get(id) ?? id.slice(id.indexOf('#') + 1);
  return {
    relations: schema.relations.map(({ id, name }) => ({
      name,
      attributes: schema.attributes.flatMap((each) =>
        each.relation === id ? [{ name: each.name, type: each.type }] : [],
      ),
      primaryKey: schema.primaryKeys.flatMap((key) => (key.relation === id ? key.attributes.map(nameOf) : [])),
      foreignKeys: schema.foreignKeys.flatMap((key) =>
        key.relation === id
          ? [
              {
                attributes: key.pairs.map((pair) => nameOf(pair.from)),
                target: relationNames.get(key.target) ?? relationNameParts(key.target).at(-1) ?? key.target,
                targetAttributes: key.pairs.map((pair) => nameOf(pair.to)),
              },
            ]
          : [],
      ),
    })),
  };
}

/**
 * The form under which two spellings of one name are the same: case, blanks and separators do not count, letters and
 * digits do.
 */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();
}
