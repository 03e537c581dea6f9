import {
  type Attribute,
  type AttributeId,
  type CallContext,
  type Catalog,
  type ColumnProfile,
  type Dialect,
  isAskemaError,
  type QueryOptions,
  type QueryResult,
  type Row,
  toAskemaError,
  type Value,
} from '@askema/core';
import { CELL_CHARACTERS, isComparable } from './column-profile.ts';
import { commonValuesStatement, countStatement, type ProfiledColumn, type ProfileSource } from './profile-statement.ts';

/** How long and how much a profile may read. */
export interface ProfileHost {
  readonly dialect: Dialect;
  readonly catalog: Catalog;
  readonly maxRows: number;
  readonly context: CallContext;
  readonly query: (sql: string, options: QueryOptions) => Promise<QueryResult>;
  /** Milliseconds for the next statement; below 1 when no time is left. */
  readonly remainingMs: () => number;
  /** Statements that were sent. */
  readonly statements: { count: number };
}

/** Common values that are read of an attribute: enough to see how it is spelled. */
const COMMON_VALUES = 40;
/** Shapes that are kept of an attribute. */
const MAX_SHAPES = 3;
const MAX_RESULT_BYTES = 1024 * 1024;
/** Numbers with more distinct values are measured by their range; their most frequent ones say little. */
const MAX_LISTED_NUMBERS = 40;
/** A decimal of no more digits is the same number after it was read. */
const EXACT_DIGITS = 15;
/** Attributes of one statement. */
const BATCH = 16;

interface RelationProfile {
  readonly profiles: ReadonlyMap<AttributeId, ColumnProfile>;
  /** Attributes that could not be profiled, and why. */
  readonly failures: readonly { readonly attribute: Attribute; readonly error: unknown }[];
}

type Counts = Omit<ColumnProfile, 'commonValues' | 'shapes'>;

/**
 * Profiles attributes of one relation with two statements for each sixteen of them: counts, then common values. When
 * such a statement fails, each attribute is asked alone, so that one that the engine cannot compare costs no other its
 * profile. Masked ones and those of remote relations are left out.
 *
 * Rejects only with `ABORTED` and `DATABASE_CLOSED`.
 */
export async function profileRelation(host: ProfileHost, wanted: readonly Attribute[]): Promise<RelationProfile> {
  const { attributes: infos, relations } = host.catalog;
  const attributes = wanted.filter(
    ({ id, relation }) => infos[id]?.masked !== true && relations[relation]?.remote !== true,
  );
  const profiles = new Map<AttributeId, ColumnProfile>();
  const failures: { attribute: Attribute; error: unknown }[] = [];
  for (let start = 0; start < attributes.length; start += BATCH) {
    const batch = attributes.slice(start, start + BATCH);
    const counted = await together(host, batch, failures, countAttributes);
    const listed = batch.filter((attribute) => isListed(attribute, counted.get(attribute.id)));
    const common = await together(host, listed, failures, listValues);
    for (const { id } of batch) {
      const counts = counted.get(id);
      if (counts !== undefined) profiles.set(id, finishProfile(counts, common.get(id) ?? []));
    }
  }
  return { profiles, failures };
}

/** Asks for all at once, and after a failure for each alone. What has no answer then is among the failures. */
async function together<Answer>(
  host: ProfileHost,
  attributes: readonly Attribute[],
  failures: { attribute: Attribute; error: unknown }[],
  ask: (host: ProfileHost, attributes: readonly Attribute[]) => Promise<ReadonlyMap<AttributeId, Answer>>,
): Promise<ReadonlyMap<AttributeId, Answer>> {
  if (attributes.length === 0) return new Map();
  try {
    return await ask(host, attributes);
  } catch (error) {
    throwIfOver(error);
    if (attributes.length === 1 || !isOneByOne(error)) {
      for (const attribute of attributes) failures.push({ attribute, error });
      return new Map();
    }
  }
  const answers = new Map<AttributeId, Answer>();
  for (const attribute of attributes) {
    try {
      for (const [id, answer] of await ask(host, [attribute])) answers.set(id, answer);
    } catch (error) {
      throwIfOver(error);
      failures.push({ attribute, error });
    }
  }
  return answers;
}

/** A run that was stopped, or a database that is gone, is no matter of one attribute. */
export function throwIfOver(error: unknown): void {
  const { code } = toAskemaError(error);
  if (code === 'ABORTED' || code === 'DATABASE_CLOSED') throw error;
}

/** True where one attribute may be to blame: not for time, permission or a relation that cannot be read. */
function isOneByOne(error: unknown): boolean {
  if (!isAskemaError(error) || error.code !== 'QUERY_FAILED') return false;
  return error.details.errorClass !== 'permission' && error.details.errorClass !== 'timeout';
}

async function countAttributes(
  host: ProfileHost,
  attributes: readonly Attribute[],
): Promise<ReadonlyMap<AttributeId, Counts>> {
  const columns = attributes.map((attribute) => columnOf(attribute, host.catalog));
  const source = sourceOf(host, attributes);
  const { rows } = await run(host, countStatement(source, columns), 1);
  const row = rows[0] ?? [];
  const rowCount = countOf(row[0]);
  let next = 1;
  const counted = attributes.map(({ id }, position): readonly [AttributeId, Counts] => {
    const column = columns[position] ?? { name: '', comparable: false, ordered: false, text: false };
    const counts = readCounts(column, rowCount, rowCount >= host.maxRows, row, next);
    next = counts.next;
    return [id, counts.counts];
  });
  return new Map(counted);
}

function readCounts(
  column: ProfiledColumn,
  rowCount: number,
  sampled: boolean,
  row: Row,
  first: number,
): { readonly counts: Counts; readonly next: number } {
  let next = first;
  const take = (): Value => row[next++] ?? null;
  const nullCount = rowCount - countOf(take());
  const distinctCount = column.comparable ? countOf(take()) : undefined;
  const minimum = column.ordered ? cutValue(take()) : undefined;
  const maximum = column.ordered ? cutValue(take()) : undefined;
  const text = column.text
    ? { emptyCount: countOf(take()), paddedCount: countOf(take()), foldedCount: countOf(take()) }
    : undefined;
  return { counts: { rowCount, sampled, nullCount, distinctCount, minimum, maximum, text }, next };
}

type CommonValues = ColumnProfile['commonValues'];

async function listValues(
  host: ProfileHost,
  attributes: readonly Attribute[],
): Promise<ReadonlyMap<AttributeId, CommonValues>> {
  const names = attributes.map(({ name }) => name);
  const sql = commonValuesStatement(sourceOf(host, attributes), names, COMMON_VALUES);
  const { rows } = await run(host, sql, attributes.length * COMMON_VALUES);
  const listed = new Map<AttributeId, { value: Value; count: number }[]>(attributes.map(({ id }) => [id, []]));
  for (const [place, cell, occurrences] of rows) {
    const attribute = attributes[countOf(place)];
    const values = attribute && listed.get(attribute.id);
    if (attribute === undefined || values === undefined || cell === null || cell === undefined) continue;
    values.push({
      value: attribute.type === 'NUMERIC' || attribute.type === 'BOOL' ? asStored(cell) : cutValue(cell),
      count: countOf(occurrences),
    });
  }
  // UNION ALL promises no order.
  for (const values of listed.values()) values.sort((a, b) => b.count - a.count);
  return listed;
}

function finishProfile(counts: Counts, commonValues: CommonValues): ColumnProfile {
  const texts = commonValues.map(({ value }) => String(value));
  const shapes = counts.text === undefined ? [] : shapesOf(texts).map(({ shape }) => shape);
  return {
    ...counts,
    commonValues,
    text: counts.text && { ...counts.text, holds: contentOf(texts) },
    shapes: shapes.length > 0 ? shapes.slice(0, MAX_SHAPES) : undefined,
  };
}

function columnOf(attribute: Attribute, catalog: Catalog): ProfiledColumn {
  const comparable = isComparable(attribute, catalog.attributes[attribute.id]);
  return {
    name: attribute.name,
    comparable,
    // Of texts the least and the greatest say little, and not every engine orders all that counts as text (PostgreSQL:
    // uuid).
    ordered: comparable && (attribute.type === 'NUMERIC' || attribute.type === 'DATETIME'),
    // Dates are often stored as text, and where they are not, their written form shows the format.
    text: comparable && (attribute.type === 'TEXT' || attribute.type === 'DATETIME'),
  };
}

function isListed(attribute: Attribute, counts: Counts | undefined): boolean {
  if (counts?.distinctCount === undefined || counts.distinctCount === 0) return false;
  return attribute.type !== 'NUMERIC' || counts.distinctCount <= MAX_LISTED_NUMBERS;
}

function sourceOf(host: ProfileHost, attributes: readonly Attribute[]): ProfileSource {
  const relation = host.catalog.relations[attributes[0]?.relation ?? ''];
  return { dialect: host.dialect, relation: relation?.nameParts ?? { relation: '' }, maxRows: host.maxRows };
}

async function run(host: ProfileHost, sql: string, maxRows: number): Promise<QueryResult> {
  const timeoutMs = Math.floor(host.remainingMs());
  if (timeoutMs < 1) throw new OutOfTime();
  host.statements.count += 1;
  const { context } = host;
  return host.query(sql, { maxRows, maxBytes: MAX_RESULT_BYTES, timeoutMs, access: 'read', context });
}

/** No statement was sent, because the time of the whole exploration is over. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime';
}

/** Counts come as numbers, bigints or decimal text, as the engine gives them. */
export function countOf(value: Value | undefined): number {
  const count = typeof value === 'number' ? value : Number(value ?? 0);
  return Number.isFinite(count) ? count : 0;
}

function cutValue(value: Value): Value {
  return typeof value === 'string' ? value.slice(0, CELL_CHARACTERS + 1) : value;
}

/** A number or truth value that was read as text: engines write 15 of a REAL attribute as `15.0`. */
function asStored(value: Value): Value {
  if (typeof value !== 'string') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  const number = Number(value);
  const isExact = String(number) === value || (isDecimal(value) && digitsOf(value) <= EXACT_DIGITS);
  return isExact && Number.isFinite(number) ? number : cutValue(value);
}

/** Digits from the first to the last that is not 0, of a decimal. */
function digitsOf(text: string): number {
  const digits = (text.split(/e/i)[0] ?? '').replace(/[^0-9]/g, '');
  return digits.replace(/^0+/, '').length;
}

/** Longer texts are prose: their shape tells nothing. */
const MAX_SHAPED_CHARACTERS = 40;

/**
 * How a value is written: digits become `9`, letters `a` or `A`, everything else stays; runs of letters longer than
 * three and of digits longer than eight are cut to `a+` and `9+`. `2024-03-09` is `9999-99-99`. Undefined for what
 * holds no digit, or is prose.
 */
function shapeOf(text: string): string | undefined {
  if (text.length > MAX_SHAPED_CHARACTERS || !/\p{Nd}/u.test(text)) return undefined;
  return text
    .replace(/\p{Nd}/gu, '9')
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/9{9,}/g, '9+')
    .replace(/[aA]{4,}/g, (run) => (run.includes('a') ? 'a+' : 'A+'));
}

/** The shapes of values with how many have each, most frequent first; those without one are not counted. */
function shapesOf(texts: readonly string[]): readonly { readonly shape: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const shape = shapeOf(text);
    if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return [...counts]
    .map(([shape, count]) => ({ shape, count }))
    .sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1));
}

/** Also with separators of thousands, a sign of a currency in front, or a percent sign behind: `$1,234.50`, `12 %`. */
const isNumber = (text: string): boolean =>
  /^[-+]?\p{Sc}? ?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)?(?:[.,]\d+)?(?:e[-+]?\d{1,3})? ?%?$/iu.test(text);

/** What all of these texts are: numbers, or JSON objects and arrays; undefined for neither, and for no text at all. */
function contentOf(texts: readonly string[]): 'numbers' | 'JSON' | undefined {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (filled.length === 0) return undefined;
  if (filled.every((text) => text.length < 40 && /\d/.test(text) && isNumber(text))) return 'numbers';
  return filled.every((text) => /^(?:\{\s*["}]|\[\s*["{[\]\d-])/.test(text)) ? 'JSON' : undefined;
}

const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** True for a number as engines write it: `15.0`, `-0.5`, `1.0e+20`; not for `007` or `1,200`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}
