import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DataType } from '../schema/schema.ts';
import type { Row, Value } from '../values/value.ts';
import type { ComparableResult } from './cell-equality.ts';
import { resultSignature } from './result-signature.ts';
import { type AgreementOptions, resultsAgree } from './results-agree.ts';

const KEYS: readonly AgreementOptions[] = [{ key: 'strict' }, { key: 'official' }];

function table(rows: readonly Row[], types: readonly DataType[] = [], width = rows[0]?.length ?? 1): ComparableResult {
  return { columns: Array.from({ length: width }, (_, column) => ({ name: `c${column}`, type: types[column] })), rows };
}

const cell = fc.oneof(
  fc.constantFrom<Value>(
    0,
    -0,
    1,
    1n,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'a',
    'b',
    '',
    null,
    true,
    '2024-01-01',
  ),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 3n }),
);
const result = fc
  .integer({ min: 1, max: 4 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
  .map((rows) => table(rows));

function turned(of: ComparableResult, rowStep: number, columnStep: number): ComparableResult {
  const turn = <T>(items: readonly T[], step: number): T[] => {
    const at = step % items.length;
    return [...items.slice(at), ...items.slice(0, at)].reverse();
  };
  return { columns: turn(of.columns, columnStep), rows: turn(of.rows, rowStep).map((row) => turn(row, columnStep)) };
}

describe.each(KEYS)('resultsAgree, $key', (options) => {
  it('is reflexive, and does not mind the order of rows and columns', () => {
    fc.assert(
      fc.property(result, fc.nat(9), fc.nat(9), (of, rowStep, columnStep) => {
        expect(resultsAgree(of, of, options)).toBe(true);
        expect(resultsAgree(of, turned(of, rowStep, columnStep), options)).toBe(true);
      }),
    );
  });

  it('is symmetric', () => {
    fc.assert(
      fc.property(result, result, (a, b) => {
        expect(resultsAgree(a, b, options)).toBe(resultsAgree(b, a, options));
      }),
      { numRuns: 500 },
    );
  });

  it('wants equal shapes', () => {
    expect(resultsAgree(table([[1, 2]]), table([[1]]), options)).toBe(false);
    expect(resultsAgree(table([[1], [1]]), table([[1]]), options)).toBe(false);
    expect(resultsAgree(table([], [], 2), table([], [], 2), options)).toBe(true);
    expect(resultsAgree(table([], [], 2), table([], [], 1), options)).toBe(false);
  });
});

describe('resultsAgree', () => {
  const people = table([
    ['Ann', 1],
    ['Bob', 2],
  ]);
  const crossed = table([
    ['Ann', 2],
    ['Bob', 1],
  ]);

  it('keeps the association within a row under strict, and loses it under official', () => {
    expect(resultsAgree(people, crossed, { key: 'strict' })).toBe(false);
    expect(resultsAgree(people, crossed, { key: 'official' })).toBe(true);
  });

  it.each<[string, Value, Value, DataType | undefined, boolean, boolean]>([
    ['a decimal and its number', '1.10', 1.1, 'NUMERIC', true, true],
    ['a text that looks like a decimal, and a number', '1.10', 1.1, 'TEXT', false, false],
    ['big integers one apart', 2n ** 60n, 2n ** 60n + 1n, 'NUMERIC', false, true],
    ['exact decimals one apart', '12345678901234567890', '12345678901234567891', 'NUMERIC', false, true],
    ['zero and minus zero', 0, -0, undefined, true, true],
    ['NaN and NaN', Number.NaN, Number.NaN, undefined, true, true],
    ['NaN and zero', Number.NaN, 0, undefined, false, true],
    ['NULL and zero', null, 0, undefined, false, true],
    ['NULL and an empty text', null, '', 'TEXT', false, true],
    ['NULL and the text 0', null, '0', 'TEXT', false, false],
    ['infinities of both signs', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, undefined, false, false],
    ['fractions a thousandth apart', 0.3331, 0.3338, undefined, false, true],
    ['fractions a hundredth apart', 0.33, 0.34, undefined, false, false],
    ['a date and the next', '2024-02-28', '2024-02-29', 'DATETIME', false, false],
    ['bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2]), 'BINARY', true, true],
    ['nested values with their keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, 'TEXT', true, true],
  ])('%s', (_name, a, b, type, strict, official) => {
    const types = type === undefined ? [] : [type];
    expect(resultsAgree(table([[a]], types), table([[b]], types), { key: 'strict' })).toBe(strict);
    expect(resultsAgree(table([[a]], types), table([[b]], types), { key: 'official' })).toBe(official);
  });

  it('takes another tolerance', () => {
    expect(resultsAgree(table([[0.5]]), table([[0.505]]), { tolerance: 0.01 })).toBe(true);
    expect(resultsAgree(table([[0.5]]), table([[0.505]]), { key: 'official', tolerance: 0.01 })).toBe(true);
  });

  it('sorts by text under official, as the evaluator does: 9.9999 and 10.0001 part their columns', () => {
    const a = table([[9.9999], [2]]);
    const b = table([[10.0001], [2]]);
    expect(resultsAgree(a, b, { key: 'official' })).toBe(false);
  });

  it('minds the order of rows where it is asked to', () => {
    const reversed = table([
      ['Bob', 2],
      ['Ann', 1],
    ]);
    expect(resultsAgree(people, reversed)).toBe(true);
    expect(resultsAgree(people, reversed, { rowOrder: 'keep' })).toBe(false);
  });
});

describe('resultSignature', () => {
  it('is the same for whatever agrees, and tells most others apart', () => {
    let apart = 0;
    fc.assert(
      fc.property(result, result, fc.nat(9), fc.nat(9), (a, b, rowStep, columnStep) => {
        expect(resultSignature(turned(a, rowStep, columnStep))).toBe(resultSignature(a));
        if (resultsAgree(a, b)) expect(resultSignature(b)).toBe(resultSignature(a));
        else if (resultSignature(a) !== resultSignature(b)) apart += 1;
      }),
      { numRuns: 300 },
    );
    expect(apart).toBeGreaterThan(200);
  });

  it('is the same for numbers within the tolerance, whichever side of a rounding step they are on', () => {
    expect(resultSignature(table([[2.9999999999999996]]))).toBe(resultSignature(table([[3n]])));
  });

  it('tells apart rows whose columns hold the same texts in other pairs', () => {
    const a = table([
      ['x', 'p'],
      ['y', 'q'],
    ]);
    const b = table([
      ['x', 'q'],
      ['y', 'p'],
    ]);
    expect(resultSignature(a)).not.toBe(resultSignature(b));
  });

  it('takes a million cells in seconds', () => {
    const big = table(Array.from({ length: 100_000 }, (_, row) => Array.from({ length: 10 }, (_, n) => `${row}-${n}`)));
    const started = performance.now();
    resultSignature(big);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
