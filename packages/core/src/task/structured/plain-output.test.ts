import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { type PlainValue, plainOutput } from './plain-output.ts';

const plain = plainOutput({
  outcome: { oneOf: ['sql', 'none'], description: 'Which.' },
  sql: { description: 'The statement.' },
  words: { isList: true, description: 'Words.' },
  ways: {
    objects: { way: { description: 'How.' }, kind: { oneOf: ['a', 'b'], description: 'Of what kind.' } },
    description: 'Ways.',
  },
});
const zod = z.object({
  outcome: z.enum(['sql', 'none']).describe('Which.'),
  sql: z.string().describe('The statement.'),
  words: z.array(z.string()).describe('Words.'),
  ways: z
    .array(z.object({ way: z.string().describe('How.'), kind: z.enum(['a', 'b']).describe('Of what kind.') }))
    .describe('Ways.'),
});

type Standard = typeof plain | typeof zod;
const validated = async (schema: Standard, value: unknown) => {
  const result = await schema['~standard'].validate(value);
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.map(({ path, message }) => ({ path, message })) };
};

describe('plainOutput', () => {
  it.each(['draft-2020-12', 'draft-07'] as const)('says the same as zod in %s, in the same order', (target) => {
    for (const side of ['input', 'output'] as const)
      expect(JSON.stringify(plain['~standard'].jsonSchema[side]({ target }))).toBe(
        JSON.stringify(zod['~standard'].jsonSchema[side]({ target })),
      );
  });

  it('takes and refuses what zod does, in the same words', async () => {
    const field = fc.oneof(fc.constantFrom('sql', 'none', 7, null, Number.NaN), fc.jsonValue());
    const words = fc.oneof(fc.array(fc.oneof(fc.string(), fc.jsonValue())), field);
    const way = fc.record({ way: fc.string(), kind: fc.constantFrom('a', 'b', 'c') }, { requiredKeys: [] });
    const ways = fc.oneof(fc.array(fc.oneof(way, field)), field);
    const object = fc.record(
      { outcome: field, sql: fc.oneof(fc.string(), field), words, ways, more: field },
      { requiredKeys: ['ways'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(object, fc.jsonValue(), fc.constant(undefined)), async (value) => {
        // Zod has no list that may be missing and is empty then.
        fc.pre(typeof value !== 'object' || value === null || Array.isArray(value) || 'ways' in value);
        expect(await validated(plain, value)).toEqual(await validated(zod, value));
      }),
      { numRuns: 500 },
    );
    const one = { way: 'so', kind: 'b' };
    const given = { outcome: 'sql', sql: 'x', words: ['a'], ways: [{ ...one, more: 2 }], more: 1 };
    expect(await validated(plain, given)).toEqual({ value: { outcome: 'sql', sql: 'x', words: ['a'], ways: [one] } });
  });

  it('takes an answer without a list of objects as one with an empty list', async () => {
    const given = { outcome: 'sql', sql: 'x', words: [] };
    expect(await validated(plain, given)).toEqual({ value: { ...given, ways: [] } });
    expect((await validated(plain, { ...given, ways: null })).issues).toHaveLength(1);
  });

  it('has the type of its fields', () => {
    expectTypeOf<PlainValue<typeof plain.fields>>().toEqualTypeOf<z.infer<typeof zod>>();
  });
});
