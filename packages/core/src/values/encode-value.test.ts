import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { isAskemaError } from '../errors/askema-error.ts';
import { decodeValue, encodeValue } from './encode-value.ts';
import type { JsonValue } from './value.ts';

const roundTrip = (value: unknown): unknown => decodeValue(JSON.parse(JSON.stringify(encodeValue(value))) as JsonValue);

const key = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.constantFrom(
    '$number',
    '$bigint',
    '$bytes',
    '$undefined',
    '$object',
    '$other',
    '__proto__',
    'constructor',
    'toJSON',
  ),
);
const cell = fc.oneof(
  fc.double(),
  fc.bigInt(),
  fc.string({ unit: anyCharacter }),
  fc.boolean(),
  fc.constantFrom(null, undefined, Number.NaN, -0, Number.POSITIVE_INFINITY),
  fc.uint8Array({ maxLength: 5 }),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, cell, tie('array'), tie('object')),
  array: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
}));

describe('encodeValue and decodeValue', () => {
  it('carry everything through JSON without loss', () => {
    fc.assert(
      fc.property(anything, (value) => {
        // Not `toStrictEqual`, which reads a key called `constructor` as the class of the object.
        expect(isDeepStrictEqual(roundTrip(value), value)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep what databases hold and JSON does not', () => {
    const row = [9_007_199_254_740_993n, -0, Number.NaN, new Uint8Array([0, 255]), undefined, '1.10'];
    expect(roundTrip(row)).toStrictEqual(row);
    expect(Object.is(roundTrip(-0), -0)).toBe(true);
    expect(roundTrip(Buffer.from('ab'))).toStrictEqual(new Uint8Array([97, 98]));
    expect(roundTrip(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toStrictEqual(new Uint8Array([2, 3]));
  });

  it('do not take an object of the user for one of theirs', () => {
    for (const value of [
      { $bigint: '12' },
      { $object: { $bytes: 'x' } },
      { $number: null },
      { $undefined: true },
      { $other: 1 },
    ])
      expect(roundTrip(value)).toStrictEqual(value);
  });

  it('keep a key named __proto__ without touching prototypes', () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}') as object;
    const back = roundTrip(value) as object;
    expect(Object.keys(back)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it('refuse what cannot be stored, naming it', () => {
    class Thing {}
    for (const [value, name] of [
      [() => 1, 'function'],
      [Symbol('s'), 'symbol'],
      [new Date(0), 'Date'],
      [new Thing(), 'Thing'],
      [new Map(), 'Map'],
    ] as const) {
      let thrown: unknown;
      try {
        encodeValue({ deep: [value] });
      } catch (error) {
        thrown = error;
      }
      expect(isAskemaError(thrown) && thrown.code).toBe('INPUT_INVALID');
      expect((thrown as Error).message).toContain(name);
    }
  });

  it.each([
    [
      'a cycle',
      (() => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle;
      })(),
    ],
    ['an extreme depth', Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1)],
  ])('refuse %s instead of overflowing the stack', (_, value) => {
    expect(() => encodeValue(value)).toThrow(/cannot be stored as JSON/);
  });

  it.each([[{ $bigint: '1.5' }], [{ $bigint: 7 }], [{ $bytes: 5 }], [{ $number: '12x' }], [{ $object: 'text' }]])(
    'refuse to decode %j, which they never wrote',
    (json) => {
      expect(() => decodeValue(json)).toThrow(/not written by encodeValue/);
    },
  );
});
