import type { JsonSchema, JsonValue } from '@askema/core';

const KEPT = new Set(['type', 'description', 'title', 'enum', 'const', '$ref', 'default']);
/** Formats that the grammar knows. */
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']);
/** Narrowing keywords that the grammar refuses: the caller validates anyway, so they only move into the description. */
const DESCRIBED = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'examples',
]);
const DROPPED = new Set(['$schema', '$id', '$comment', 'readOnly', 'writeOnly', 'deprecated', 'additionalProperties']);

class NotExpressible extends Error {}

/**
 * A schema in the subset that Anthropic's structured output takes
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs): every object closed. Undefined for a schema that
 * this subset cannot say (open records, tuples, `not`, values of any type).
 */
export function outputSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    return rewrite(schema);
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

function rewrite(schema: JsonValue | undefined): JsonSchema {
  if (!isSchema(schema) || !restrictsValues(schema)) throw new NotExpressible();
  const result: Record<string, JsonValue> = {};
  const described: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (DROPPED.has(key)) continue;
    if (KEPT.has(key) || key === 'required' || isKeptConstraint(key, value)) result[key] = value;
    else if (DESCRIBED.has(key)) described.push(`${key}: ${JSON.stringify(value)}`);
    else if (key === 'items') result.items = rewrite(value);
    else if (key === 'anyOf' || key === 'oneOf') result.anyOf = rewriteAll(value);
    else if (key === 'allOf') result.allOf = rewriteAll(value);
    else if (key === '$defs' || key === 'definitions' || key === 'properties') result[key] = rewriteEach(value);
    else throw new NotExpressible();
  }
  if (described.length > 0)
    result.description = [schema.description, `(${described.join(', ')})`].filter(Boolean).join(' ');
  if (schema.type !== 'object') return result;
  const open = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (open) throw new NotExpressible();
  return { properties: {}, ...result, additionalProperties: false };
}

function isKeptConstraint(key: string, value: JsonValue): boolean {
  return (key === 'format' && FORMATS.has(String(value))) || (key === 'minItems' && (value === 0 || value === 1));
}

function rewriteAll(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) throw new NotExpressible();
  return value.map((entry) => rewrite(entry));
}

function rewriteEach(value: JsonValue): JsonValue {
  if (!isSchema(value)) throw new NotExpressible();
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, rewrite(entry)]));
}

/** `{}` allows anything, which a grammar cannot. */
function restrictsValues(schema: JsonSchema): boolean {
  return ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema);
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
