import { type JsonSchema, rewriteSchema } from '@askema/core';

/** Keywords that strict mode knows. */
const KEPT = new Set([
  'type',
  'description',
  'title',
  'enum',
  'const',
  '$ref',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);
/** Formats that strict mode knows. */
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);
/** Narrowing keywords that strict mode refuses: the caller validates anyway, so they only move into the description. */
const DESCRIBED = new Set(['minLength', 'maxLength', 'uniqueItems', 'default', 'examples']);
/** Say nothing about values, or are written anew. */
const DROPPED = new Set([
  '$schema',
  '$id',
  '$comment',
  'readOnly',
  'writeOnly',
  'deprecated',
  'required',
  'additionalProperties',
]);

/**
 * A schema as OpenAI's strict mode wants it (https://developers.openai.com/api/docs/guides/structured-outputs): every
 * object closed and all of its properties required. A schema that says something else (optional properties, open
 * records, `allOf`, tuples) is passed on as it is, without strictness: rewriting it would change what a valid answer
 * is.
 */
export function strictSchema(schema: JsonSchema): { readonly strict: boolean; readonly schema: JsonSchema } {
  const strict =
    schema.type !== 'object'
      ? undefined
      : rewriteSchema(schema, {
          keyword(key, value) {
            if (DROPPED.has(key)) return 'drop';
            if (key === 'allOf') return 'refuse';
            if (key === 'format' && !FORMATS.has(String(value))) return { describe: `format: ${String(value)}` };
            if (KEPT.has(key)) return 'keep';
            return DESCRIBED.has(key) ? { describe: `${key}: ${JSON.stringify(value)}` } : undefined;
          },
          close: (open, rewritten) =>
            'properties' in open || open.type === 'object' ? closed(open, rewritten) : rewritten,
        });
  return strict === undefined ? { strict: false, schema } : { strict: true, schema: strict };
}

/** An object must require all of its properties and allow no others. */
function closed(schema: JsonSchema, rewritten: JsonSchema): JsonSchema | undefined {
  const names = Object.keys(rewritten.properties ?? {});
  const required = Array.isArray(schema.required) ? schema.required : [];
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  if (isOpen || names.length === 0 || names.some((name) => !required.includes(name))) return undefined;
  return { ...rewritten, required: names, additionalProperties: false };
}
