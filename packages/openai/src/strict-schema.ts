import type { JsonSchema, JsonValue } from '@askema/core';

/** Keywords that strict mode knows, beside those that are handled one by one below. */
const KEPT = new Set(['type', 'description', 'title', 'enum', 'const', '$ref', 'pattern', 'format']);
const KEPT_NUMBERS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const KEPT_ITEMS = new Set(['minItems', 'maxItems']);
/** Formats that strict mode knows. */
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** Narrowing keywords that strict mode refuses: the caller validates anyway, so they only move into the description. */
const DESCRIBED = new Set(['minLength', 'maxLength', 'uniqueItems', 'default', 'examples', 'format']);
/** Say nothing about values. */
const DROPPED = new Set(['$schema', '$id', '$comment', 'readOnly', 'writeOnly', 'deprecated']);

class NotStrict extends Error {}

/**
 * A schema as OpenAI's strict mode wants it (https://developers.openai.com/api/docs/guides/structured-outputs): every object closed
 * and all of its properties required. A schema that says something else (optional properties, open records, `allOf`, tuples) is
 * passed on as it is, without strictness: rewriting it would change what a valid answer is.
 */
export function strictSchema(schema: JsonSchema): { readonly strict: boolean; readonly schema: JsonSchema } {
  if (schema.type !== 'object') return { strict: false, schema };
  try {
    return { strict: true, schema: rewrite(schema) };
  } catch (error) {
    if (error instanceof NotStrict) return { strict: false, schema };
    throw error;
  }
}

function rewrite(schema: JsonValue | undefined): JsonSchema {
  if (!isSchema(schema) || !restrictsValues(schema)) throw new NotStrict();
  const result: Record<string, JsonValue> = {};
  const described: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED.has(key) || key === 'required' || key === 'additionalProperties') continue;
    if (key === 'format' && !FORMATS.has(String(value))) described.push(`format: ${String(value)}`);
    else if (KEPT.has(key) || KEPT_NUMBERS.has(key) || KEPT_ITEMS.has(key)) result[key] = value;
    else if (DESCRIBED.has(key)) described.push(`${key}: ${JSON.stringify(value)}`);
    else if (key === 'items') result.items = rewrite(value);
    else if (key === 'anyOf' || key === 'oneOf') result.anyOf = rewriteAll(value);
    else if (key === '$defs' || key === 'definitions' || key === 'properties') result[key] = rewriteEach(value);
    else throw new NotStrict();
  }
  if (described.length > 0)
    result.description = [schema.description, `(${described.join(', ')})`].filter(Boolean).join(' ');
  return 'properties' in schema || schema.type === 'object' ? { ...result, ...closed(schema) } : result;
}

/** An object must require all of its properties and allow no others. */
function closed(schema: JsonSchema): JsonSchema {
  const names = Object.keys(isSchema(schema.properties) ? schema.properties : {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (open || names.length === 0 || names.some((name) => !required.includes(name))) throw new NotStrict();
  return { required: names, additionalProperties: false };
}

function rewriteAll(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) throw new NotStrict();
  return value.map((entry) => rewrite(entry));
}

function rewriteEach(value: JsonValue): JsonValue {
  if (!isSchema(value)) throw new NotStrict();
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, rewrite(entry)]));
}

/** `{}` allows anything, which strict mode does not. */
function restrictsValues(schema: JsonSchema): boolean {
  return ['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref'].some((key) => key in schema);
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
