import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** A field of {@link plainOutput}: a text, one of several words, or a list of texts. */
export interface PlainField {
  /** What stands in it, for the model. */
  readonly description: string;
  readonly oneOf?: readonly string[] | undefined;
  readonly isList?: true | undefined;
}

type PlainFields = Readonly<Record<string, PlainField>>;

/** What a field holds. */
type ValueOf<Field> = Field extends { readonly oneOf: readonly (infer Word)[] }
  ? Word
  : Field extends { readonly isList: true }
    ? string[]
    : string;

/** What a {@link plainOutput} gives. */
export type PlainValue<Fields> = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

export interface PlainOutput<Fields extends PlainFields> {
  readonly fields: Fields;
  readonly '~standard': StandardSchemaV1.Props<unknown, PlainValue<Fields>> &
    StandardJSONSchemaV1.Props<unknown, PlainValue<Fields>>;
}

const JSON_SCHEMAS: Readonly<Record<string, string>> = {
  'draft-2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
};

/**
 * The output of a task that is an object of texts: a Standard Schema and a Standard JSON Schema, in the words of zod.
 * Zod takes longer to load than the rest of core, so tasks that nearly every program loads do without it; for anything
 * beyond such fields, take zod. All fields are required, and unknown ones are dropped.
 */
export function plainOutput<const Fields extends PlainFields>(fields: Fields): PlainOutput<Fields> {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    required: Object.keys(fields),
  };
  const withDialect = ({ target }: StandardJSONSchemaV1.Options): Record<string, unknown> => {
    const $schema = JSON_SCHEMAS[target];
    if ($schema === undefined) throw new Error(`There is no JSON Schema of this output in ${target}.`);
    return { $schema, ...structuredClone(schema) };
  };
  return {
    fields,
    '~standard': {
      version: 1,
      vendor: 'askema',
      validate: (value) => validate(fields, value) as StandardSchemaV1.Result<PlainValue<Fields>>,
      jsonSchema: {
        input: withDialect,
        output: (options) => ({ ...withDialect(options), additionalProperties: false }),
      },
    },
  };
}

function schemaOf({ description, oneOf, isList }: PlainField): Record<string, unknown> {
  if (isList === true) return { type: 'array', items: { type: 'string' }, description };
  return { type: 'string', ...(oneOf === undefined ? {} : { enum: oneOf }), description };
}

function validate(fields: PlainFields, value: unknown): StandardSchemaV1.Result<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { issues: [wrong('object', value)] };
  const given = value as Readonly<Record<string, unknown>>;
  const issues = Object.entries(fields).flatMap(([name, field]) => issuesOf(field, given[name], name));
  if (issues.length > 0) return { issues };
  return { value: Object.fromEntries(Object.keys(fields).map((name) => [name, copied(given[name])])) };
}

/** A text, or a list of texts. */
function copied(value: unknown): unknown {
  return Array.isArray(value) ? [...value] : value;
}

function issuesOf({ oneOf, isList }: PlainField, value: unknown, name: string): StandardSchemaV1.Issue[] {
  if (isList === true) {
    if (!Array.isArray(value)) return [wrong('array', value, name)];
    return value.flatMap((item, index) => (typeof item === 'string' ? [] : [wrong('string', item, name, index)]));
  }
  if (oneOf !== undefined) {
    if (typeof value === 'string' && oneOf.includes(value)) return [];
    return [{ path: [name], message: `Invalid option: expected one of ${oneOf.map((word) => `"${word}"`).join('|')}` }];
  }
  return typeof value === 'string' ? [] : [wrong('string', value, name)];
}

function wrong(expected: string, value: unknown, ...path: readonly PropertyKey[]): StandardSchemaV1.Issue {
  return { path, message: `Invalid input: expected ${expected}, received ${kindOf(value)}` };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isNaN(value) ? 'NaN' : typeof value;
}
