import type { JsonSchema } from '../../model/language-model.ts';
import type { JsonValue } from '../../values/value.ts';

/**
 * False when an object holds a key that its schema does not name. A repair may take a part of a text for a key of its own
 * (`sql: SELECT a, b: 1`), and validators drop unknown keys silently: then half a statement would pass for a whole one. Parts of a schema
 * that are not plain properties and items are not looked into.
 */
export function hasOnlyKnownKeys(value: unknown, schema: JsonValue | undefined): boolean {
  if (!isSchema(schema) || typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => hasOnlyKnownKeys(item, schema.items));
  const { properties } = schema;
  if (!isSchema(properties) || isSchema(schema.additionalProperties) || schema.additionalProperties === true)
    return true;
  return Object.entries(value).every(
    ([key, inner]) => Object.hasOwn(properties, key) && hasOnlyKnownKeys(inner, properties[key]),
  );
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
