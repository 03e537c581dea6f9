import type { CatalogGap, DraftRelation } from '@askema/core';
import { readColumns, readRelations } from './information-schema.ts';
import { isRefusal, type MetadataReader } from './metadata-reader.ts';
import type { ColumnsByRelation, KeysByRelation, RelationPart, SchemaPlace } from './schema-parts.ts';
import { showKeys } from './show-keys.ts';
import { showColumns, showRelations } from './show-objects.ts';

export interface SchemaDraft {
  readonly place: SchemaPlace;
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
}

const NO_KEYS: KeysByRelation = { primaryKeys: new Map(), uniqueKeys: new Map(), foreignKeys: new Map() };

/**
 * One schema. Each part is asked of INFORMATION_SCHEMA and, where that is refused (too much data, no warehouse, not granted), of SHOW; what neither gives is a
 * gap. Rejects with anything that is no refusal of a statement.
 */
export async function readSchema(reader: MetadataReader, place: SchemaPlace): Promise<SchemaDraft> {
  const subject = `${place.database}.${place.schema}`;
  const gaps: CatalogGap[] = [];
  const orGap = async <Part>(part: Promise<Part>, instead: Part, what: string): Promise<Part> => {
    try {
      return await part;
    } catch (problem) {
      if (!isRefusal(problem)) throw problem;
      gaps.push({ subject, reason: `${what} may not be read: ${problem.message}` });
      return instead;
    }
  };
  const relations = await orGap(
    firstOf(
      () => readRelations(reader, place),
      () => showRelations(reader, place),
    ),
    [],
    'its tables and views',
  );
  if (relations.length === 0) return { place, relations: [], gaps };
  const [columns, keys] = await Promise.all([
    orGap<ColumnsByRelation>(
      firstOf(
        () => readColumns(reader, place),
        () => showColumns(reader, place, relations),
      ),
      new Map(),
      'the columns of its tables',
    ),
    orGap(showKeys(reader, place, relations), NO_KEYS, 'its keys'),
  ]);
  return { place, relations: relations.map((part) => draftOf(part, place, columns, keys)), gaps };
}

/** The second where the first is refused; when both are, the first refusal says why. */
async function firstOf<Part>(first: () => Promise<Part>, second: () => Promise<Part>): Promise<Part> {
  try {
    return await first();
  } catch (problem) {
    if (!isRefusal(problem)) throw problem;
    try {
      return await second();
    } catch (again) {
      throw isRefusal(again) ? problem : again;
    }
  }
}

function draftOf(
  { name, clusteringKey, isHybrid, ...part }: RelationPart,
  { database, schema }: SchemaPlace,
  columns: ColumnsByRelation,
  keys: KeysByRelation,
): DraftRelation {
  const attributes = columns.get(name) ?? [];
  const known = new Set(attributes.map((attribute) => attribute.name));
  const clustered = clusteringKey === undefined ? [] : clusteringColumns(clusteringKey, known);
  const knows = (names: readonly string[]): boolean => names.every((key) => known.has(key));
  const primaryKey = keys.primaryKeys.get(name);
  return {
    nameParts: { database, schema, relation: name },
    ...part,
    attributes,
    primaryKey: primaryKey !== undefined && knows(primaryKey) ? primaryKey : undefined,
    uniqueKeys: (keys.uniqueKeys.get(name) ?? []).filter(knows),
    foreignKeys: keys.foreignKeys.get(name),
    keyStanding: isHybrid ? 'enforced' : 'informational',
    partitioning:
      clustered.length === 0 ? undefined : { attributes: clustered, filterRequired: false, kind: 'cluster' },
  };
}

/**
 * The columns of a clustering key that are plain columns, in their order: `LINEAR(C1, "c 2", DATE_TRUNC('DAY', C3))` gives C1 and `c 2`. Expressions
 * are left out (user-guide/tables-clustering-keys).
 */
function clusteringColumns(key: string, known: ReadonlySet<string>): string[] {
  const inner = /^\s*LINEAR\s*\((.*)\)\s*$/is.exec(key)?.[1] ?? key.replace(/^\s*\(/, '').replace(/\)\s*$/, '');
  return splitAtCommas(inner).flatMap((part) => {
    const name = columnName(part.trim());
    return name !== undefined && known.has(name) ? [name] : [];
  });
}

/** A name as it is stored; undefined for an expression. */
function columnName(part: string): string | undefined {
  if (/^[A-Za-z_][A-Za-z0-9_$]*$/.test(part)) return part.toUpperCase();
  if (!part.startsWith('"') || !part.endsWith('"') || part.length < 3) return undefined;
  const inner = part.slice(1, -1).replaceAll('""', '\0');
  return inner.includes('"') ? undefined : inner.replaceAll('\0', '"');
}

/** Commas inside of brackets and quotes part nothing. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
