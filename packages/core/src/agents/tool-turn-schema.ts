import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { AskemaError } from '../errors/askema-error.ts';
import type { AgentToolSpec } from './agent-tool.ts';

type Json = Readonly<Record<string, unknown>>;
type Target = StandardJSONSchemaV1.Target;

/** Where each draft keeps parts that are referred to. */
const DEFINITIONS = ['$defs', 'definitions'] as const;

/**
 * The JSON Schema of a turn: one variant per tool, told apart by `tool`, and one for the answer; every object closed,
 * every property required, as strict structured output wants it. Definitions of the parts move to the root under names
 * of their own.
 *
 * @throws AskemaError `CAPABILITY_UNSUPPORTED` when a part cannot say itself in JSON Schema.
 */
export function toolTurnSchema(
  tools: readonly AgentToolSpec[],
  answer: StandardSchemaV1,
  target: Target,
): Record<string, unknown> {
  const definitions: Record<string, unknown> = {};
  const keyword = target === 'draft-07' ? 'definitions' : '$defs';
  const parts = [...tools, { name: 'answer', description: 'Ends the work.', input: answer }];
  const variants = parts.map(({ name, description, input }, index) => {
    const { $schema: _dialect, ...schema } = schemaOf(name, input, target);
    const at = `#/properties/step/anyOf/${index}/properties/input`;
    const moved = moveReferences(schema, { at, keyword, prefix: `${name}_` }) as Json;
    const inner: Record<string, unknown> = { ...moved };
    for (const place of DEFINITIONS) {
      for (const [key, value] of Object.entries((inner[place] as Json | undefined) ?? {}))
        definitions[`${name}_${key}`] = value;
      delete inner[place];
    }
    return { ...closed({ tool: { type: 'string', const: name }, input: inner }), description };
  });
  const thought = { type: 'string', description: 'What is known and what is missing, in a sentence or two.' };
  return {
    ...closed({ thought, step: { anyOf: variants } }),
    ...(Object.keys(definitions).length === 0 ? {} : { [keyword]: definitions }),
  };
}

function closed(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function schemaOf(name: string, schema: StandardSchemaV1, target: Target): Json {
  const standard = schema['~standard'] as StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>;
  if (standard.jsonSchema !== undefined) return standard.jsonSchema.input({ target });
  throw new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `The input of \`${name}\` has no JSON Schema; use a schema of zod 4 for it.`,
  );
}

/** References that keep their meaning at another place in another document. Schemas come from code and are shallow. */
function moveReferences(
  value: unknown,
  to: { readonly at: string; readonly keyword: string; readonly prefix: string },
): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => moveReferences(item, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? movedReference(inner, to) : moveReferences(inner, to),
    ]),
  );
}

function movedReference(
  reference: string,
  to: { readonly at: string; readonly keyword: string; readonly prefix: string },
): string {
  for (const place of DEFINITIONS) {
    const start = `#/${place}/`;
    if (reference.startsWith(start)) return `#/${to.keyword}/${to.prefix}${reference.slice(start.length)}`;
  }
  return reference.startsWith('#') ? `${to.at}${reference.slice(1)}` : reference;
}
