import type { DataType } from '@askema/core';
import { count } from '../report/figures/format-numbers.ts';
import { textTable } from '../report/text/document.ts';
import type { SchemaDataset } from '../schemas/load-schema-dataset.ts';
import { quantile } from '../statistics/quantile.ts';

/** How numbers lie; all 0 where there are none. */
export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** How many have something: schemas with so many tables, attributes of a type. */
export interface Share<Value> {
  readonly value: Value;
  readonly count: number;
}

/** What a data set of requirements and schemas is made of (SchemaAgent, Figure 3). Plain JSON. */
export interface DatasetStatistics {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly requirements: number;
  /** By the general domain, most first; requirements without one are in none. */
  readonly domains: readonly Share<string>[];
  /** Different special domains, each within its general one. */
  readonly specialDomains: number;
  /** Words of a requirement; also where nothing but a dictionary parts them. */
  readonly words: Spread;
  readonly relationsOfSchema: Spread;
  readonly attributesOfRelation: Spread;
  readonly attributesOfSchema: Spread;
  readonly foreignKeysOfSchema: Spread;
  /** Schemas by their number of relations. */
  readonly sizes: readonly Share<number>[];
  /** Relations by the number of attributes of their primary key. */
  readonly keySizes: readonly Share<number>[];
  /** Attributes by type, most first; those without a known one are `unknown`. */
  readonly types: readonly Share<DataType | 'unknown'>[];
  /** Rows with a defect. */
  readonly defective: number;
}

/** Counts a data set. */
export function datasetStatistics({ name, items }: SchemaDataset): DatasetStatistics {
  const relations = items.flatMap(({ gold }) => gold.relations);
  const attributes = relations.flatMap((relation) => relation.attributes);
  const keysOf = (foreignKeys: readonly { readonly attributes: readonly string[] }[]): number =>
    sum(foreignKeys.map((key) => key.attributes.length));
  const bySize = (counts: readonly Share<number>[]) => [...counts].sort((a, b) => a.value - b.value);
  const special = items.flatMap(({ domain }) => (domain.length > 1 ? [JSON.stringify(domain)] : []));
  return {
    schemaVersion: 1,
    name,
    requirements: items.length,
    domains: sharesOf(items.flatMap(({ domain }) => domain[0] ?? [])),
    specialDomains: new Set(special).size,
    words: spreadOf(items.map(({ requirement }) => wordsOf(requirement))),
    relationsOfSchema: spreadOf(items.map(({ gold }) => gold.relations.length)),
    attributesOfRelation: spreadOf(relations.map((relation) => relation.attributes.length)),
    attributesOfSchema: spreadOf(
      items.map(({ gold }) => sum(gold.relations.map((relation) => relation.attributes.length))),
    ),
    foreignKeysOfSchema: spreadOf(
      items.map(({ gold }) => sum(gold.relations.map((relation) => keysOf(relation.foreignKeys)))),
    ),
    sizes: bySize(sharesOf(items.map(({ gold }) => gold.relations.length))),
    keySizes: bySize(sharesOf(relations.map((relation) => relation.primaryKey.length))),
    types: sharesOf(attributes.map(({ type }) => type ?? 'unknown')),
    defective: items.filter(({ defects }) => defects.length > 0).length,
  };
}

function wordsOf(text: string): number {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike === true) words += 1;
  return words;
}

function spreadOf(values: readonly number[]): Spread {
  const at = (share: number): number => quantile(values, share) ?? 0;
  return { mean: values.length === 0 ? 0 : sum(values) / values.length, median: at(0.5), least: at(0), most: at(1) };
}

/** Most first, then in the order in which they came. */
function sharesOf<Value>(values: readonly Value[]): readonly Share<Value>[] {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, number]) => ({ value, count: number })).sort((a, b) => b.count - a.count);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The statistics of a data set for a terminal, without colours. */
export function formatDatasetStatistics(statistics: DatasetStatistics): string {
  const { name, requirements, domains, specialDomains, defective } = statistics;
  const rows: readonly (readonly [string, Spread])[] = [
    ['words of a requirement', statistics.words],
    ['relations of a schema', statistics.relationsOfSchema],
    ['attributes of a relation', statistics.attributesOfRelation],
    ['attributes of a schema', statistics.attributesOfSchema],
    ['foreign keys of a schema', statistics.foreignKeysOfSchema],
  ];
  const spread = rows.map(([what, { mean, median, least, most }]) => [
    what,
    mean.toFixed(2),
    String(median),
    String(least),
    String(most),
  ]);
  const shares = (what: string, list: readonly Share<string | number>[], unit: string): readonly string[] =>
    list.length === 0
      ? []
      : ['', ...textTable([what, unit], [list.map(({ value, count: each }) => [String(value), count(each)])])];
  return [
    `${name}: ${count(requirements)} requirements, ${count(domains.length)} domains with ${count(specialDomains)} special ones, ${count(defective)} rows with a defect`,
    '',
    ...textTable(['', 'mean', 'median', 'least', 'most'], [spread]),
    ...shares('relations', statistics.sizes, 'schemas'),
    ...shares('attributes of the key', statistics.keySizes, 'relations'),
    ...shares('type', statistics.types, 'attributes'),
    ...shares('domain', domains, 'requirements'),
  ].join('\n');
}
