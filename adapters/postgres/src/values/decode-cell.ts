import { readDigits } from '@askema/adapter-kit';
import { type JsonValue, parseExactJson, type Value } from '@askema/core';

/** What a column's type must tell so that its cells can be read. */
export interface CellType {
  /** `pg_type.oid`, of the base type where it is a domain. */
  readonly oid: number;
  /** For an array: the type of its elements, and what stands between them. */
  readonly element?: { readonly oid: number; readonly delimiter: string } | undefined;
}

export type DecodeCell = (text: string) => Value;

/** OIDs of built-in types never change (src/include/catalog/pg_type.dat). */
const BOOL = 16;
const BYTEA = 17;
const INTEGERS = [20, 21, 23, 26, 28, 29, 5069];
const FLOATS = [700, 701];
const NUMERIC = 1700;
const MONEY = 790;
const JSON_TYPES = [114, 3802];
const DATE = 1082;
const TIMESTAMPS = [1114, 1184];
const TIMES = [1083, 1266];

/** PostgreSQL has at most six dimensions. */
const MAX_DIMENSIONS = 6;

const keep: DecodeCell = (text) => text;

const READERS = new Map<number, DecodeCell>([
  [BOOL, (text) => text === 't'],
  [BYTEA, readBytes],
  ...INTEGERS.map((oid) => [oid, readDigits] as const),
  ...FLOATS.map((oid) => [oid, Number] as const),
  [NUMERIC, readNumeric],
  [MONEY, readMoney],
  ...JSON_TYPES.map((oid) => [oid, parseExactJson] as const),
  [DATE, readDate],
  ...TIMESTAMPS.map((oid) => [oid, readTimestamp] as const),
  ...TIMES.map((oid) => [oid, readTime] as const),
]);

/**
 * Reads the text form of a cell exactly, by its type; what has no better form in JSON (ranges, composites, enums, uuid,
 * …) stays text.
 */
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

/** Whole numbers as integers, all others as the digits that came. */
function readNumeric(text: string): Value {
  return text === 'NaN' || text.endsWith('Infinity') ? Number(text) : readDigits(text);
}

/** Under `lc_monetary = C`: `$1,234.50`, `-$0.10`. */
function readMoney(text: string): Value {
  return text.replace(/[$,]/g, '');
}

function readBytes(text: string): Value {
  return new Uint8Array(Buffer.from(text.startsWith('\\x') ? text.slice(2) : '', 'hex'));
}

/**
 * Dates and times as ISO 8601, from the form that `DateStyle = ISO` gives
 * (https://www.postgresql.org/docs/current/datatype-datetime.html): `T` between the two, whole offsets (`+00:00`),
 * years before Christ and beyond 9999 with a sign. `infinity` and `-infinity` stay.
 */
export function readTimestamp(text: string): string {
  const space = text.indexOf(' ');
  if (space < 0) return text;
  const isBefore = text.endsWith(' BC');
  const time = text.slice(space + 1, isBefore ? -3 : undefined);
  return `${isoDate(text.slice(0, space), isBefore)}T${readTime(time)}`;
}

export function readDate(text: string): string {
  if (text.endsWith('infinity')) return text;
  return text.endsWith(' BC') ? isoDate(text.slice(0, -3), true) : isoDate(text, false);
}

/** `10:00:00+02` is `10:00:00+02:00` in ISO 8601. */
export function readTime(text: string): string {
  return /[+-]\d\d$/.test(text) ? `${text}:00` : text;
}

/** ISO 8601 counts a year 0, so 1 BC is 0000 and 44 BC is -0043; years of more digits carry a sign. */
function isoDate(date: string, isBefore: boolean): string {
  const end = date.indexOf('-');
  const digits = date.slice(0, end);
  const rest = date.slice(end);
  if (!isBefore) return digits.length > 4 ? `+${digits.padStart(6, '0')}${rest}` : date;
  const year = Number(digits) - 1;
  return year === 0 ? `0000${rest}` : `-${String(year).padStart(digits.length > 4 ? 6 : 4, '0')}${rest}`;
}

/**
 * Reads the text form of an array, nested as deep as it has dimensions
 * (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO); bounds in front (`[0:1]=`) are dropped. Undefined
 * for a text that is none.
 */
export function readArray(
  text: string,
  delimiter: string,
  decode: (element: string) => JsonValue,
): JsonValue | undefined {
  let at = text.startsWith('[') ? text.indexOf('=') + 1 : 0;
  const open: JsonValue[][] = [];
  let whole: JsonValue[] | undefined;
  while (at < text.length) {
    const character = text[at];
    if (character === '{') {
      const list: JsonValue[] = [];
      open.at(-1)?.push(list);
      open.push(list);
      if (open.length > MAX_DIMENSIONS || whole !== undefined) return undefined;
      at += 1;
    } else if (character === '}') {
      const closed = open.pop();
      if (open.length === 0) whole = closed;
      at += 1;
    } else if (character === delimiter) {
      at += 1;
    } else {
      const list = open.at(-1);
      if (list === undefined) return undefined;
      const element = character === '"' ? readQuoted(text, at) : readBare(text, at, delimiter);
      if (element === undefined) return undefined;
      at = element.to;
      list.push(element.text === undefined ? null : decode(element.text));
    }
  }
  return open.length === 0 ? whole : undefined;
}

interface ElementText {
  /** Undefined for NULL. */
  readonly text: string | undefined;
  readonly to: number;
}

function readQuoted(text: string, from: number): ElementText | undefined {
  let content = '';
  let start = from + 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') return { text: content + text.slice(start, at), to: at + 1 };
    if (text[at] !== '\\') continue;
    content += text.slice(start, at);
    at += 1;
    start = at;
  }
  return undefined;
}

function readBare(text: string, from: number, delimiter: string): ElementText {
  let content = '';
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== '}') {
    if (text[at] === '\\') at += 1;
    content += text[at] ?? '';
    at += 1;
  }
  return { text: content === 'NULL' ? undefined : content, to: at };
}
