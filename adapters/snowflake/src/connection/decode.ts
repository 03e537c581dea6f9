import { logicalType, parseExactJson, type ResultColumn, type Row, type Value } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { WireColumn } from './wire.ts';

/** Makes a cell of what stood on the wire; never called with NULL. */
type Decode = (text: string) => Value;

/** The columns of a result, as the adapter's contract has them. */
export function toColumns(columns: readonly WireColumn[]): ResultColumn[] {
  return columns.map((column) => {
    const nativeType = nativeTypeOf(column);
    return { name: column.name, nativeType, type: logicalType(nativeType, snowflakeDialect) };
  });
}

/** A function from rows of the wire to exact rows. A cell that is no text (null) is NULL: the text `NULL` is a text. */
export function createRowDecoder(columns: readonly WireColumn[]): (row: readonly (string | null)[]) => Row {
  const decoders = columns.map(decoderOf);
  return (row) =>
    decoders.map((decode, index) => {
      const cell = row[index] as unknown;
      if (cell === null || cell === undefined) return null;
      return decode(typeof cell === 'string' ? cell : String(cell));
    });
}

function decoderOf({ type, scale }: WireColumn): Decode {
  switch (type.toLowerCase()) {
    case 'fixed':
      return (scale ?? 0) > 0 ? asText : asInteger;
    case 'real':
      return asFloat;
    case 'boolean':
      return (text) => text === '1' || text.toLowerCase() === 'true';
    case 'binary':
      return (text) => Uint8Array.from(Buffer.from(text, 'hex'));
    case 'date':
      return (text) => dateOf(Number(text));
    case 'time':
      return (text) => asTime(text);
    case 'timestamp_ntz':
      return (text) => asInstant(text, 0, '');
    case 'timestamp_ltz':
      return (text) => asInstant(text, 0, 'Z');
    case 'timestamp_tz':
      return (text) => asZoned(text, scale ?? 9);
    case 'variant':
    case 'object':
    case 'array':
    case 'map':
    case 'vector':
    case 'geography':
    case 'geometry':
      return asJson;
    default:
      return asText;
  }
}

const asText: Decode = (text) => text;

const asInteger: Decode = (text) => {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  return /^-?\d+$/.test(text) ? BigInt(text) : text;
};

const asFloat: Decode = (text) => {
  const word = text.toLowerCase();
  if (word === 'nan') return Number.NaN;
  if (word === 'inf' || word === 'infinity') return Number.POSITIVE_INFINITY;
  if (word === '-inf' || word === '-infinity') return Number.NEGATIVE_INFINITY;
  return Number(text);
};

const DAY = 86_400;

/** `19782` days since 1970 are `2024-02-29`. */
function dateOf(days: number): string {
  const date = new Date(days * DAY * 1000);
  return Number.isNaN(date.getTime()) ? String(days) : date.toISOString().split('T', 1).join('');
}

/** Seconds with a fraction, cut apart without floating point: `-0.5` is the second -1 and 500,000,000 nanoseconds. */
function splitSeconds(text: string): { readonly seconds: number; readonly nanos: number } {
  const match = /^(-?)(\d+)(?:\.(\d{1,9})\d*)?$/.exec(text.trim());
  if (match === null) return { seconds: Number.NaN, nanos: 0 };
  const [, sign, whole = '0', fraction = ''] = match;
  const nanos = Number(fraction.padEnd(9, '0'));
  if (sign !== '-') return { seconds: Number(whole), nanos };
  return nanos === 0
    ? { seconds: -Number(whole), nanos }
    : { seconds: -Number(whole) - 1, nanos: 1_000_000_000 - nanos };
}

function clockOf(secondOfDay: number, nanos: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(secondOfDay / 3600))}:${two(Math.floor(secondOfDay / 60) % 60)}:${two(secondOfDay % 60)}`;
  return nanos === 0 ? clock : `${clock}.${String(nanos).padStart(9, '0').replace(/0+$/, '')}`;
}

function asTime(text: string): string {
  const { seconds, nanos } = splitSeconds(text);
  return Number.isNaN(seconds) ? text : clockOf(seconds, nanos);
}

function asInstant(text: string, offsetMinutes: number, zone: string): string {
  const { seconds, nanos } = splitSeconds(text);
  if (Number.isNaN(seconds)) return text;
  const local = seconds + offsetMinutes * 60;
  const day = Math.floor(local / DAY);
  return `${dateOf(day)}T${clockOf(local - day * DAY, nanos)}${zone}`;
}

/**
 * `1709210096.5 1560`: seconds since 1970 in UTC, and minutes that the zone is ahead of UTC, plus 1,440. In results of version 0 one number
 * holds both: its lowest 14 bits are the zone.
 */
function asZoned(text: string, scale: number): string {
  const [instant = '', zone] = text.trim().split(' ');
  if (zone !== undefined) return asInstant(instant, Number(zone) - 1440, zoneOf(Number(zone) - 1440));
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(instant);
  if (match === null) return text;
  const packed = BigInt(`${match[1]}${(match[2] ?? '').padEnd(scale, '0').slice(0, scale)}`);
  const minutes = Number(BigInt.asUintN(14, packed)) - 1440;
  const units = packed >> 14n;
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const seconds = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
  return asInstant(scale === 0 ? seconds.slice(0, -1) : seconds, minutes, zoneOf(minutes));
}

function zoneOf(minutes: number): string {
  if (minutes === 0) return 'Z';
  const distance = Math.abs(minutes);
  const hours = String(Math.floor(distance / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(distance % 60).padStart(2, '0')}`;
}

/** XML in a VARIANT, and `undefined` of semi-structured NULLs, are no JSON and stay text. */
const asJson: Decode = parseExactJson;

function nativeTypeOf({ type, precision, scale, length }: WireColumn): string {
  const name = type.toLowerCase();
  switch (name) {
    case 'fixed':
      return `NUMBER(${precision ?? 38},${scale ?? 0})`;
    case 'real':
      return 'FLOAT';
    case 'text':
      return length === null || length === undefined ? 'VARCHAR' : `VARCHAR(${length})`;
    case 'time':
    case 'timestamp_ntz':
    case 'timestamp_ltz':
    case 'timestamp_tz':
      return `${name.toUpperCase()}(${scale ?? 9})`;
    default:
      return name.toUpperCase();
  }
}
