import { quoteValue } from '@askema/adapter-kit';
import {
  type CallLimits,
  type CatalogGap,
  type DataType,
  type DraftAttribute,
  type DraftForeignKey,
  type DraftRelation,
  logicalType,
  type RelationKind,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Database } from '../connection/database.ts';
import type { Session } from '../connection/session.ts';
import type { WireRow } from '../connection/wire.ts';
import { catalogQueries, type TypeUse, typesQuery } from './catalog-queries.ts';

/** What was read, ready for `buildCatalog`. */
export interface ReadCatalog {
  readonly relations: readonly DraftRelation[];
  readonly gaps: readonly CatalogGap[];
  /** Rows for `withSizes`, which the server is still at work on; to be waited for under the limits. */
  readonly sizes: Promise<readonly WireRow[]>;
}

const KINDS: Readonly<Record<string, RelationKind>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'external table',
};

/** So many relations that may not be read are named one by one. */
const MAX_GAPS = 100;

/** So many labels of an enumeration stand in its type; more of them would fill a prompt. */
const MAX_LABELS = 50;

/** What the catalog says of a column's type. */
interface ColumnType {
  readonly nativeType: string;
  readonly type: DataType;
  /** Its domain is NOT NULL. */
  readonly notNull: boolean;
  /** Where it is not the type's own. */
  readonly collation: string | undefined;
}

/** Rows by their first cell, the OID of a relation or a type. */
type RowsByOid = ReadonlyMap<string, readonly WireRow[]>;

function groupByFirst(rows: readonly WireRow[]): Map<string, WireRow[]> {
  return Map.groupBy(rows, ([first]) => first ?? '');
}

/** What was read beside the relations themselves. */
interface ReadParts {
  /** By their numbers, also those that may not be read. */
  readonly attributes: RowsByOid;
  readonly defaults: RowsByOid;
  readonly comments: RowsByOid;
  readonly keys: RowsByOid;
  readonly constraints: RowsByOid;
  readonly parents: RowsByOid;
  readonly partitions: ReadonlyMap<string, WireRow>;
  readonly types: ReadonlyMap<string, ColumnType>;
}

/**
 * Reads the catalog within one transaction of the session, in three round trips; the last one is not waited for. Relations
 * that may not be read are named among the gaps, unless it is read for a role of `scope`: they may be another tenant's.
 */
export async function readCatalog(
  session: Session,
  { options: { schemas }, role }: Pick<Database, 'options' | 'role'>,
  limits: CallLimits,
): Promise<ReadCatalog> {
  const { sizes: sizesQuery, relations, defaults, constraints, ...queries } = catalogQueries(schemas);
  // Definitions name things as the user's search path has it.
  const read = await limits.race(session.batch(queries, { relations, defaults, constraints }));
  const attributes = groupByFirst(read.attributes);
  for (const group of attributes.values()) group.sort((a, b) => Number(a[1]) - Number(b[1]));
  const uses = typesOf(read.attributes);
  const described = await limits.race(session.batch({}, { rows: typesQuery(uses) }));
  const types = describeTypes(uses, described.rows, groupByFirst(read.labels));
  const sizes = session.simple(sizesQuery);
  // Who fails before he waits for them must not leave a rejection behind that nobody handles.
  sizes.catch(() => undefined);
  const parts: ReadParts = {
    attributes,
    defaults: groupByFirst(read.defaults),
    comments: groupByFirst(read.comments),
    keys: groupByFirst(read.keys),
    constraints: groupByFirst(read.constraints),
    parents: groupByFirst(read.parents),
    partitions: new Map(read.partitions.map((row) => [row[0] ?? '', row])),
    types,
  };
  const gaps: CatalogGap[] = [];
  const drafts: DraftRelation[] = [];
  const hidden: string[] = [];
  for (const row of read.relations) {
    const [, schema, relation, , , , readable, partly] = row;
    const name = `${schema}.${relation}`;
    if (partly !== 't') {
      hidden.push(name);
      continue;
    }
    if (readable !== 't')
      gaps.push({ subject: name, reason: 'only some of its columns may be read; GRANT SELECT ON the table shows all' });
    drafts.push(draftOf(row, parts));
  }
  if (role === undefined) gaps.push(...hiddenGaps(hidden));
  return { relations: drafts, gaps, sizes };
}

/** The types that columns have, each once. */
function typesOf(attributes: readonly WireRow[]): TypeUse[] {
  return [...new Map(attributes.map(typeOf).map((use) => [typeKey(use), use])).values()];
}

function typeOf(row: WireRow): TypeUse {
  return { type: row[3] ?? '', modifier: row[4] ?? null, collation: row[5] ?? null };
}

function hiddenGaps(hidden: readonly string[]): CatalogGap[] {
  const gaps = hidden
    .slice(0, MAX_GAPS)
    .map((subject): CatalogGap => ({ subject, reason: 'it may not be read; GRANT SELECT ON it to show it' }));
  if (hidden.length > MAX_GAPS)
    gaps.push({ subject: 'catalog', reason: `${hidden.length - MAX_GAPS} more relations may not be read` });
  return gaps;
}

function draftOf(row: WireRow, parts: ReadParts): DraftRelation {
  const [oid, schema, relation, kind, tuples, definition, readable] = row;
  const of = (rows: RowsByOid): readonly WireRow[] => rows.get(oid ?? '') ?? [];
  const attributes = of(parts.attributes).filter((attribute) => readable === 't' || attribute[9] === 't');
  const namesOf = namesIn(attributes);
  const keys = of(parts.keys);
  const constraints = of(parts.constraints);
  const defaults = textsByNumber(of(parts.defaults));
  const comments = textsByNumber(of(parts.comments));
  const comment = comments.get('0');
  const parents = of(parts.parents).map(([, parent, name]) => ({ schema: parent ?? '', relation: name ?? '' }));
  const partition = parts.partitions.get(oid ?? '');
  const count = Number(partition === undefined ? tuples : partition[4] === 't' ? (partition[2] ?? 0) : -1);
  const divided = partition === undefined ? undefined : namesOf(partition[1]);
  const primary = keys.find(([, isPrimary]) => isPrimary === 't');
  const unique = keys.filter(([, isPrimary]) => isPrimary !== 't').map(([, , numbers]) => namesOf(numbers));
  return {
    nameParts: { schema: schema ?? '', relation: relation ?? '' },
    kind: KINDS[kind ?? ''] ?? 'table',
    attributes: attributes.flatMap((attribute) => {
      const type = parts.types.get(typeKey(typeOf(attribute)));
      const number = attribute[1] ?? '';
      return type === undefined ? [] : [attributeOf(attribute, type, defaults.get(number), comments.get(number))];
    }),
    primaryKey: primary && namesOf(primary[2]),
    uniqueKeys: distinct(unique.filter((key) => key !== undefined)),
    foreignKeys: constraints
      .filter(([, type]) => type === 'f')
      .flatMap((key) => foreignKeyOf(key, namesOf, parts.attributes)),
    checks: constraints.filter(([, type]) => type === 'c').map((check) => check[7] ?? ''),
    ...(comment === undefined ? {} : { comment }),
    ...(parents.length === 0 ? {} : { parents }),
    ...(definition === null || definition === undefined ? {} : { definition: definition.trim() }),
    ...(kind === 'v' || kind === 'f' || !(count >= 0) ? {} : { rowCount: count, rowCountExact: false }),
    // Of other tables it comes later, into the same place.
    byteCount: typeof partition?.[3] === 'string' ? Number(partition[3]) : undefined,
    ...(divided === undefined
      ? {}
      : { partitioning: { attributes: divided, filterRequired: false, kind: 'partition' as const } }),
  };
}

/** Reads lists of numbers (`1 3`) as the names of these attributes; undefined where one of them is not there. */
function namesIn(attributes: readonly WireRow[]): (numbers: string | null | undefined) => string[] | undefined {
  const nameOf = (number: string): string | null | undefined => {
    // Only a column that was dropped or may not be read makes the place another one than the number.
    const likely = attributes[Number(number) - 1];
    return (likely?.[1] === number ? likely : attributes.find((row) => row[1] === number))?.[2];
  };
  return (numbers) => {
    const found = (numbers ?? '').split(' ').map(nameOf);
    return found.every((name) => typeof name === 'string') ? found : undefined;
  };
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map();

/** Of rows of a relation, a number, and a text. */
function textsByNumber(rows: readonly WireRow[]): ReadonlyMap<string, string> {
  if (rows.length === 0) return NO_TEXTS;
  return new Map(rows.flatMap(([, number, text]) => (typeof text === 'string' ? [[number ?? '', text] as const] : [])));
}

function attributeOf(
  row: WireRow,
  type: ColumnType,
  expression: string | undefined,
  comment: string | undefined,
): DraftAttribute {
  return {
    name: row[2] ?? '',
    nativeType: type.nativeType,
    type: type.type,
    notNull: row[6] === 't' || type.notNull,
    ...(comment === undefined ? {} : { comment }),
    ...(expression === undefined ? {} : { defaultExpression: expression }),
    ...(type.collation === undefined ? {} : { collation: type.collation }),
    ...generatedOf(row[7], row[8]),
  };
}

function generatedOf(identity: string | null | undefined, generated: string | null | undefined) {
  if (identity === 'a' || identity === 'd') return { generated: 'identity' as const };
  if (generated === 's') return { generated: 'stored' as const };
  return generated === 'v' ? { generated: 'virtual' as const } : {};
}

/** Of a relation that is not read, what the key refers to need not be known. */
function foreignKeyOf(
  row: WireRow,
  namesOf: (numbers: string | null | undefined) => string[] | undefined,
  all: RowsByOid,
): DraftForeignKey[] {
  const [, , own, targetOid, targets, schema, relation] = row;
  const attributes = namesOf(own);
  if (attributes === undefined) return [];
  return [
    {
      attributes,
      target: { schema: schema ?? '', relation: relation ?? '' },
      targetAttributes: namesIn(all.get(targetOid ?? '') ?? [])(targets) ?? [],
    },
  ];
}

function distinct(keys: string[][]): string[][] {
  if (keys.length < 2) return keys;
  const seen = new Map(keys.map((key) => [JSON.stringify(key), key]));
  return [...seen.values()];
}

/** Columns with equal keys have one and the same type. */
const typeKey = ({ type, modifier, collation }: TypeUse): string => `${type} ${modifier} ${collation}`;

/** The types by their keys, of the rows of `typesQuery` for these uses; none for a type that is gone. */
function describeTypes(
  uses: readonly TypeUse[],
  rows: readonly WireRow[],
  labels: RowsByOid,
): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>();
  for (const [place, name, base, enumeration, notNull, collation, held] of rows) {
    const use = uses[Number(place) - 1];
    if (use === undefined) continue;
    types.set(typeKey(use), {
      nativeType: nativeTypeOf(
        name ?? '',
        base,
        labels.get(enumeration ?? '')?.map(([, label]) => label ?? ''),
        held ?? undefined,
      ),
      // A domain is what its base type is.
      type: logicalType(base ?? name ?? '', postgresDialect),
      notNull: notNull === 't',
      collation: collation ?? undefined,
    });
  }
  return types;
}

/**
 * `mood (enum: 'happy', 'sad')`, `email (domain: text)`, `old (holds: customer)`: what a reader of the catalog could
 * not know from the name alone.
 */
function nativeTypeOf(
  type: string,
  base: string | null | undefined,
  labels: readonly string[] | undefined,
  held: string | undefined,
): string {
  if (labels !== undefined) {
    const shown = labels.slice(0, MAX_LABELS).map((label) => quoteValue(label, postgresDialect));
    return `${type} (enum: ${shown.join(', ')}${labels.length > MAX_LABELS ? ', …' : ''})`;
  }
  const named = base === null || base === undefined ? type : `${type} (domain: ${base})`;
  return held === undefined || held === type ? named : `${named} (holds: ${held})`;
}
