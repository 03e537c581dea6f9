import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonSchema } from '../../model/language-model.ts';

/**
 * The JSON Schema of what a model has to write, where the schema implements Standard JSON Schema
 * (https://standardschema.dev/json-schema); undefined where it does not, or cannot say it in JSON Schema. It is the
 * schema's input: `validate` turns that into its output.
 */
export function jsonSchemaOf(schema: StandardSchemaV1): JsonSchema | undefined {
  if (!known.has(schema)) known.set(schema, convert(schema));
  return known.get(schema);
}

/** Every call of a task asks for the schema of its output. */
const known = new WeakMap<StandardSchemaV1, JsonSchema | undefined>();

function convert(schema: StandardSchemaV1): JsonSchema | undefined {
  const standard = schema['~standard'] as StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;
  const input = standard.jsonSchema?.input;
  if (input === undefined) return undefined;
  for (const target of ['draft-2020-12', 'draft-07'] as const) {
    try {
      const { $schema: _dialect, ...rest } = input({ target });
      return rest as JsonSchema;
    } catch {
      // Not in this draft, or not at all (dates, functions): text does it then.
    }
  }
  return undefined;
}

/** The same, when vendors take it for native structured output: they want an object at the root. */
export function nativeSchemaOf(schema: StandardSchemaV1): JsonSchema | undefined {
  const jsonSchema = jsonSchemaOf(schema);
  return jsonSchema?.type === 'object' ? jsonSchema : undefined;
}
