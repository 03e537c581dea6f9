import { didYouMean } from '@askema/core';
import { entryId } from '../../model/knowledge.ts';
import {
  type AiContext,
  ansi,
  type Dataset,
  type DialectExpression,
  type Field,
  type FieldType,
  type Relationship,
} from '../../model/semantic-model.ts';
import type { KnowledgeState, Standing } from '../../model/standing.ts';
import { isObject } from '../plain-object.ts';
import { OUR_EXTENSION, type OurExtension } from './our-extension.ts';
import { readExtensions } from './read-extensions.ts';
import type { Reading, Spot } from './reading.ts';
import { KEYS, OUR_DIALECTS, RELEASE_020 } from './releases.ts';

const TIMES: ReadonlySet<FieldType> = new Set(['Date', 'Time', 'DateTime', 'DateTimeTz']);

/** Who says what stands in the file, and whether somebody stands by it. */
export interface Origin {
  readonly source: string;
  readonly state: KnowledgeState;
}

export function standingOf(reading: Reading, spot: Spot, origin: Origin, owner?: string): Standing {
  return { ...origin, owner, place: reading.place(spot) };
}

/** The name of an entry; without one it cannot be used, and a problem says so. */
export function nameOf(reading: Reading, at: Spot, kind: string): string | undefined {
  // What holds it can be used without it.
  const spot = { ...at, what: `a ${kind}`, entry: undefined };
  const name = isObject(at.value) ? reading.text(reading.below(spot, 'name')) : undefined;
  if (name !== undefined && name !== '') return name;
  reading.error('missing-part', spot, `A ${kind} has no \`name\`, and is left out.`);
  return undefined;
}

export function readDataset(reading: Reading, at: Spot, origin: Origin): Dataset | undefined {
  const name = nameOf(reading, at, 'dataset');
  if (name === undefined) return undefined;
  const spot = { ...at, what: `dataset ${name}`, entry: entryId('dataset', name) };
  reading.object(spot, KEYS.dataset);
  const source = reading.text(reading.below(spot, 'source'));
  if (source === undefined) {
    reading.error('missing-part', spot, `${spot.what} has no \`source\`, and is left out.`);
    return undefined;
  }
  const { ours, foreign } = readExtensions(reading, spot, 'dataset');
  const fields = reading.list(reading.below(spot, 'fields')).flatMap((field) => readField(reading, field, name) ?? []);
  noteDuplicates(reading, reading.below(spot, 'fields'), 'field', `${name}.`);
  return {
    name,
    source,
    primaryKey: reading.texts(reading.below(spot, 'primary_key')),
    uniqueKeys: uniqueKeys(reading, reading.below(spot, 'unique_keys')),
    ...described(reading, spot),
    fields,
    grain: ours.grain,
    defaultFilter: ours.default_filter,
    defaultTime: ours.default_time,
    isCertified: ours.certified,
    extensions: foreign,
    standing: standingOf(reading, spot, origin, ours.owner),
  };
}

function uniqueKeys(reading: Reading, spot: Spot): readonly (readonly string[])[] {
  return reading.list(spot).flatMap((key) => {
    if (Array.isArray(key.value)) return [reading.texts(key)];
    reading.warn(
      'wrong-type',
      key,
      `\`unique_keys\` of ${spot.what} is no list of lists: whether it is one key of several columns is not clear.`,
      'Write [[a, b]] for one key of two columns, and [[a], [b]] for two keys.',
    );
    return [];
  });
}

function readField(reading: Reading, at: Spot, dataset: string): Field | undefined {
  const name = nameOf(reading, at, `field of dataset ${dataset}`);
  if (name === undefined) return undefined;
  const spot = { ...at, what: `field ${dataset}.${name}`, entry: entryId('field', `${dataset}.${name}`) };
  reading.object(spot, KEYS.field);
  const { ours, foreign } = readExtensions(reading, spot, 'field');
  const expressions = readExpressions(reading, spot, ours);
  if (expressions.length === 0) {
    reading.error('missing-part', spot, `${spot.what} has no \`expression\`, and is left out.`);
    return undefined;
  }
  const type = typed(reading, reading.below(spot, 'datatype'), ours.datatype);
  return {
    name,
    expressions,
    ...dimension(reading, reading.below(spot, 'dimension'), type.type),
    label: reading.text(reading.below(spot, 'label')),
    ...described(reading, spot),
    ...type,
    unit: ours.unit,
    values: (ours.values ?? []).map((written) =>
      typeof written === 'object'
        ? { value: written.value, meaning: written.meaning, synonyms: written.synonyms ?? [] }
        : { value: written, synonyms: [] },
    ),
    timeGrain: ours.time_grain,
    isHidden: ours.hidden,
    format: ours.format,
    extensions: foreign,
  };
}

/** Without `is_time`, dates and times are a time (osi-schema.json, Dimension). */
function dimension(reading: Reading, spot: Spot, type: FieldType | undefined): Pick<Field, 'dimension'> {
  if (spot.value === undefined || spot.value === null) return {};
  const isTime =
    reading.object(spot, ['is_time'])?.is_time ?? (type !== undefined && TIMES.has(type) ? true : undefined);
  if (isTime === undefined || typeof isTime === 'boolean') return { dimension: { isTime } };
  reading.warn('wrong-type', spot, `\`is_time\` of ${spot.what} has to be true or false.`);
  return { dimension: {} };
}

export function readRelationship(reading: Reading, at: Spot, origin: Origin): Relationship | undefined {
  const name = nameOf(reading, at, 'relationship');
  if (name === undefined) return undefined;
  const spot = { ...at, what: `relationship ${name}`, entry: entryId('relationship', name) };
  reading.object(spot, KEYS.relationship);
  const [from, to] = [reading.text(reading.below(spot, 'from')), reading.text(reading.below(spot, 'to'))];
  const fromColumns = reading.texts(reading.below(spot, 'from_columns'));
  const toColumns = reading.texts(reading.below(spot, 'to_columns'));
  if (from === undefined || to === undefined || fromColumns.length === 0 || toColumns.length === 0) {
    const parts = [
      ...(from === undefined ? ['from'] : []),
      ...(to === undefined ? ['to'] : []),
      ...(fromColumns.length === 0 ? ['from_columns'] : []),
      ...(toColumns.length === 0 ? ['to_columns'] : []),
    ];
    reading.error('missing-part', spot, `${spot.what} has no \`${parts.join('`, `')}\`, and is left out.`);
    return undefined;
  }
  if (fromColumns.length !== toColumns.length)
    reading.error(
      'join-columns',
      spot,
      `${spot.what} joins ${fromColumns.length} columns (${fromColumns.join(', ')}) with ${toColumns.length} (${toColumns.join(', ')}).`,
      'Name as many columns on both sides, in the same order.',
    );
  const { ours, foreign } = readExtensions(reading, spot, 'relationship');
  return {
    name,
    from,
    to,
    fromColumns,
    toColumns,
    ai: readAiContext(reading, reading.below(spot, 'ai_context')),
    isOneToOne: ours.one_to_one,
    extensions: foreign,
    standing: standingOf(reading, spot, origin, ours.owner),
  };
}

/** Expressions by dialect, those of our extension last; a text alone is one of ANSI_SQL, with a warning. */
export function readExpressions(
  reading: Reading,
  owner: Spot,
  ours: OurExtension<'metric'> | OurExtension<'field'>,
): readonly DialectExpression[] {
  const extra = ours.expressions ?? [];
  if (ours.complete === false) return extra;
  const spot = reading.below(owner, 'expression');
  if (spot.value === undefined || spot.value === null) return extra;
  if (typeof spot.value === 'string') {
    reading.warn(
      'bare-expression',
      spot,
      `The expression of ${spot.what} is a text, read as one of ANSI_SQL.`,
      'Write `expression: { dialects: [{ dialect: ANSI_SQL, expression: … }] }`.',
    );
    return [...ansi(spot.value), ...extra];
  }
  if (reading.object(spot, ['dialects']) === undefined) return extra;
  const seen = new Set<string>();
  const plain = reading.list(reading.below(spot, 'dialects')).flatMap((item) => {
    reading.object(item, ['dialect', 'expression']);
    if (!isObject(item.value)) return [];
    const dialect = reading.text(reading.below(item, 'dialect'));
    const expression = reading.text(reading.below(item, 'expression'));
    if (dialect === undefined || expression === undefined) {
      reading.error('missing-part', item, `An expression of ${spot.what} lacks \`dialect\` or \`expression\`.`);
      return [];
    }
    checkDialect(reading, item, dialect, seen);
    return [{ dialect, expression }];
  });
  return [...plain, ...extra];
}

function checkDialect(reading: Reading, spot: Spot, dialect: string, seen: Set<string>): void {
  const { dialects, version } = reading.release;
  if (seen.has(dialect))
    reading.error(
      'dialect-twice',
      spot,
      `${spot.what} has two expressions of dialect ${dialect}.`,
      'Keep the one that is right.',
    );
  seen.add(dialect);
  if (dialects.has(dialect)) return;
  const hint = OUR_DIALECTS.has(dialect)
    ? 'It is read here. Other tools may refuse the file: put it into our extension, below `expressions`.'
    : didYouMean(dialect, [...dialects, ...OUR_DIALECTS]);
  reading.warn(
    'unknown-dialect',
    spot,
    `${spot.what} has an expression of dialect ${dialect}, which Ossie ${version} does not name. ${hint}`.trimEnd(),
  );
}

export function typed(
  reading: Reading,
  spot: Spot,
  kept: FieldType | undefined,
): { readonly type?: FieldType | undefined } {
  const written = reading.text(spot);
  if (written === undefined) return { type: kept };
  if (!reading.release.hasDatatype)
    reading.warn(
      'newer-key',
      spot,
      `\`datatype\` of ${spot.what} is not allowed in Ossie ${reading.release.version}. It is read all the same.`,
      `It came with version ${RELEASE_020.version}.`,
    );
  const { data: type } = OUR_EXTENSION.field.shape.datatype.safeParse(written);
  if (type !== undefined) return { type };
  const types = OUR_EXTENSION.field.shape.datatype.unwrap().options;
  const hint = didYouMean(written, types);
  reading.warn(
    'unknown-type',
    spot,
    `${spot.what} has the datatype ${written}, which Ossie does not know. ${hint}`.trimEnd(),
  );
  return {};
}

/** Description and what is said to models. */
export function described(reading: Reading, spot: Spot): Pick<Dataset, 'description' | 'ai'> {
  return {
    description: reading.text(reading.below(spot, 'description')),
    ai: readAiContext(reading, reading.below(spot, 'ai_context')),
  };
}

function readAiContext(reading: Reading, spot: Spot): AiContext | undefined {
  const { value } = spot;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return { instructions: value, synonyms: [], examples: [], isText: true };
  if (!isObject(value)) {
    reading.warn('wrong-type', spot, `\`ai_context\` of ${spot.what} has to be a text or an object.`);
    return undefined;
  }
  const { instructions: _, synonyms: __, examples: ___, ...other } = value;
  return {
    instructions: reading.text(reading.below(spot, 'instructions')),
    synonyms: reading.texts(reading.below(spot, 'synonyms')),
    examples: reading.texts(reading.below(spot, 'examples')),
    other: Object.keys(other).length === 0 ? undefined : other,
  };
}

/** A problem on each entry whose name stands before it in the list; names are compared without case. */
export function noteDuplicates(
  reading: Reading,
  list: Spot,
  kind: 'dataset' | 'field' | 'relationship' | 'metric',
  prefix = '',
): void {
  if (!Array.isArray(list.value)) return;
  const first = new Map<string, string>();
  for (const [at, item] of (list.value as readonly unknown[]).entries()) {
    const name = isObject(item) ? item.name : undefined;
    if (typeof name !== 'string') continue;
    const before = first.get(name.toLowerCase());
    if (before === undefined) first.set(name.toLowerCase(), name);
    else
      reading.error(
        'duplicate-name',
        { ...reading.below(list, at), entry: entryId(kind, `${prefix}${before}`) },
        `Two entries are ${kind} ${prefix}${before}. Neither is used.`,
        'Rename or remove one of them.',
      );
  }
}
