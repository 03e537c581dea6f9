import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { jsonSchemaOf } from '../task/structured/json-schema-of.ts';
import { toolTurnOutput } from './tool-turn.ts';

const find = { name: 'find', description: 'Finds.', input: z.object({ word: z.string() }) };
interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.array(z.lazy(() => tree)) });

describe('toolTurnOutput', () => {
  it('gives a closed schema with an object at the root and a variant per tool', () => {
    expect(jsonSchemaOf(toolTurnOutput([find], z.object({ sum: z.number().nullable() })))).toMatchSnapshot();
  });

  it('moves definitions of its parts, so that each reference still leads to its own', () => {
    const schema = jsonSchemaOf(
      toolTurnOutput([{ ...find, input: z.object({ tree }) }], z.object({ wood: z.array(tree) })),
    );
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThanOrEqual(2);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], schema);
      expect(target, reference).toMatchObject({ type: 'object', properties: { children: { type: 'array' } } });
    }
  });

  it('follows a part that refers to itself as a whole', () => {
    const schema = jsonSchemaOf(toolTurnOutput([{ ...find, input: tree }], tree));
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThanOrEqual(2);
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], schema);
      expect(target, reference).toMatchObject({ properties: { children: { type: 'array' } } });
    }
  });

  it('takes no value that is nested without end', async () => {
    const { validate } = toolTurnOutput([find], z.unknown())['~standard'];
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
    for (const tool of ['find', 'answer'])
      expect(await validate({ thought: '', step: { tool, input: deep } })).toMatchObject({
        issues: [{ message: 'nested in more than 64 levels' }],
      });
  });

  it.each(['answer', 'Answer', 'a b', ''])('refuses a tool named `%s`', (name) => {
    expect(() => toolTurnOutput([{ ...find, name }], z.object({}))).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });

  it('refuses two tools that only differ in spelling', () => {
    expect(() => toolTurnOutput([find, { ...find, name: 'FIND' }], z.object({}))).toThrow(/`FIND` is taken/);
  });
});
