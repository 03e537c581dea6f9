import { type Attribute, type AttributeId, type Catalog, type ForeignKey, indexSchema } from '@askema/core';
import { quotedName } from '../formats/quoted-name.ts';
import { fieldTypeOf } from '../formats/sql-field-type.ts';
import { sameName } from '../model/same-name.ts';
import { ansi, type Dataset, type Field, type Relationship, type SemanticModel } from '../model/semantic-model.ts';
import type { Standing } from '../model/standing.ts';
import type { FoundValues } from './draft-values.ts';
import { valuesWithMeanings } from './meanings-in.ts';
import { plainLine } from './plain-line.ts';

const standing = (source: string): Standing => ({ state: 'proposed', source, place: { file: 'draft' } });

/** What a catalog says, as a model. */
export function draftModel(
  catalog: Catalog,
  attributes: ReadonlyMap<string, readonly Attribute[]>,
  found: FoundValues,
): SemanticModel {
  const names = datasetNames(catalog, [...attributes.keys()]);
  const index = indexSchema(catalog);
  const datasets = [...attributes].map(([relation, own]) => draftDataset(catalog, relation, own, found, names));
  const relationships: Relationship[] = [];
  for (const key of catalog.schema.foreignKeys) {
    const from = names.get(key.relation);
    const to = names.get(key.target);
    if (from === undefined || to === undefined) continue;
    const column = (id: AttributeId): string => index.attribute(id)?.name ?? id;
    const name = `${from}_to_${to}`;
    const isInferred = catalog.keyStanding[key.id] === 'inferred';
    relationships.push({
      name: relationships.some((one) => sameName(one.name, name))
        ? `${name}_by_${column(key.pairs[0]?.from ?? '')}`
        : name,
      from,
      to,
      fromColumns: key.pairs.map((pair) => column(pair.from)),
      toColumns: key.pairs.map((pair) => column(pair.to)),
      ...(isOneToOne(catalog, key) && { isOneToOne: true }),
      extensions: [],
      standing: standing(isInferred ? 'inferred' : 'catalog'),
    });
  }
  return {
    name: modelName(catalog.name),
    datasets,
    relationships,
    metrics: [],
    filters: [],
    extensions: [],
    standing: standing('catalog'),
  };
}

function draftDataset(
  catalog: Catalog,
  relation: string,
  attributes: readonly Attribute[],
  found: FoundValues,
  names: ReadonlyMap<string, string>,
): Dataset {
  const info = catalog.relations[relation];
  const nameOf = new Map(attributes.map(({ id, name }) => [id, name]));
  const columns = (ids: readonly AttributeId[]): readonly string[] => ids.flatMap((id) => nameOf.get(id) ?? []);
  const primary = catalog.schema.primaryKeys.find((key) => key.relation === relation)?.attributes ?? [];
  const unique = [
    ...catalog.uniqueKeys.filter((key) => key.relation === relation).map((key) => key.attributes),
    ...catalog.schema.domainConstraints.flatMap(({ attribute, constraint }) =>
      constraint === 'unique' && nameOf.has(attribute) ? [[attribute]] : [],
    ),
  ].filter((key, at, all) => isOther(key, primary) && all.slice(0, at).every((before) => isOther(key, before)));
  const keys = new Set([
    ...primary,
    ...catalog.schema.foreignKeys.flatMap(({ pairs }) => pairs.flatMap(({ from, to }) => [from, to])),
  ]);
  const fields = attributes.map((attribute) => draftField(catalog, attribute, keys.has(attribute.id), found));
  const [time, ...others] = fields.filter(({ dimension }) => dimension?.isTime === true);
  return {
    name: names.get(relation) ?? relation,
    source: sourceOf(catalog, relation),
    primaryKey: columns(primary),
    uniqueKeys: unique.map(columns),
    ...described(info?.comment),
    fields,
    ...(time !== undefined && others.length === 0 && { defaultTime: time.name }),
    extensions: [],
    standing: standing('catalog'),
  };
}

/** Numbers that are no keys and no codes are added up rather than grouped by. */
function draftField(catalog: Catalog, attribute: Attribute, isKey: boolean, found: FoundValues): Field {
  const info = catalog.attributes[attribute.id];
  const isNumeric = attribute.type === 'NUMERIC';
  const isTime = attribute.type === 'DATETIME' || found.dates.has(attribute.id);
  const values = valuesWithMeanings(found.enums.get(attribute.id) ?? [], info?.comment, isNumeric);
  const isDimension = !isNumeric || isKey || values.length > 0;
  const type = fieldTypeOf(info?.nativeType ?? '');
  return {
    name: attribute.name,
    expressions: ansi(quotedName(attribute.name)),
    ...(isDimension && { dimension: isTime ? { isTime } : {} }),
    ...described(info?.comment),
    ...(type !== undefined && { type }),
    ...(info?.masked === true && { isHidden: true }),
    values,
    extensions: [],
  };
}

function isOther(key: readonly AttributeId[], before: readonly AttributeId[]): boolean {
  return key.join() !== before.join();
}

function described(comment: string | undefined): { readonly description?: string } {
  const text = comment === undefined ? '' : plainLine(comment);
  return text === '' ? {} : { description: text };
}

function isOneToOne(catalog: Catalog, { relation, pairs }: ForeignKey): boolean {
  const from = pairs.map((pair) => pair.from);
  const isSame = (key: readonly AttributeId[]) => key.length === from.length && key.every((id) => from.includes(id));
  return (
    catalog.schema.primaryKeys.some((key) => key.relation === relation && isSame(key.attributes)) ||
    catalog.uniqueKeys.some((key) => key.relation === relation && isSame(key.attributes)) ||
    (from.length === 1 &&
      catalog.schema.domainConstraints.some((one) => one.constraint === 'unique' && one.attribute === from[0]))
  );
}

/** The name of the relation; with its schema before it where two schemas have it. */
function datasetNames(catalog: Catalog, relations: readonly string[]): ReadonlyMap<string, string> {
  const short = (id: string): string => catalog.relations[id]?.nameParts.relation ?? id;
  const counts = Map.groupBy(relations, (id) => short(id).toLowerCase());
  return new Map(
    relations.map((id) => {
      const isTaken = (counts.get(short(id).toLowerCase())?.length ?? 0) > 1;
      const schema = catalog.relations[id]?.nameParts.schema;
      return [id, isTaken && schema !== undefined ? `${schema}_${short(id)}` : short(id)];
    }),
  );
}

function sourceOf(catalog: Catalog, relation: string): string {
  const parts = catalog.relations[relation]?.nameParts ?? { relation };
  return [parts.database, parts.schema, parts.relation]
    .flatMap((part) => (part === undefined ? [] : [quotedName(part)]))
    .join('.');
}

/** `data/shop.sqlite` is `shop`. */
function modelName(name: string): string {
  const base = name.replace(/^.*[\\/]/s, '').replace(/\.\w+$/, '');
  return base.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '') || 'model';
}
