import type { AttributeId, ForeignKey, RelationId } from '@askema/core';
import { isRequired, isWholeKey, type OrmSource, wholeKey } from './orm-source.ts';
import { relationFieldName } from './prisma-names.ts';
import { lowerFirst, stableNames } from './stable-names.ts';

/** A line of a model that stands for one side of a foreign key, or a comment in its place. */
export interface RelationField {
  readonly text: string;
}

interface Names {
  readonly models: ReadonlyMap<RelationId, string>;
  readonly fields: ReadonlyMap<AttributeId, string>;
  readonly ignored: ReadonlySet<RelationId>;
  /** False where the database does not name its foreign keys (SQLite). */
  readonly namesKeys: boolean;
}

interface Side {
  readonly relation: RelationId;
  readonly key: ForeignKey;
  readonly isOwn: boolean;
  readonly wanted: string;
}

/** Both sides of every foreign key, by model, in the order of the keys. */
export function relationFields(orm: OrmSource, names: Names): Map<RelationId, RelationField[]> {
  const keys = orm.tables.flatMap((id) => orm.foreignKeys.get(id) ?? []);
  const labels = relationLabels(orm, keys, names);
  const constraints = names.namesKeys ? constraintNames(orm, keys, names) : new Map<ForeignKey, string>();
  const sides = keys.flatMap((key): Side[] => {
    const columns = key.pairs.map(({ from }) => names.fields.get(from) ?? '');
    const own = names.models.get(key.relation) ?? '';
    const wanted = relationFieldName(columns, names.models.get(key.target) ?? '');
    const back = labels.has(key) ? `${lowerFirst(own)}_${wanted}` : lowerFirst(own);
    return [
      { relation: key.relation, key, isOwn: true, wanted },
      { relation: key.target, key, isOwn: false, wanted: back },
    ];
  });
  const fields = new Map<RelationId, RelationField[]>();
  for (const relation of orm.tables) {
    const own = sides.filter((side) => side.relation === relation);
    const scalars = orm.source.index.attributesOf(relation).flatMap(({ id }) => names.fields.get(id) ?? []);
    const unique = stableNames(
      own.map(({ wanted }) => wanted),
      (text) => text,
      scalars,
    );
    const lines = own.map((side, position) => ({
      text: line(orm, { ...names, constraints }, labels, side, unique[position] ?? ''),
    }));
    fields.set(relation, lines);
  }
  return fields;
}

/** A name for each relation that is not the only one between its two models. */
function relationLabels(orm: OrmSource, keys: readonly ForeignKey[], names: Names): Map<ForeignKey, string> {
  const pair = ({ relation, target }: ForeignKey): string => JSON.stringify([relation, target].sort());
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(pair(key), (counts.get(pair(key)) ?? 0) + 1);
  const ambiguous = keys.filter((key) => key.relation === key.target || (counts.get(pair(key)) ?? 0) > 1);
  const labels = stableNames(
    ambiguous.map(({ relation, pairs }) =>
      [names.models.get(relation), ...pairs.map(({ from }) => orm.source.index.attribute(from)?.name)].join('_'),
    ),
    (text) => text,
  );
  return new Map(ambiguous.map((key, position) => [key, labels[position] ?? '']));
}

/** Prisma makes names of constraints from table and columns, cuts them, and takes none twice. */
const ALIKE_CHARACTERS = 40;

/** A name for each key whose constraint Prisma might call as it calls one before it. */
function constraintNames(orm: OrmSource, keys: readonly ForeignKey[], { models }: Names): Map<ForeignKey, string> {
  const { index } = orm.source;
  const seen = new Set<string>();
  const found = new Map<ForeignKey, string>();
  for (const [at, key] of keys.entries()) {
    const columns = inOrderOfKey(orm, key).pairs.map(({ from }) => index.attribute(from)?.name);
    const made = [index.relation(key.relation)?.name, ...columns].join('_').slice(0, ALIKE_CHARACTERS).toLowerCase();
    // Prisma's own end in `_fkey`.
    if (seen.has(made)) found.set(key, `${(models.get(key.relation) ?? '').slice(0, ALIKE_CHARACTERS)}_fkey_${at + 1}`);
    seen.add(made);
  }
  return found;
}

function line(
  orm: OrmSource,
  names: Names & { readonly constraints: ReadonlyMap<ForeignKey, string> },
  labels: ReadonlyMap<ForeignKey, string>,
  side: Side,
  name: string,
): string {
  const { key, isOwn } = side;
  const { models, fields, ignored, constraints } = names;
  const constraint = constraints.get(key);
  const [own, target] = [models.get(key.relation) ?? '', models.get(key.target) ?? ''];
  const label = labels.get(key);
  const declared = inOrderOfKey(orm, key);
  const text = isOwn
    ? `${name} ${target}${isOptional(orm, key) ? '?' : ''} @relation(${label === undefined ? '' : `${JSON.stringify(label)}, `}fields: [${listOf(declared, 'from', fields)}], references: [${listOf(declared, 'to', fields)}]${constraint === undefined ? '' : `, map: ${JSON.stringify(constraint)}`})`
    : `${name} ${own}${isOne(orm, key) ? '?' : '[]'}${label === undefined ? '' : ` @relation(${JSON.stringify(label)})`}`;
  return ignored.has(key.relation) || ignored.has(key.target) ? `// ${text}` : text;
}

/** Prisma takes the fields of a one-to-one relation for unique only in the order of the key that they are. */
function inOrderOfKey({ source }: OrmSource, foreignKey: ForeignKey): ForeignKey {
  const { relation, pairs } = foreignKey;
  const key = wholeKey(
    source,
    relation,
    pairs.map(({ from }) => from),
  );
  return key === undefined
    ? foreignKey
    : { ...foreignKey, pairs: key.flatMap((id) => pairs.filter(({ from }) => from === id)) };
}

function listOf({ pairs }: ForeignKey, end: 'from' | 'to', fields: ReadonlyMap<AttributeId, string>): string {
  return pairs.map((pair) => fields.get(pair[end])).join(', ');
}

function isOptional({ source }: OrmSource, { pairs }: ForeignKey): boolean {
  return pairs.some(({ from }) => {
    const attribute = source.index.attribute(from);
    return attribute !== undefined && !isRequired(source, attribute);
  });
}

/** At most one row refers to one: the attributes of the foreign key are a key themselves. */
function isOne({ source }: OrmSource, { relation, pairs }: ForeignKey): boolean {
  return isWholeKey(
    source,
    relation,
    pairs.map(({ from }) => from),
  );
}
