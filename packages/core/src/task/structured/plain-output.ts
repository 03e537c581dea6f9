import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** A field of {@link plainOutput}: a text, one of several words, a list of texts, or a list of objects of fields. */
export interface PlainField {
  /** What stands in it, for the model. */
  readonly description: string;
  readonly oneOf?: readonly string[] | undefined;
  /** What an answer without it stands for; undefined: such an answer is not taken. */
  readonly fallback?: string | undefined;
  readonly isList?: true | undefined;
  /** Makes it a list of such objects. An answer without it is taken: the list is empty then. */
  readonly objects?: PlainFields | undefined;
}

interface PlainFields {
  readonly [name: string]: PlainField;
}

/** What a field holds. */
type ValueOf<Field> = Field extends { readonly oneOf: readonly (infer Word)[] }
  ? Word
  : Field extends { readonly isList: true }
    ? string[]
    : Field extends { readonly objects: infer Fields }
      ? PlainValue<Fields>[]
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
  const schema = ({ target }: StandardJSONSchemaV1.Options, isWritten: boolean): Record<string, unknown> => {
    const $schema = JSON_SCHEMAS[target];
    if ($schema === undefined) throw new Error(`There is no JSON Schema of this output in ${target}.`);
    return { $schema, ...objectSchema(fields, isWritten) };
  };
  return {
    fields,
    '~standard': {
      version: 1,
      vendor: 'askema',
      validate: (value) => validate(fields, value) as StandardSchemaV1.Result<PlainValue<Fields>>,
      jsonSchema: {
        input: (options) => schema(options, false),
        output: (options) => schema(options, true),
      },
    },
  };
}

/** What is written has no other properties; what is read may. */
function objectSchema(fields: PlainFields, isWritten: boolean): Record<string, unknown> {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field, isWritten)])),
    required: Object.keys(fields),
    ...(isWritten ? { additionalProperties: false } : {}),
  };
}

function schemaOf({ description, oneOf, isList, objects }: PlainField, isWritten: boolean): Record<string, unknown> {
  if (objects !== undefined) return { type: 'array', items: objectSchema(objects, isWritten), description };
  if (isList === true) return { type: 'array', items: { type: 'string' }, description };
  return { type: 'string', ...(oneOf === undefined ? {} : { enum: oneOf }), description };
}

function validate(fields: PlainFields, value: unknown): StandardSchemaV1.Result<Record<string, unknown>> {
  const issues = issuesOfObject(fields, value, []);
  return issues.length > 0 ? { issues } : { value: copyOf(fields, value) };
}

function copyOf(fields: PlainFields, value: unknown): Record<string, unknown> {
  const given = value as Readonly<Record<string, unknown>>;
  const copied = ({ objects, fallback }: PlainField, part: unknown): unknown => {
    if (part === undefined && fallback !== undefined) return fallback;
    if (objects !== undefined) return ((part ?? []) as unknown[]).map((item) => copyOf(objects, item));
    return Array.isArray(part) ? [...part] : part;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, copied(field, given[name])]));
}

function issuesOfObject(fields: PlainFields, value: unknown, path: readonly PropertyKey[]): StandardSchemaV1.Issue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [wrong('object', value, ...path)];
  const given = value as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([name, field]) => issuesOf(field, given[name], [...path, name]));
}

function issuesOf(
  { oneOf, isList, objects, fallback }: PlainField,
  value: unknown,
  path: readonly PropertyKey[],
): StandardSchemaV1.Issue[] {
  if (value === undefined && (objects !== undefined || fallback !== undefined)) return [];
  if (isList === true || objects !== undefined) {
    if (!Array.isArray(value)) return [wrong('array', value, ...path)];
    return value.flatMap((item, index) => {
      if (objects !== undefined) return issuesOfObject(objects, item, [...path, index]);
      return typeof item === 'string' ? [] : [wrong('string', item, ...path, index)];
    });
  }
  if (oneOf !== undefined) {
    if (typeof value === 'string' && oneOf.includes(value)) return [];
    return [{ path, message: `Invalid option: expected one of ${oneOf.map((word) => `"${word}"`).join('|')}` }];
  }
  return typeof value === 'string' ? [] : [wrong('string', value, ...path)];
}

function wrong(expected: string, value: unknown, ...path: readonly PropertyKey[]): StandardSchemaV1.Issue {
  return { path, message: `Invalid input: expected ${expected}, received ${kindOf(value)}` };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isNaN(value) ? 'NaN' : typeof value;
}
