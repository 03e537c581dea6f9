import { AskemaError } from '../errors/askema-error.ts';

/**
 * A deep copy of plain data: the values that `encodeValue` carries.
 *
 * @throws AskemaError `INPUT_INVALID` naming the place of anything else. `what` begins the message: `The state`.
 */
export function clonePlain<T>(value: T, what: string | (() => string), place?: Place): T {
  if (typeof value === 'function' || typeof value === 'symbol') throw notPlain(`a ${typeof value}`, what, place);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown, key) => (isScalar(item) ? item : clonePlain(item, what, { key, place }))) as T;
  }
  if (value instanceof Uint8Array) return new Uint8Array(value) as T;
  if (!isPlainObject(value)) throw notPlain(`a ${value.constructor?.name ?? 'class instance'}`, what, place);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    const own = isScalar(item) ? item : clonePlain(item, what, { key, place });
    // An assignment to this name would set the prototype.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...ORDINARY, value: own });
    else copy[key] = own;
  }
  return copy as T;
}

/** Where in the whole value a part of it is: only turned into text for an error. */
interface Place {
  readonly key: string | number;
  readonly place: Place | undefined;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true };

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null;
}

/** An object literal, or one without a prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function notPlain(found: string, what: string | (() => string), place: Place | undefined): AskemaError {
  let text = '';
  for (let at = place; at !== undefined; at = at.place) {
    text = typeof at.key === 'number' ? `[${at.key}]${text}` : `.${at.key}${text}`;
  }
  return new AskemaError(
    'INPUT_INVALID',
    `${typeof what === 'string' ? what : what()} holds ${found} at \`${text.replace(/^\./, '')}\`; keep plain data in it, and pass everything else in the dependencies.`,
  );
}
