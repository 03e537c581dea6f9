import type { JsonValue, Row, Value } from '@askema/core';
import type { RestCell, RestCellValue, RestField, RestRow, RestSchema } from '../client/rest-types.ts';
import { parseExactJson } from './exact-json.ts';
import { standardName } from './result-columns.ts';
import { timestampText } from './timestamp-text.ts';

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
