import { AskemaError, decodeValue, encodeValue, type JsonValue, type Outcome } from '@askema/core';

/** Of the form that `outcome.schema.json` describes. Raised when older readers would misread it. */
const SCHEMA_VERSION = 1;

/** What each type has beside the fields of all, as far as a reader must be able to rely on it. */
const OWN_FIELDS: { readonly [Type in Outcome['type']]: readonly string[] } = {
  answered: ['sql', 'result', 'assumptions', 'basedOn', 'sure'],
  needsClarification: ['ask', 'choices'],
  unanswerable: ['reason', 'notUnderstood'],
  refused: ['reason'],
  budgetExceeded: ['error'],
  cancelled: ['error'],
  failed: ['error'],
};

/** The types of outcomes, in the order of their union. */
export const OUTCOME_TYPES = Object.keys(OWN_FIELDS) as readonly Outcome['type'][];

const COMMON_FIELDS = ['question', 'runId', 'candidates', 'usage', 'calls', 'executions', 'elapsedMs', 'warnings'];

/** The JSON form of an outcome: plain JSON, exact, described by `@askema/text2sql/outcome.schema.json`. */
export interface OutcomeJson {
  readonly schemaVersion: 1;
  readonly type: Outcome['type'];
  readonly [field: string]: JsonValue;
}

/**
 * An outcome as plain JSON: what `JSON.stringify` makes of an outcome that `ask` gave. Values are exact, as
 * `encodeValue` of core writes them; fields without a value are left out. Never throws: what is no value of a database
 * becomes text.
 */
export function encodeOutcome(outcome: Outcome): OutcomeJson {
  const fields = encode(outcome, 0) as { readonly [field: string]: JsonValue };
  return { schemaVersion: SCHEMA_VERSION, ...fields } as OutcomeJson;
}

/**
 * The reverse of {@link encodeOutcome}, for what `JSON.parse` gives. Fields that it does not know are dropped with
 * `origin`, which is not part of an outcome.
 *
 * @throws AskemaError `INPUT_INVALID` for JSON of another form, with what is missing.
 */
export function decodeOutcome(json: unknown): Outcome {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw notAnOutcome('is no object');
  const { schemaVersion, origin: _, ...fields } = json as Readonly<Record<string, JsonValue>>;
  if (schemaVersion !== SCHEMA_VERSION)
    throw notAnOutcome(`has schemaVersion ${JSON.stringify(schemaVersion)?.slice(0, 40)}, not ${SCHEMA_VERSION}`);
  const { type } = fields;
  if (typeof type !== 'string' || !Object.hasOwn(OWN_FIELDS, type))
    throw notAnOutcome(`has the type ${JSON.stringify(type)?.slice(0, 40)}`);
  const missing = [...COMMON_FIELDS, ...OWN_FIELDS[type as Outcome['type']]].filter(
    (name) => !Object.hasOwn(fields, name),
  );
  if (missing.length > 0) throw notAnOutcome(`lacks ${missing.join(', ')}`);
  const decoded = decodeValue(fields) as Outcome;
  const result = 'result' in decoded ? decoded.result : undefined;
  if (result !== undefined && !(Array.isArray(result?.columns) && Array.isArray(result.rows)))
    throw notAnOutcome('has a result without columns and rows');
  return withJson(decoded);
}

/**
 * The outcome, which `JSON.stringify` now writes in its public form; its result by itself too, so that a copy by
 * `{ ...outcome }` can still be written.
 */
export function withJson(outcome: Outcome): Outcome {
  const define = (target: object, toJSON: () => unknown): void => {
    Object.defineProperty(target, 'toJSON', { value: toJSON, configurable: true });
  };
  define(outcome, () => encodeOutcome(outcome));
  const result = 'result' in outcome ? outcome.result : undefined;
  if (result !== undefined) define(result, () => encode(result, 0));
  return outcome;
}

/** As deep as values of a database may be, and what stands around them. */
const MAX_DEPTH = 500;

function encode(value: unknown, depth: number): JsonValue {
  if (value === undefined || depth > MAX_DEPTH) return value === undefined ? null : '[too deep]';
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return encodeValue(value);
  if (Array.isArray(value)) return encodeItems(value, depth + 1);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (value instanceof Date && !Number.isNaN(value.valueOf())) return value.toISOString();
  if (prototype !== Object.prototype && prototype !== null) return Object.prototype.toString.call(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const record = Object.fromEntries(entries.map(([key, inner]) => [key, encode(inner, depth + 1)]));
  return entries.length === 1 && entries[0]?.[0].startsWith('$') ? { $object: record } : record;
}

/** Most rows hold nothing that JSON lacks: those are not copied. */
function encodeItems(items: readonly unknown[], depth: number): JsonValue {
  let copy: JsonValue[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const encoded = encode(item, depth);
    if (copy === undefined && encoded !== item) copy = items.slice(0, at) as JsonValue[];
    copy?.push(encoded);
  }
  return copy ?? (items as readonly JsonValue[]);
}

function notAnOutcome(problem: string): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `This is no outcome as JSON: it ${problem}. Pass what JSON.parse gives for an outcome that JSON.stringify wrote.`,
  );
}
