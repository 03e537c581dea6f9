import type {
  CallLimits,
  CatalogGap,
  DraftAttribute,
  DraftForeignKey,
  DraftRelation,
  RelationKind,
} from '@askema/core';
import { logicalType } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Session } from '../connection/session.ts';
import type { WireRow } from '../connection/wire.ts';
import { catalogQueries } from './catalog-queries.ts';

/** What was read, ready for `buildCatalog`. */
export interface ReadCatalog {
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
}

const KINDS: Readonly<Record<string, RelationKind>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'external table',
};

/** So many labels of an enumeration stand in its type; more of them would fill a prompt. */
const MAX_LABELS = 50;

/** So many relations that may not be read are named one by one. */
const MAX_GAPS = 100;

/** Reads the catalog within one transaction of the session. */
export async function readCatalog(
  session: Session,
  schemas: readonly string[] | undefined,
  limits: CallLimits,
): Promise<ReadCatalog> {
  const queries = catalogQueries(schemas);
  const read = (sql: string): Promise<readonly WireRow[]> => limits.race(session.simple(sql));
  const relations = await read(queries.relations);
  const labels = labelsOf(await read(queries.labels));
  const attributes = groupByFirst(await read(queries.attributes));
  const keys = groupByFirst(await read(queries.keys));
  const constraints = groupByFirst(await read(queries.constraints));
  const partitions = new Map((await read(queries.partitions)).map((row) => [row[0], row]));
  const gaps: CatalogGap[] = [];
  const drafts: DraftRelation[] = [];
  const hidden: string[] = [];
  for (const row of relations) {
    const [oid, schema, relation, , , , , , readable, partly] = row;
    const name = `${schema}.${relation}`;
    if (partly !== 't') {
      hidden.push(name);
      continue;
    }
    const visible = (attributes.get(oid ?? '') ?? []).filter((attribute) => attribute[13] === 't');
    if (readable !== 't')
      gaps.push({ subject: name, reason: 'only some of its columns may be read; GRANT SELECT ON the table shows all' });
    drafts.push(
      draftOf(row, visible, keys.get(oid ?? ''), constraints.get(oid ?? ''), partitions.get(oid ?? ''), labels),
    );
  }
  gaps.push(...hiddenGaps(hidden));
  return { relations: drafts, gaps };
}

function hiddenGaps(hidden: readonly string[]): CatalogGap[] {
  const gaps = hidden
    .slice(0, MAX_GAPS)
    .map((subject): CatalogGap => ({ subject, reason: 'it may not be read; GRANT SELECT ON it to show it' }));
  if (hidden.length > MAX_GAPS)
    gaps.push({ subject: 'catalog', reason: `${hidden.length - MAX_GAPS} more relations may not be read` });
  return gaps;
}

function draftOf(
  row: WireRow,
  attributes: readonly WireRow[],
  keys: readonly WireRow[] = [],
  constraints: readonly WireRow[] = [],
  partition: WireRow | undefined,
  labels: ReadonlyMap<string, readonly string[]>,
): DraftRelation {
  const [, schema, relation, kind, tuples, bytes, comment, definition] = row;
  const names = new Map(attributes.map(([, number, name]) => [number ?? '', name ?? '']));
  const namesOf = (numbers: string | null | undefined): string[] | undefined => {
    const found = (numbers ?? '').split(' ').map((number) => names.get(number));
    return found.every((name) => name !== undefined) ? found : undefined;
  };
  const [primary, ...unique] = [
    keys.filter(([, isPrimary]) => isPrimary === 't').map(([, , numbers]) => namesOf(numbers))[0],
    ...keys.filter(([, isPrimary]) => isPrimary !== 't').map(([, , numbers]) => namesOf(numbers)),
  ];
  const count = Number(partition === undefined ? tuples : partition[4] === 't' ? (partition[2] ?? 0) : -1);
  const byteCount = partition === undefined ? bytes : partition[3];
  const divided = partition === undefined ? undefined : namesOf(partition[1]);
  return {
    nameParts: { schema: schema ?? '', relation: relation ?? '' },
    kind: KINDS[kind ?? ''] ?? 'table',
    attributes: attributes.map((attribute) => attributeOf(attribute, labels)),
    primaryKey: primary,
    uniqueKeys: distinct(unique.filter((key) => key !== undefined)),
    foreignKeys: constraints.filter(([, type]) => type === 'f').flatMap((key) => foreignKeyOf(key, namesOf)),
    checks: constraints.filter(([, type]) => type === 'c').map((check) => check[7] ?? ''),
    ...(comment === null || comment === undefined ? {} : { comment }),
    ...(definition === null || definition === undefined ? {} : { definition: definition.trim() }),
    ...(kind === 'v' || kind === 'f' || !(count >= 0) ? {} : { rowCount: count, rowCountExact: false }),
    ...(byteCount === null || byteCount === undefined ? {} : { byteCount: Number(byteCount) }),
    ...(divided === undefined
      ? {}
      : { partitioning: { attributes: divided, filterRequired: false, kind: 'partition' as const } }),
  };
}

function attributeOf(row: WireRow, labels: ReadonlyMap<string, readonly string[]>): DraftAttribute {
  const [, , name, type, notNull, identity, generated, expression, comment, collation, base, enumeration] = row;
  const nativeType = nativeTypeOf(type ?? '', base, labels.get(enumeration ?? ''));
  return {
    name: name ?? '',
    nativeType,
    // A domain is what its base type is.
    type: logicalType(base ?? type ?? '', postgresDialect),
    notNull: notNull === 't' || row[14] === 't',
    ...(comment === null || comment === undefined ? {} : { comment }),
    ...(expression === null || expression === undefined ? {} : { defaultExpression: expression }),
    ...(collation === null || collation === undefined ? {} : { collation }),
    ...generatedOf(identity, generated),
  };
}

function generatedOf(identity: string | null | undefined, generated: string | null | undefined) {
  if (identity === 'a' || identity === 'd') return { generated: 'identity' as const };
  if (generated === 's') return { generated: 'stored' as const };
  return generated === 'v' ? { generated: 'virtual' as const } : {};
}

/** `mood (enum: 'happy', 'sad')`, `email (domain: text)`: what a reader of the catalog could not know from the name alone. */
function nativeTypeOf(type: string, base: string | null | undefined, labels: readonly string[] | undefined): string {
  if (labels !== undefined) {
    const shown = labels.slice(0, MAX_LABELS).map((label) => `'${label.replaceAll("'", "''")}'`);
    return `${type} (enum: ${shown.join(', ')}${labels.length > MAX_LABELS ? ', …' : ''})`;
  }
  return base === null || base === undefined ? type : `${type} (domain: ${base})`;
}

function foreignKeyOf(
  row: WireRow,
  namesOf: (numbers: string | null | undefined) => string[] | undefined,
): DraftForeignKey[] {
  const [, , own, , , schema, relation, , targets] = row;
  const attributes = namesOf(own);
  if (attributes === undefined) return [];
  return [
    {
      attributes,
      target: { schema: schema ?? '', relation: relation ?? '' },
      targetAttributes: JSON.parse(targets ?? '[]') as string[],
    },
  ];
}

function labelsOf(rows: readonly WireRow[]): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, string[]>();
  for (const [type, label] of rows) {
    const known = labels.get(type ?? '') ?? [];
    known.push(label ?? '');
    labels.set(type ?? '', known);
  }
  return labels;
}

function groupByFirst(rows: readonly WireRow[]): ReadonlyMap<string, readonly WireRow[]> {
  const groups = new Map<string, WireRow[]>();
  for (const row of rows) {
    const group = groups.get(row[0] ?? '') ?? [];
    group.push(row);
    groups.set(row[0] ?? '', group);
  }
  return groups;
}

function distinct(keys: readonly string[][]): string[][] {
  const seen = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...seen.values()];
}
