import type { DraftRelation } from '@askema/core';

/** Tables of one family hold about the same columns: this share of their names, at least. */
const MIN_COMMON_SHARE = 0.5;

/** The part of a name that a date cuts off. */
export interface ShardName {
  /** `events_` of `events_20240131`. */
  readonly prefix: string;
  readonly suffix: string;
  /** A whole day, BigQuery's own convention for shards; a month or a year may as well be anything else. */
  readonly isDay: boolean;
}

/**
 * Reads a name that ends in a date: a day (`events_20240131`), a month (`sales_202401`) or a year (`gsod1999`).
 * https://cloud.google.com/bigquery/docs/partitioned-tables#dt_partition_shard
 */
export function shardName(name: string): ShardName | undefined {
  const match = /^(.*\D)(\d{4}(?:\d\d(?:\d\d)?)?)$/su.exec(name);
  const [, prefix = '', suffix = ''] = match ?? [];
  if (match === null || !isDate(suffix)) return undefined;
  return { prefix, suffix, isDay: suffix.length === 8 };
}

function isDate(digits: string): boolean {
  const year = Number(digits.slice(0, 4));
  const month = digits.length > 4 ? Number(digits.slice(4, 6)) : 1;
  const day = digits.length > 6 ? Number(digits.slice(6, 8)) : 1;
  return year >= 1700 && year < 2200 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/**
 * Gives shards the pattern of their family (`events_*`), and each a comment that says how all of them are queried.
 * A name whose table has other columns than the newest belongs to no family.
 */
export function markShards(relations: readonly DraftRelation[]): DraftRelation[] {
  const families = new Map<string, { readonly relation: DraftRelation; readonly suffix: string }[]>();
  for (const relation of relations) {
    const shard = relation.kind === 'table' ? shardName(relation.nameParts.relation) : undefined;
    if (shard === undefined) continue;
    const { database, schema } = relation.nameParts;
    const key = JSON.stringify([database, schema, shard.prefix, shard.suffix.length]);
    const members = families.get(key) ?? [];
    members.push({ relation, suffix: shard.suffix });
    families.set(key, members);
  }
  const marked = new Map<DraftRelation, DraftRelation>();
  for (const members of families.values()) {
    const newest = members.reduce((best, member) => (member.suffix > best.suffix ? member : best)).relation;
    const alike = members.filter(({ relation }) => haveCommonColumns(relation, newest));
    if (alike.length < 2) continue;
    // A prompt shows the remarks of one member: what not all of them require must be said of each.
    const strict = alike.filter(({ relation }) => relation.partitioning?.filterRequired === true);
    const warning = strict.length === alike.length ? undefined : strict[0]?.relation.partitioning?.attributes;
    for (const { relation, suffix } of alike) marked.set(relation, asShard(relation, suffix, warning));
  }
  return relations.map((relation) => marked.get(relation) ?? relation);
}

function asShard(relation: DraftRelation, suffix: string, filtered: readonly string[] | undefined): DraftRelation {
  const { database, schema, relation: name } = relation.nameParts;
  const pattern = `${name.slice(0, name.length - suffix.length)}*`;
  const wildcard = [database, schema, pattern].filter((part) => part !== undefined).join('.');
  const form = { 4: 'YYYY', 6: 'YYYYMM' }[suffix.length] ?? 'YYYYMMDD';
  const how = `one shard a date; several at once: FROM \`${wildcard}\` WHERE _TABLE_SUFFIX BETWEEN '${form}' AND '${form}'`;
  const warning = filtered === undefined ? undefined : `some shards need a filter on ${filtered.join(', ')}`;
  const comment = [how, warning, relation.comment].filter((part) => part !== undefined).join('; ');
  return { ...relation, comment, familyPattern: pattern };
}

function haveCommonColumns(one: DraftRelation, other: DraftRelation): boolean {
  if (one.attributes === other.attributes) return true;
  const names = new Set(other.attributes.map(({ name }) => name));
  const common = one.attributes.filter(({ name }) => names.has(name)).length;
  const all = names.size + one.attributes.length - common;
  return all === 0 || common / all >= MIN_COMMON_SHARE;
}
