import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeId, foldName, foreignKeyId, relationId, relationNameParts } from './schema-id.ts';

/** Names that carry the characters which ids use themselves. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', '.', '#', '%', '(', ')', ',', '>', '2', 'E', ' '), maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toString', '%63onstructor'),
);
const parts = fc.array(name, { minLength: 1, maxLength: 3 });
const folded = (path: readonly string[]): string => JSON.stringify(path.map((part) => foldName(part, 'insensitive')));

describe('ids', () => {
  it('are equal for relations exactly when their folded parts are', () => {
    fc.assert(
      fc.property(parts, parts, (first, second) => {
        expect(relationId(first) === relationId(second)).toBe(folded(first) === folded(second));
        expect(relationId(first, 'sensitive') === relationId(second, 'sensitive')).toBe(
          JSON.stringify(first) === JSON.stringify(second),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('give their parts back', () => {
    fc.assert(
      fc.property(parts, (path) => {
        expect(relationNameParts(relationId(path, 'sensitive'))).toEqual(path);
      }),
      { numRuns: 500 },
    );
  });

  it('are equal for attributes and foreign keys exactly when everything they are made of is', () => {
    const attribute = fc.tuple(parts, name);
    const key = fc.record({
      from: parts,
      to: parts,
      pairs: fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 2 }),
    });
    fc.assert(
      fc.property(attribute, attribute, (first, second) => {
        const id = ([path, own]: [string[], string]): string => attributeId(relationId(path), own);
        expect(id(first) === id(second)).toBe(
          folded([...first[0], first[1]]) === folded([...second[0], second[1]]) && first[0].length === second[0].length,
        );
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(key, key, (first, second) => {
        const id = ({ from, to, pairs }: typeof first): string =>
          foreignKeyId(
            relationId(from),
            relationId(to),
            pairs.map(([a, b]) => ({ from: attributeId(relationId(from), a), to: attributeId(relationId(to), b) })),
          );
        const whole = ({ from, to, pairs }: typeof first): string =>
          JSON.stringify([folded(from), folded(to), pairs.map((pair) => folded(pair))]);
        expect(id(first) === id(second)).toBe(whole(first) === whole(second));
      }),
      { numRuns: 500 },
    );
  });

  it('can be keys of plain records, whatever the table is called', () => {
    for (const hostile of ['__proto__', 'constructor', 'toString', 'valueOf']) {
      const id = relationId([hostile], 'sensitive');
      expect(({} as Record<string, unknown>)[id]).toBeUndefined();
      const record: Record<string, unknown> = {};
      record[id] = 'here';
      expect(Object.keys(record)).toEqual([id]);
    }
  });

  it('fold ASCII letters only, and only where names compare without case', () => {
    expect(relationId(['Sales', 'ORDERS'])).toBe('sales.orders');
    expect(relationId(['ÄRZTE'])).toBe('Ärzte');
    expect(relationId(['Sales'], 'sensitive')).toBe('Sales');
    expect(attributeId('sales.orders', 'Ship #')).toBe('sales.orders#ship %23');
  });
});
