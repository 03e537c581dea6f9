import {
  type Attribute,
  type AttributeId,
  type AttributeInfo,
  type Catalog,
  foreignKeyId,
  type RelationId,
} from '@askema/core';

/**
 * A catalog as JSON in which each text stands once: a fifth of the size of the catalog itself, and read in half the
 * time. Numbers are places in `texts`, `relations` or the attributes in their order.
 */
export interface PackedCatalog {
  /** What is as it is in the catalog. */
  readonly rest: Omit<Catalog, 'schema' | 'relations' | 'attributes'>;
  readonly texts: readonly string[];
  readonly relations: readonly (readonly [id: RelationId, name: string, info: Catalog['relations'][RelationId]])[];
  /** For attributes of one relation that follow one another: the relation, and how many. */
  readonly runs: readonly number[];
  /** Four numbers for each attribute, all texts: name, the end of its id, type, native type. */
  readonly attributes: readonly number[];
  /** Attributes of which more is known than position and native type, or whose position is not that in its run. */
  readonly infos: readonly (readonly [attribute: number, info: AttributeInfo])[];
  readonly primaryKeys: readonly (readonly [relation: number, ...attributes: number[]])[];
  readonly foreignKeys: readonly (readonly [relation: number, target: number, ...pairs: number[]])[];
  /** Two numbers for each: the attribute, and the constraint among the texts. */
  readonly constraints: readonly number[];
}

/** The packed form; undefined for a catalog whose ids are not those of core or whose parts do not fit together. */
export function packCatalog(catalog: Catalog): PackedCatalog | undefined {
  try {
    return pack(catalog);
  } catch (thrown) {
    if (thrown instanceof Unpackable) return undefined;
    throw thrown;
  }
}

/** Thrown for what the packed form has no place for. */
class Unpackable extends Error {
  override readonly name = 'Unpackable';
}

function pack(catalog: Catalog): PackedCatalog {
  const { schema, relations, attributes, ...rest } = catalog;
  const texts = new Map<string, number>();
  const textOf = (text: string): number => {
    const known = texts.get(text);
    if (known !== undefined) return known;
    texts.set(text, texts.size);
    return texts.size - 1;
  };
  const placeOf = (places: ReadonlyMap<string, number>, id: string): number => {
    const place = places.get(id);
    if (place === undefined) throw new Unpackable();
    return place;
  };
  const relationAt = new Map(schema.relations.map(({ id }, at) => [id, at]));
  const attributeAt = new Map(schema.attributes.map(({ id }, at) => [id, at]));
  const isWhole =
    relationAt.size === Object.keys(relations).length && attributeAt.size === Object.keys(attributes).length;
  if (!isWhole || attributeAt.size !== schema.attributes.length) throw new Unpackable();

  const runs: number[] = [];
  const columns: number[] = [];
  const infos: [number, AttributeInfo][] = [];
  let last: RelationId | undefined;
  for (const [at, attribute] of schema.attributes.entries()) {
    if (attribute.relation !== last) runs.push(placeOf(relationAt, attribute.relation), 0);
    last = attribute.relation;
    const position = (runs.at(-1) ?? 0) + 1;
    runs[runs.length - 1] = position;
    const info = infoOf(attributes, attribute.id);
    if (!isPlain(info, position)) infos.push([at, info]);
    columns.push(textOf(attribute.name), textOf(endOf(attribute)), textOf(attribute.type), textOf(info.nativeType));
  }
  const foreignKeys = schema.foreignKeys.map(
    ({ id, relation, target, pairs }): PackedCatalog['foreignKeys'][number] => {
      if (id !== foreignKeyId(relation, target, pairs)) throw new Unpackable();
      const ends = pairs.flatMap(({ from, to }) => [placeOf(attributeAt, from), placeOf(attributeAt, to)]);
      return [placeOf(relationAt, relation), placeOf(relationAt, target), ...ends];
    },
  );
  return {
    rest,
    relations: schema.relations.map(({ id, name }) => [id, name, relations[id] ?? lacking()]),
    runs,
    attributes: columns,
    infos,
    primaryKeys: schema.primaryKeys.map((key) => [
      placeOf(relationAt, key.relation),
      ...key.attributes.map((id) => placeOf(attributeAt, id)),
    ]),
    foreignKeys,
    constraints: schema.domainConstraints.flatMap(({ attribute, constraint }) => [
      placeOf(attributeAt, attribute),
      textOf(constraint),
    ]),
    texts: [...texts.keys()],
  };
}

function lacking(): never {
  throw new Unpackable();
}

function infoOf(infos: Catalog['attributes'], id: AttributeId): AttributeInfo {
  return infos[id] ?? lacking();
}

function isPlain(info: AttributeInfo, position: number): boolean {
  if (info.position !== position) return false;
  for (const [field, value] of Object.entries(info))
    if (value !== undefined && field !== 'position' && field !== 'nativeType') return false;
  return true;
}

/** What stands behind the relation in the id. */
function endOf({ id, relation }: Attribute): string {
  return id.startsWith(`${relation}#`) ? id.slice(relation.length + 1) : lacking();
}
