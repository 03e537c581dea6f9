import { AskemaError } from '../errors/askema-error.ts';
import type { JsonValue } from './value.ts';

/** Values of databases and states are shallow; what is deeper is a cycle, or made to overflow the stack. */
const MAX_DEPTH = 500;

type JsonRecord = { readonly [key: string]: JsonValue };

/**
 * Encodes anything made of JSON values, `bigint`, `Uint8Array`, `undefined`, NaN and infinities as plain JSON, without
 * loss. What JSON lacks becomes an object with a single key that starts with `$`; an object of the user's that happens
 * to look like that is wrapped in `$object`.
 *
 * @throws AskemaError `INPUT_INVALID` for functions, symbols, class instances, cycles and more than 500 levels.
 */
export function encodeValue(value: unknown): JsonValue {
  return encode(value, 0);
}

/**
 * The reverse of {@link encodeValue}.
 *
 * @throws AskemaError `INPUT_INVALID` for JSON that it cannot have written.
 */
export function decodeValue(json: JsonValue): unknown {
  return decode(json, 0);
}

function encode(value: unknown, depth: number): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $number: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { $bigint: value.toString() };
    case 'undefined':
      return { $undefined: true };
    case 'object':
      return value === null ? null : encodeObject(value, depth + 1);
    default:
      throw notStorable(`A ${typeof value}`, 'keep it out of states, results and rows');
  }
}

function encodeObject(value: object, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw notStorable(`A value of more than ${MAX_DEPTH} levels`, 'it may contain itself');
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => encode(item, depth));
  if (value instanceof Uint8Array)
    return { $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = (prototype as { constructor?: { name?: unknown } }).constructor?.name;
    const what = typeof name === 'string' && name !== '' ? name : 'class instance';
    throw notStorable(`A ${what}`, 'turn it into a plain object, a string or a number first');
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, encode(inner, depth)] as const);
  const encoded = fromEntries(entries);
  return entries.length === 1 && entries[0]?.[0].startsWith('$') ? { $object: encoded } : encoded;
}

function decode(json: JsonValue, depth: number): unknown {
  if (json === null || typeof json !== 'object') return json;
  // An object of one key that starts with `$` takes two levels once it is encoded.
  if (depth > 2 * MAX_DEPTH) throw notDecodable(`more than ${2 * MAX_DEPTH} levels`);
  if (Array.isArray(json)) return json.map((item: JsonValue) => decode(item, depth + 1));
  const record = json as JsonRecord;
  const keys = Object.keys(record);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !key.startsWith('$')) return decodeEntries(record, depth);
  const inner = record[key] as JsonValue;
  switch (key) {
    case '$number':
      return decodeNumber(inner);
    case '$bigint':
      if (typeof inner === 'string' && /^-?\d+$/.test(inner)) return BigInt(inner);
      break;
    case '$undefined':
      if (inner === true) return undefined;
      break;
    case '$bytes':
      if (typeof inner === 'string') return new Uint8Array(Buffer.from(inner, 'base64'));
      break;
    case '$object':
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner))
        return decodeEntries(inner as JsonRecord, depth + 1);
  }
  throw notDecodable(`${JSON.stringify(json).slice(0, 100)}`);
}

function decodeNumber(inner: JsonValue): number {
  const number = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '-Infinity': Number.NEGATIVE_INFINITY,
    '-0': -0,
  };
  if (typeof inner === 'string' && Object.hasOwn(number, inner)) return number[inner as keyof typeof number];
  throw notDecodable(`a number ${JSON.stringify(inner).slice(0, 100)}`);
}

function decodeEntries(record: JsonRecord, depth: number): Record<string, unknown> {
  return fromEntries(Object.entries(record).map(([key, inner]) => [key, decode(inner, depth + 1)] as const));
}

/** Like `Object.fromEntries`, which already defines own properties and so keeps a key named `__proto__`. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries) as Record<string, T>;
}

function notStorable(what: string, remedy: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `${what} cannot be stored as JSON; ${remedy}.`);
}

function notDecodable(what: string): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `This JSON was not written by encodeValue: it has ${what}. The file that it comes from is damaged, or of another version.`,
  );
}
