import { type JsonValue, parseExactJson, type Value } from '@askema/core';
import { readArray } from './read-array.ts';
import { readDate, readTime, readTimestamp } from './read-temporal.ts';

/** What a column's type must tell so that its cells can be read. */
export interface CellType {
  /** `pg_type.oid`, of the base type where it is a domain. */
  readonly oid: number;
  /** For an array: the type of its elements, and what stands between them. */
  readonly element?: { readonly oid: number; readonly delimiter: string } | undefined;
}

export type DecodeCell = (text: string) => Value;

/** OIDs of built-in types never change (src/include/catalog/pg_type.dat). */
export const BOOL = 16;
const BYTEA = 17;
const INTEGERS = [20, 21, 23, 26, 28, 29, 5069];
const FLOATS = [700, 701];
const NUMERIC = 1700;
const MONEY = 790;
const JSON_TYPES = [114, 3802];
const DATE = 1082;
const TIMESTAMPS = [1114, 1184];
const TIMES = [1083, 1266];

const keep: DecodeCell = (text) => text;

const READERS = new Map<number, DecodeCell>([
  [BOOL, (text) => text === 't'],
  [BYTEA, readBytes],
  ...INTEGERS.map((oid) => [oid, readInteger] as const),
  ...FLOATS.map((oid) => [oid, Number] as const),
  [NUMERIC, readNumeric],
  [MONEY, readMoney],
  ...JSON_TYPES.map((oid) => [oid, parseExactJson] as const),
  [DATE, readDate],
  ...TIMESTAMPS.map((oid) => [oid, readTimestamp] as const),
  ...TIMES.map((oid) => [oid, readTime] as const),
]);

/** Reads the text form of a cell exactly, by its type; what has no better form in JSON (ranges, composites, enums, uuid, …) stays text. */
export function decoderOf({ oid, element }: CellType): DecodeCell {
  if (element === undefined) return READERS.get(oid) ?? keep;
  const read = READERS.get(element.oid) ?? keep;
  return (text) => readArray(text, element.delimiter, (cell) => asJson(read(cell))) ?? text;
}

/** Inside of JSON there is no bigint, NaN or bytes: they are texts there, exact all the same. */
function asJson(value: Value): JsonValue {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return value as JsonValue;
}

/** A number up to 2^53, a bigint beyond. */
function readInteger(text: string): Value {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** More digits than any integer type has are a decimal all the same. */
const INTEGER_DIGITS = 38;

/** Whole numbers as integers, all others as the digits that came. */
function readNumeric(text: string): Value {
  if (/^-?\d+$/.test(text)) return text.length <= INTEGER_DIGITS ? readInteger(text) : text;
  return text === 'NaN' || text.endsWith('Infinity') ? Number(text) : text;
}

/** Under `lc_monetary = C`: `$1,234.50`, `-$0.10`. */
function readMoney(text: string): Value {
  return text.replace(/[$,]/g, '');
}

function readBytes(text: string): Value {
  return new Uint8Array(Buffer.from(text.startsWith('\\x') ? text.slice(2) : '', 'hex'));
}
