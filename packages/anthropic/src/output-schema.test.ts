import { generateSqlOutput, type JsonSchema, jsonSchemaOf } from '@askema/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { outputSchema } from './output-schema.ts';

const jsonSchema = (schema: z.ZodType) => z.toJSONSchema(schema) as JsonSchema;

test('the output of the task that every pipeline has can be said', () => {
  const schema = outputSchema(jsonSchemaOf(generateSqlOutput) ?? {});
  expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
  expect(schema).not.toHaveProperty('$schema');
});

test('objects are closed at every depth; optional properties stay optional', () => {
  const schema = outputSchema(jsonSchema(z.object({ a: z.array(z.object({ b: z.string().optional() })) })));
  expect(schema).toMatchObject({
    required: ['a'],
    additionalProperties: false,
    properties: { a: { items: { additionalProperties: false } } },
  });
  expect(JSON.stringify(schema)).not.toContain('"required":["b"]');
});

test('what the grammar refuses but only narrows moves into the description', () => {
  const schema = outputSchema(
    jsonSchema(
      z.object({
        a: z.string().min(2).describe('A name.'),
        b: z.number().max(5),
        c: z.array(z.string()).min(1),
        d: z.array(z.string()).min(2),
      }),
    ),
  );
  expect(schema?.properties).toEqual({
    a: { type: 'string', description: 'A name. (minLength: 2)' },
    b: { type: 'number', description: '(maximum: 5)' },
    c: { type: 'array', items: { type: 'string' }, minItems: 1 },
    d: { type: 'array', items: { type: 'string' }, description: '(minItems: 2)' },
  });
});

test('a property by the name of a keyword is a property', () => {
  const schema = outputSchema(jsonSchema(z.object({ minimum: z.string(), not: z.number() })));
  expect(Object.keys(schema?.properties ?? {})).toEqual(['minimum', 'not']);
});

test.each([
  ['an open record', z.object({ a: z.record(z.string(), z.number()) })],
  ['a tuple', z.object({ a: z.tuple([z.string(), z.number()]) })],
  ['any value', z.object({ a: z.unknown() })],
  ['an open object', z.looseObject({ a: z.string() })],
])('%s cannot be said', (_what, type) => {
  expect(outputSchema(jsonSchema(type))).toBeUndefined();
});
