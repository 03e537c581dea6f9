import { DATA_TYPES, type Schema, validateSchema } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { type DesignFixture, designFixture } from '../test-plan/run-fixture.ts';
import { mutantsOf } from './mutants.ts';

const shape = fc.record({
  wide: fc.boolean(),
  name: fc.constantFrom('Order', 'a"b', '课程', 'order_item', '__proto__', 'x#y'),
  facts: fc.array(fc.constantFrom(...DATA_TYPES), { maxLength: 3 }),
  /** To earlier relations, as parts of the key. */
  keyReferences: fc.array(fc.nat(), { maxLength: 2 }),
  /** To any relations, itself too. */
  references: fc.array(fc.nat(), { maxLength: 2 }),
});

/** Relations with keys and references of any form, in circles too; facts of all have the same names. */
const schemas = fc.array(shape, { maxLength: 5 }).map((shapes): Schema => {
  const names = shapes.map(({ name }, at) => `${name} ${at}`);
  const keys: string[][] = [];
  const references: string[][] = shapes.map(() => []);
  const refer = (at: number, far: number, prefix: string): string[] => {
    const near = (keys[far] ?? []).map((one) => `${prefix}${one}`);
    references[at]?.push(`${near.join(', ')} > ${names[far]}: ${keys[far]?.join(', ')}`);
    return near;
  };
  for (const [at, { wide, keyReferences }] of shapes.entries()) {
    const near = at === 0 ? [] : keyReferences.flatMap((far, n) => refer(at, far % at, `in${n} `));
    keys.push(near.length > 0 && !wide ? near : [`k${at}`, ...(wide ? [`w${at}`] : []), ...near]);
  }
  const fixtures = shapes.map(({ facts, references: targets }, at): [string, DesignFixture] => {
    const near = targets.flatMap((far, n) => refer(at, far % shapes.length, `to${n} `));
    const own = facts.map((type, n) => `fact ${n} ${type}`);
    const attributes = [...(keys[at] ?? []), ...near, ...own, 'mail unique'];
    return [names[at] ?? '', { attributes, key: keys[at] ?? [], references: references[at] }];
  });
  return designFixture(Object.fromEntries(fixtures)).schema;
});

describe('mutantsOf, on random schemas', () => {
  it('makes valid schemas that differ, keep what they share, and are the same each time', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(validateSchema(schema)).toEqual([]);
        const made = mutantsOf(schema, { perMistake: 5 });
        expect(mutantsOf(structuredClone(schema), { perMistake: 5 })).toEqual(made);
        const known = new Map(schema.attributes.map((attribute) => [attribute.id, attribute]));
        const texts = new Set([JSON.stringify(schema)]);
        for (const { mistake, says, schema: mutant } of made) {
          expect(validateSchema(mutant), says).toEqual([]);
          // No two mutants are the same, nor is one the schema itself.
          expect(texts, says).not.toContain(JSON.stringify(mutant));
          texts.add(JSON.stringify(mutant));
          for (const attribute of mutant.attributes) {
            const before = known.get(attribute.id) ?? attribute;
            expect(attribute).toEqual(mistake === 'wrong type' ? { ...before, type: attribute.type } : before);
          }
          for (const relation of mutant.relations) expect(schema.relations).toContainEqual(relation);
        }
      }),
      { numRuns: propertyRuns(50) },
    );
  }, 60_000);
});
