import { type AttributeInfo, type Catalog, foreignKeyId, type RelationId } from '@askema/core';

/**
 * A catalog as JSON in which most texts stand once: a third of the size of the catalog itself, and read in half the
 * time. Numbers are places in `texts`, `relations` or the attributes in their order.
 */
export interface PackedCatalog {
  /** What is as it is in the catalog. */
  readonly rest: Omit<Catalog, 'schema' | 'relations' | 'attributes'>;
  readonly texts: readonly string[];
  readonly relations: readonly (readonly [id: RelationId, name: string, info: Catalog['relations'][RelationId]])[];
  /** For attributes of one relation that follow one another: the relation, and how many. */
  readonly runs: readonly number[];
  /** For each attribute in their order, its place among the columns. */
  readonly attributes: readonly number[];
  /**
   * Columns that tables have in common, and others. Four numbers for each: three texts, which are the id of an attribute
   * without that of its relation, its name and its type, and what is known of it, among `infos`.
   */
  readonly columns: readonly number[];
  /** Most attributes are told apart by nothing but their names: those at one position, of one type, share an entry. */
  readonly infos: readonly AttributeInfo[];
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

/** No file holds as many. */
const MOST_TEXTS = 2 ** 26;

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
  const places: number[] = [];
  const columns: number[] = [];
  const columnAt = new Map<number, number>();
  const placeOfColumn = (own: number, name: number, type: number, info: number): number => {
    const key = info * MOST_TEXTS + name;
    const place = columnAt.get(key) ?? columns.length;
    if (columns[place] === own && columns[place + 2] === type) return place / 4;
    columnAt.set(key, columns.length);
    return (columns.push(own, name, type, info) - 4) / 4;
  };
  const infos = new Map<string, readonly [place: number, info: AttributeInfo]>();
  const placeOfInfo = (info: AttributeInfo): number => {
    const text = JSON.stringify(info);
    const found = infos.get(text) ?? [infos.size, info];
    infos.set(text, found);
    return found[0];
  };
  let last: RelationId | undefined;
  for (const { id, relation, name, type } of schema.attributes) {
    const start = `${relation}#`;
    if (!id.startsWith(start)) throw new Unpackable();
    if (relation !== last) runs.push(placeOf(relationAt, relation), 0);
    last = relation;
    runs.push((runs.pop() ?? 0) + 1);
    const [own, named] = [id.slice(start.length), textOf(name)];
    const ownAt = own === name ? named : textOf(own);
    places.push(placeOfColumn(ownAt, named, textOf(type), placeOfInfo(attributes[id] ?? lacking())));
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
    attributes: places,
    columns,
    infos: [...infos.values()].map(([, info]) => info),
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
