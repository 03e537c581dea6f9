import type { JsonValue } from '../../values/value.ts';

type JsonObject = { readonly [key: string]: JsonValue };

/**
 * A vendor request body with the caller's provider options merged in: objects are merged key by key, everything else is
 * replaced by what the options say.
 */
export function mergeBody<T extends object>(body: T, options: JsonObject | undefined): T {
  return options === undefined ? body : (mergeObjects(body as JsonObject, options) as T);
}

function mergeObjects(base: JsonObject, extra: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...base };
  for (const [key, value] of Object.entries(extra)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? mergeObjects(before, value) : value;
  }
  return merged;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
