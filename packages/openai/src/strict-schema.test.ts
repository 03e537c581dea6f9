import { generateSqlOutput, type JsonSchema, jsonSchemaOf } from '@askema/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { strictSchema } from './strict-schema.ts';

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema) as JsonSchema;
const object = (properties: JsonSchema, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...rest,
});

test('the output of the task that every pipeline has is strict', () => {
  const { strict, schema } = strictSchema(jsonSchemaOf(generateSqlOutput) ?? {});
  expect(strict).toBe(true);
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(schema).not.toHaveProperty('$schema');
});

test('objects are closed, at every depth', () => {
  const open = object({ list: { type: 'array', items: { ...object({ a: { type: 'string' } }) } } });
  const { additionalProperties: _outer, ...rest } = open;
  expect(strictSchema(rest)).toEqual({ strict: true, schema: open });
});

test('what strict mode refuses but only narrows moves into the description', () => {
  const { strict, schema } = strictSchema(
    object({
      name: { type: 'string', minLength: 1, format: 'regex', description: 'A name.' },
      n: { type: 'integer', minimum: 0 },
    }),
  );
  expect(strict).toBe(true);
  expect(schema.properties).toEqual({
    name: { type: 'string', description: 'A name. (minLength: 1, format: regex)' },
    n: { type: 'integer', minimum: 0 },
  });
});

test('a union stays one', () => {
  const schema = jsonSchema(
    z.object({
      v: z.union([z.string(), z.null()]),
      w: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.number() })]),
    }),
  );
  const strict = strictSchema(schema);
  expect(strict.strict).toBe(true);
  expect(JSON.stringify(strict.schema)).not.toContain('oneOf');
});

test('a property by the name of a keyword is a property', () => {
  const schema = object({ required: { type: 'string' }, minLength: { type: 'number' }, not: { type: 'string' } });
  expect(strictSchema(schema)).toEqual({ strict: true, schema });
});

test.each([
  ['an optional property', z.object({ a: z.string(), b: z.string().optional() })],
  ['an open record', z.object({ a: z.record(z.string(), z.number()) })],
  ['a tuple', z.object({ a: z.tuple([z.string(), z.number()]) })],
  ['any value', z.object({ a: z.unknown() })],
  ['a list at the root', z.array(z.string())],
])('%s cannot be strict and is left as it is', (_what, type) => {
  const schema = jsonSchema(type);
  expect(strictSchema(schema)).toEqual({ strict: false, schema });
});

test('keywords that strict mode does not know make it loose, at any depth', () => {
  for (const inner of [
    { allOf: [{ type: 'string' }] },
    { type: 'string', not: { const: 'x' } },
    { $dynamicRef: '#a' },
  ]) {
    const schema = object({ a: { type: 'array', items: inner as JsonSchema } });
    expect(strictSchema(schema)).toEqual({ strict: false, schema });
  }
});
