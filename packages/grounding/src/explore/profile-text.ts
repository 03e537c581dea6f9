import {
  type Attribute,
  type AttributeId,
  type Catalog,
  type ColumnProfile,
  type Dialect,
  type JoinProfile,
  oneLine,
  qualifiedName,
  quoteIfNeeded,
  quoteString,
  type SchemaIndex,
  type Value,
} from '@askema/core';
import { isUnique } from './column-profile.ts';
import { isDecimal } from './profile-relation.ts';

/** Values shown of one attribute. */
const SHOWN_VALUES = 8;
/** All values are shown of attributes that have no more than these. */
const LISTED_VALUES = 14;
const SHOWN_CHARACTERS = 48;

interface ProfileTextInput {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: Dialect;
  readonly profiles: ReadonlyMap<AttributeId, ColumnProfile>;
  readonly joins: readonly JoinProfile[];
  /**
   * Attributes and joins that were not read for lack of time; said first, so that nobody takes the profile for whole.
   */
  readonly late?: number | undefined;
  /** Of UTF-8. */
  readonly maxBytes: number;
}

/**
 * Profiles as prompt text: a line for each relation, attribute and join. Values are data of the database: the text
 * belongs inside `fence()`. Lines that the budget has no room for are left out and counted.
 */
export function profileText(input: ProfileTextInput): { readonly text: string; readonly omitted: number } {
  const { index, profiles, joins, late = 0 } = input;
  const groups = new Map<string, { readonly attribute: Attribute; readonly profile: ColumnProfile }[]>();
  for (const [id, profile] of profiles) {
    const attribute = index.attribute(id);
    if (attribute === undefined) continue;
    const group = groups.get(attribute.relation);
    if (group === undefined) groups.set(attribute.relation, [{ attribute, profile }]);
    else group.push({ attribute, profile });
  }
  const lines: string[] = [];
  if (late > 0 && groups.size + joins.length > 0)
    lines.push(`(Not whole: the time was over before ${late} more attributes or joins were read.)`);
  if (joins.length > 0) lines.push('Joins:', ...joins.map((join) => `  ${joinLine(join, input)}`));
  for (const [relation, group] of groups) {
    lines.push(relationLine(relation, group[0]?.profile, input));
    lines.push(...group.map(({ attribute, profile }) => `  ${attributeLine(attribute, profile, input.dialect)}`));
  }
  return withinBytes(lines, input.maxBytes);
}

function withinBytes(lines: readonly string[], maxBytes: number): { readonly text: string; readonly omitted: number } {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    kept.push(line);
  }
  return { text: kept.join('\n'), omitted: lines.length - kept.length };
}

function relationLine(id: string, profile: ColumnProfile | undefined, { catalog, dialect }: ProfileTextInput): string {
  const info = catalog.relations[id];
  const name = info === undefined ? id : qualifiedName(info.nameParts, dialect);
  if (profile === undefined) return oneLine(name);
  const read = profile.rowCount.toLocaleString('en-US');
  return oneLine(`${name} (${profile.sampled === true ? `the first ${read} rows were read` : `${read} rows`})`);
}

function attributeLine(attribute: Attribute, profile: ColumnProfile, dialect: Dialect): string {
  const facts: string[] = [];
  const filled = profile.rowCount - profile.nullCount;
  if (profile.rowCount === 0) facts.push('no rows');
  else if (filled === 0) facts.push('NULL in every row');
  else {
    facts.push(...valueFacts(attribute, profile, dialect));
    facts.push(profile.nullCount === 0 ? 'no NULL' : `${profile.nullCount} NULL`);
    facts.push(...spellingFacts(profile));
  }
  return oneLine(`${quoteIfNeeded(attribute.name, dialect)}: ${facts.join('; ')}`);
}

function valueFacts(attribute: Attribute, profile: ColumnProfile, dialect: Dialect): readonly string[] {
  const { distinctCount, minimum, maximum, commonValues } = profile;
  if (distinctCount === undefined) return ['holds fields or bytes'];
  const facts: string[] = [];
  const written = (value: Value): string => writtenAs(value, attribute, dialect);
  const unique = isUnique(profile) === true;
  if (unique) facts.push(`unique (${distinctCount})`);
  const hasRange = attribute.type === 'NUMERIC' || attribute.type === 'DATETIME';
  if (hasRange && minimum !== undefined && minimum !== null)
    facts.push(`from ${written(minimum)} to ${written(maximum ?? null)}`);
  const whole = commonValues.length === distinctCount && distinctCount <= LISTED_VALUES;
  // Of many times the range and the way in which they are written say it all.
  const shownValues = attribute.type === 'DATETIME' ? 2 : SHOWN_VALUES;
  const listed = commonValues.slice(0, whole ? LISTED_VALUES : shownValues);
  const values = listed.map(({ value, count }) => (unique ? written(value) : `${written(value)} ${count}×`));
  if (!unique)
    facts.push(`${distinctCount} distinct${listed.length > 0 ? `: ${values.join(', ')}${whole ? '' : ', …'}` : ''}`);
  else if (attribute.type !== 'NUMERIC' && values.length > 0)
    facts.push(`such as ${values.slice(0, whole ? LISTED_VALUES : Math.min(3, shownValues)).join(', ')}`);
  return facts;
}

function spellingFacts({ text, shapes, distinctCount }: ColumnProfile): readonly string[] {
  const facts: string[] = [];
  if (shapes !== undefined) facts.push(`written like ${shapes.join(' or ')}`);
  if (text === undefined) return facts;
  if (text.holds === 'numbers') facts.push('numbers stored as text');
  if (text.holds === 'JSON') facts.push('JSON text');
  if (text.emptyCount > 0) facts.push(`${text.emptyCount} empty texts`);
  if (text.paddedCount > 0) facts.push(`${text.paddedCount} with blanks at an end`);
  if (distinctCount !== undefined && text.foldedCount < distinctCount)
    facts.push(`mixed spellings: ${text.foldedCount} distinct without case and blanks`);
  return facts;
}

const GUESSES: Readonly<Record<JoinProfile['known'], string>> = {
  declared: '',
  inferred: ' (no declared key, by names and values)',
  'by name': ' (no declared key, equal names)',
};

function joinLine(join: JoinProfile, { catalog, index, dialect }: ProfileTextInput): string {
  const place = (id: AttributeId): string => {
    const attribute = index.attribute(id);
    const relation = attribute && catalog.relations[attribute.relation];
    if (attribute === undefined || relation === undefined) return id;
    return `${qualifiedName(relation.nameParts, dialect)}.${quoteIfNeeded(attribute.name, dialect)}`;
  };
  const facts = [
    join.orphanCount === 0 ? 'every value is found' : `${join.orphanCount} rows find nothing`,
    join.isTargetUnique
      ? `at most ${join.mostRows} rows for one`
      : `both sides repeat values (at most ${join.mostRows} rows for one)`,
    join.unmatchedCount === 0
      ? `each of the ${join.targetCount} is used`
      : `${join.unmatchedCount} of ${join.targetCount} are used by no row`,
  ];
  const guess = GUESSES[join.known];
  return oneLine(`${place(join.from)} = ${place(join.to)}${guess}: ${facts.join('; ')}`);
}

/** Numbers that came as text, because no number of JavaScript is exact enough, are numbers all the same. */
function writtenAs(value: Value, { type }: Attribute, dialect: Dialect): string {
  const isNumber = type === 'NUMERIC' && typeof value === 'string' && isDecimal(value);
  return isNumber && value.length <= SHOWN_CHARACTERS ? value : shown(value, dialect);
}

function shown(value: Value, dialect: Dialect): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) return `(${value.byteLength} bytes)`;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = text.replaceAll('\0', '\ufffd');
  if (safe.length <= SHOWN_CHARACTERS) return quoteString(safe, dialect);
  return `${quoteString(safe.slice(0, SHOWN_CHARACTERS), dialect)}…`;
}
