import { AskemaError } from '../errors/askema-error.ts';

/**
 * A deep copy of plain data: the values that `encodeValue` carries.
 *
 * @throws AskemaError `INPUT_INVALID` naming the place of anything else. `what` begins the message: `The state`.
 */
export function clonePlain<T>(value: T, what: string, place = ''): T {
  if (typeof value === 'function' || typeof value === 'symbol') throw notPlain(`a ${typeof value}`, what, place);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => clonePlain(item, what, `${place}[${index}]`)) as T;
  if (value instanceof Uint8Array) return new Uint8Array(value) as T;
  if (!isPlainObject(value)) throw notPlain(`a ${value.constructor?.name ?? 'class instance'}`, what, place);
  const entries = Object.entries(value).map(([key, inner]) => [key, clonePlain(inner, what, `${place}.${key}`)]);
  return Object.fromEntries(entries) as T;
}

/** An object literal, or one without a prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function notPlain(found: string, what: string, place: string): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `${what} holds ${found} at \`${place.replace(/^\./, '')}\`; keep plain data in it, and pass everything else in the dependencies.`,
  );
}
