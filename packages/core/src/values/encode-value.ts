import { AskemaError } from '../errors/askema-error.ts';
import type { JsonValue } from './value.ts';

/**
 * Encodes anything made of JSON values, `bigint`, `Uint8Array`, `undefined`, NaN and infinities as plain JSON, without loss.
 * What JSON lacks becomes an object with a single key that starts with `$`; an object of the user's that happens to look like
 * that is wrapped in `$object`.
 *
 * @throws AskemaError `INPUT_INVALID` for functions, symbols and class instances.
 */
export function encodeValue(value: unknown): JsonValue {
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
      return value === null ? null : encodeObject(value);
    default:
      throw new AskemaError(
        'INPUT_INVALID',
        `A ${typeof value} cannot be stored as JSON; keep it out of states, results and rows.`,
      );
  }
}

/** The reverse of {@link encodeValue}. */
export function decodeValue(json: JsonValue): unknown {
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) return json.map((item: JsonValue) => decodeValue(item));
  const record = json as { readonly [key: string]: JsonValue };
  const keys = Object.keys(record);
  if (keys.length === 1 && keys[0]?.startsWith('$')) {
    const inner = record[keys[0]] as JsonValue;
    switch (keys[0]) {
      case '$number':
        return Number(inner);
      case '$bigint':
        return BigInt(inner as string);
      case '$undefined':
        return undefined;
      case '$bytes':
        return new Uint8Array(Buffer.from(inner as string, 'base64'));
      case '$object':
        return decodeEntries(inner as { readonly [key: string]: JsonValue });
    }
  }
  return decodeEntries(record);
}

function encodeObject(value: object): JsonValue {
  if (Array.isArray(value)) return value.map(encodeValue);
  if (value instanceof Uint8Array)
    return { $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new AskemaError(
      'INPUT_INVALID',
      `A ${value.constructor?.name ?? 'class instance'} cannot be stored as JSON; turn it into a plain object, a string or a number first.`,
    );
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, encodeValue(inner)] as const);
  const encoded = fromEntries(entries);
  return entries.length === 1 && entries[0]?.[0].startsWith('$') ? { $object: encoded } : encoded;
}

function decodeEntries(record: { readonly [key: string]: JsonValue }): Record<string, unknown> {
  return fromEntries(Object.entries(record).map(([key, inner]) => [key, decodeValue(inner)] as const));
}

/** Like `Object.fromEntries`, which already defines own properties and so keeps a key named `__proto__`. */
function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries) as Record<string, T>;
}
