import { type JsonSchema, type JsonValue, rewriteSchema } from '@askema/core';

const KEPT = new Set(['type', 'description', 'title', 'enum', 'const', '$ref', 'default', 'required']);
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

/**
 * A schema in the subset that Anthropic's structured output takes
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs): every object closed. Undefined for a
 * schema that this subset cannot say (open records, tuples, `not`, values of any type).
 */
export function outputSchema(schema: JsonSchema): JsonSchema | undefined {
  return rewriteSchema(schema, {
    keyword(key, value) {
      if (DROPPED.has(key)) return 'drop';
      if (KEPT.has(key) || isKeptConstraint(key, value)) return 'keep';
      return DESCRIBED.has(key) ? { describe: `${key}: ${JSON.stringify(value)}` } : undefined;
    },
    close({ type, additionalProperties }, rewritten) {
      if (type !== 'object') return rewritten;
      const isOpen = additionalProperties !== undefined && additionalProperties !== false;
      return isOpen ? undefined : { properties: {}, ...rewritten, additionalProperties: false };
    },
  });
}

function isKeptConstraint(key: string, value: JsonValue): boolean {
  return (key === 'format' && FORMATS.has(String(value))) || (key === 'minItems' && (value === 0 || value === 1));
}
