import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { type PlainValue, plainOutput } from './plain-output.ts';

const plain = plainOutput({
  outcome: { oneOf: ['sql', 'none'], description: 'Which.' },
  sql: { description: 'The statement.' },
  words: { isList: true, description: 'Words.' },
});
const zod = z.object({
  outcome: z.enum(['sql', 'none']).describe('Which.'),
  sql: z.string().describe('The statement.'),
  words: z.array(z.string()).describe('Words.'),
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
    const object = fc.record(
      { outcome: field, sql: fc.oneof(fc.string(), field), words, more: field },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(object, fc.jsonValue(), fc.constant(undefined)), async (value) => {
        expect(await validated(plain, value)).toEqual(await validated(zod, value));
      }),
      { numRuns: 500 },
    );
    expect(await validated(plain, { outcome: 'sql', sql: 'x', words: ['a'], more: 1 })).toEqual({
      value: { outcome: 'sql', sql: 'x', words: ['a'] },
    });
  });

  it('has the type of its fields', () => {
    expectTypeOf<PlainValue<typeof plain.fields>>().toEqualTypeOf<z.infer<typeof zod>>();
  });
});
