import type { JsonValue } from '../../values/value.ts';
import type { JsonSchema } from '../language-model.ts';

/** What a vendor can be held to of JSON Schema. */
interface SchemaSubset {
  /**
   * What becomes of a keyword: it is passed on, left out, said in the description instead, or makes the schema one that
   * the subset cannot say. Where `undefined`, it holds schemas (`properties`, `items`, `anyOf`, …), which are
   * rewritten.
   */
  readonly keyword: (
    key: string,
    value: JsonValue,
  ) => 'keep' | 'drop' | 'refuse' | { readonly describe: string } | undefined;
  /** The rewritten form of a schema, with what closes an object; undefined for one that cannot be closed. */
  readonly close: (schema: JsonSchema, rewritten: JsonSchema) => JsonSchema | undefined;
}

class NotExpressible extends Error {}

/** A schema in the subset of a vendor; undefined for one that the subset cannot say. `oneOf` becomes `anyOf`. */
export function rewriteSchema(schema: JsonSchema, subset: SchemaSubset): JsonSchema | undefined {
  try {
    return rewrite(schema, subset);
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

function rewrite(schema: JsonValue | undefined, subset: SchemaSubset): JsonSchema {
  if (!isSchema(schema) || !restrictsValues(schema)) throw new NotExpressible();
  const result: Record<string, JsonValue> = {};
  const described: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    const ruling = subset.keyword(key, value);
    if (ruling === 'refuse') throw new NotExpressible();
    if (ruling === 'keep') result[key] = value;
    else if (ruling === undefined) result[key === 'oneOf' ? 'anyOf' : key] = rewriteInner(key, value, subset);
    else if (ruling !== 'drop') described.push(ruling.describe);
  }
  if (described.length > 0)
    result.description = [schema.description, `(${described.join(', ')})`].filter(Boolean).join(' ');
  const closed = subset.close(schema, result);
  if (closed === undefined) throw new NotExpressible();
  return closed;
}

function rewriteInner(key: string, value: JsonValue, subset: SchemaSubset): JsonValue {
  if (key === 'items') return rewrite(value, subset);
  if (LISTS.has(key) && Array.isArray(value)) return value.map((entry) => rewrite(entry, subset));
  if (!MAPS.has(key) || !isSchema(value)) throw new NotExpressible();
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, rewrite(entry, subset)]));
}

const LISTS = new Set(['anyOf', 'oneOf', 'allOf']);
const MAPS = new Set(['$defs', 'definitions', 'properties']);

/** `{}` allows anything, which no vendor can be held to. */
function restrictsValues(schema: JsonSchema): boolean {
  return ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in schema);
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
