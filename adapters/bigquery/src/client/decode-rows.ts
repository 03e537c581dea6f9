import type { JsonValue, Row, Value } from '@askema/core';
import type { RestCell, RestCellValue, RestField, RestRow, RestSchema } from '../rest-types.ts';
import { standardName } from './result-columns.ts';

type DecodeScalar = (text: string) => Value;
type Decode = (value: RestCellValue | undefined) => Value;

/**
 * Reads rows off the wire (`{ f: [{ v }] }`), by the schema and not by the client library's classes, which lose digits: INT64 as number or bigint, NUMERIC
 * and BIGNUMERIC as text digit by digit (as numbers where a scale of 0 is declared), BYTES as bytes, dates and times as ISO 8601, JSON parsed, STRUCT as an
 * object, ARRAY as a list. GEOGRAPHY (WKT), INTERVAL and RANGE stay the text that BigQuery writes. Inside of nested values what JSON lacks
 * is text: integers beyond 2^53, NaN, bytes (base64).
 */
export function createRowDecoder(schema: RestSchema | undefined): (row: RestRow) => Row {
  const columns = (schema?.fields ?? []).map((field) => columnDecoder(field));
  return (row) => {
    const cells = row.f ?? [];
    return columns.map((decode, index) => decode(cells[index]?.v));
  };
}

function columnDecoder(field: RestField): Decode {
  if (field.mode === 'REPEATED' || standardName(field.type) === 'STRUCT') return nestedDecoder(field);
  const scalar = scalarDecoder(field);
  return (value) => (value === null || value === undefined ? null : scalar(scalarText(value)));
}

/** As JSON: the decoder of a field inside of a STRUCT or an ARRAY, and of these themselves. */
function nestedDecoder(field: RestField): (value: RestCellValue | undefined) => JsonValue {
  const one = elementDecoder(field);
  if (field.mode !== 'REPEATED') return one;
  return (value) => (isCells(value) ? value.map(({ v }) => one(v)) : []);
}

function elementDecoder(field: RestField): (value: RestCellValue | undefined) => JsonValue {
  if (standardName(field.type) === 'STRUCT') return structDecoder(field.fields ?? []);
  const scalar = scalarDecoder(field);
  return (value) => (value === null || value === undefined ? null : asJson(scalar(scalarText(value))));
}

function structDecoder(fields: readonly RestField[]): (value: RestCellValue | undefined) => JsonValue {
  const names = distinctNames(fields.map(({ name }) => name));
  const decoders = fields.map((field) => nestedDecoder(field));
  return (value) => {
    if (value === null || value === undefined || typeof value !== 'object' || isCells(value)) return null;
    const cells = (value as RestRow).f ?? [];
    // `fromEntries` keeps a field named __proto__ as a field.
    return Object.fromEntries(decoders.map((decode, index) => [names[index], decode(cells[index]?.v)]));
  };
}

/** Fields without a name, and a second one of the same name, get one: nothing is lost. */
function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(names);
  const used = new Set<string>();
  return names.map((name, index) => {
    let own = name === '' ? `_field_${index + 1}` : name;
    for (let number = 2; used.has(own) || (own !== name && taken.has(own)); number++)
      own = `${name || '_field'}_${number}`;
    used.add(own);
    return own;
  });
}

function isCells(value: RestCellValue | undefined): value is readonly RestCell[] {
  return Array.isArray(value);
}

/** Scalars are text on the wire; stand-ins send numbers and booleans. */
function scalarText(value: RestCellValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scalarDecoder(field: RestField): DecodeScalar {
  switch (standardName(field.type)) {
    case 'INT64':
      return integer;
    case 'FLOAT64':
      return float;
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return field.precision !== undefined && Number(field.scale ?? 0) === 0 ? integer : decimal;
    case 'BOOL':
      return (text) => text.toLowerCase() === 'true';
    case 'BYTES':
      return (text) => new Uint8Array(Buffer.from(text, 'base64'));
    case 'TIMESTAMP':
      return timestampText;
    case 'DATETIME':
      return (text) => text.replace(' ', 'T');
    case 'JSON':
      return parseExactJson;
    case 'RANGE':
      return field.rangeElementType?.type === 'TIMESTAMP' ? timestampRange : (text) => text;
    default:
      return (text) => text;
  }
}

function integer(text: string): Value {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return Object.is(number, -0) ? 0 : number;
  return /^-?\d{1,100}$/.test(text) ? BigInt(text) : text;
}

/** Stand-ins write exponents; BigQuery writes digits. */
function decimal(text: string): Value {
  return text;
}

const NOT_FINITE: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '+inf': Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-infinity': Number.NEGATIVE_INFINITY,
};

function float(text: string): Value {
  const special = NOT_FINITE[text.toLowerCase()];
  return special ?? Number(text);
}

/** `[1704067200000000, UNBOUNDED)`, its ends as ISO 8601. */
function timestampRange(text: string): Value {
  const ends = /^\[([^,]{1,40}), ?([^)]{1,40})\)$/.exec(text);
  if (ends === null) return text;
  const [, from = '', to = ''] = ends;
  return `[${endText(from)}, ${endText(to)})`;
}

function endText(end: string): string {
  return /^(?:UNBOUNDED|NULL)$/i.test(end) ? 'UNBOUNDED' : timestampText(end);
}

/** What JSON has no value for becomes text. */
function asJson(value: Value): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return value as JsonValue;
}

/** What a reviver is told beside key and value (ECMAScript: JSON.parse source text access; Node 22 has it). */
interface RevivedFrom {
  readonly source?: string | undefined;
}

type ReviveWithSource = (this: unknown, key: string, value: JsonValue, from?: RevivedFrom) => JsonValue;

/**
 * JSON of a column, its whole numbers beyond 2^53 as text, digit by digit; a document that is such a number itself is a bigint. What is no JSON stays
 * text.
 */
function parseExactJson(text: string): Value {
  try {
    if (/^-?\d{16,40}$/.test(text)) return exactInteger(text);
    // Most documents have no long number, and the reviver costs time.
    return (
      /\d{16}/.test(text) ? JSON.parse(text, revive as (key: string, value: JsonValue) => JsonValue) : JSON.parse(text)
    ) as JsonValue;
  } catch {
    return text;
  }
}

const revive: ReviveWithSource = (_key, value, from) => {
  const source = from?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
};

function exactInteger(text: string): Value {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Microseconds of the years 1 to 9999. */
const LEAST_MICROSECONDS = -62_135_596_800_000_000n;
const MOST_MICROSECONDS = 253_402_300_800_000_000n;

/**
 * A TIMESTAMP as ISO 8601 in UTC, with as many digits of the second as it has (six, or twelve where the column has picoseconds). On the wire it is a count of
 * microseconds (`formatOptions.useInt64Timestamp`), seconds with a fraction (`1.7040672E9`: what servers send that do not know the option), or ISO text.
 */
export function timestampText(text: string): string {
  if (/^-?\d{1,19}$/.test(text)) return ofMicroseconds(BigInt(text)) ?? text;
  if (/^-?\d{1,19}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?$/.test(text))
    return ofMicroseconds(microsecondsOf(text)) ?? text;
  const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?(?:Z| ?UTC|\+00(?::?00)?)?$/.exec(text);
  if (iso === null) return text;
  const [, date = '', time = '', fraction = ''] = iso;
  return `${date}T${time}${fractionText(fraction)}Z`;
}

/** Digits are moved as text: a double has too few of them. */
function microsecondsOf(text: string): bigint {
  const negative = text.startsWith('-');
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) + 6;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const moved = point <= 0 ? '0' : digits.padEnd(point, '0').slice(0, point);
  const microseconds = BigInt(moved === '' ? '0' : moved);
  return negative ? -microseconds : microseconds;
}

function ofMicroseconds(microseconds: bigint): string | undefined {
  if (microseconds < LEAST_MICROSECONDS || microseconds >= MOST_MICROSECONDS) return undefined;
  const rest = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((microseconds - rest) / 1_000_000n);
  const iso = new Date(seconds * 1_000).toISOString();
  return `${iso.slice(0, 19)}${fractionText(rest.toString().padStart(6, '0'))}Z`;
}

function fractionText(digits: string): string {
  const significant = digits.replace(/0{1,12}$/, '');
  return significant === '' ? '' : `.${significant}`;
}
