import type { JsonValue } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decoderOf, readArray, readDate, readTime, readTimestamp } from './decode-cell.ts';

/** As `array_out` writes a list: everything in quotes that needs them. */
function writeArray(value: JsonValue): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `{${value.map(writeArray).join(',')}}`;
  return `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}

describe('arrays', () => {
  it('come back as they were written, whatever is in them', () => {
    const element = fc.option(fc.string(), { nil: null });
    const flat = fc.array(element);
    const nested = fc.array(fc.array(element, { minLength: 1 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.oneof(flat, nested), (list) => {
        expect(readArray(writeArray(list), ',', (text) => text)).toEqual(list);
      }),
    );
  });

  it.each<[string, JsonValue | undefined]>([
    ['{}', []],
    ['{1,NULL,"NULL",null}', ['1', null, 'NULL', 'null']],
    ['[2:3]={a,b}', ['a', 'b']],
    ['[0:0][1:2]={{a,b}}', [['a', 'b']]],
    ['1 2 3', undefined],
    ['{"never closed', undefined],
    ['{a}{b}', undefined],
    ['{{{{{{{a}}}}}}}', undefined],
  ])('%s', (text, list) => {
    expect(readArray(text, ',', (element) => element)).toEqual(list);
  });
});

describe('dates and times', () => {
  it.each([
    ['2024-02-29 23:59:58.125', '2024-02-29T23:59:58.125'],
    ['2024-02-29 23:59:58+00', '2024-02-29T23:59:58+00:00'],
    ['2024-02-29 23:59:58-03:30', '2024-02-29T23:59:58-03:30'],
    ['1890-01-01 00:00:00+00:19:32', '1890-01-01T00:00:00+00:19:32'],
    ['0044-03-15 10:00:00 BC', '-0043-03-15T10:00:00'],
    ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00+00:00'],
    ['294276-12-31 00:00:00', '+294276-12-31T00:00:00'],
    ['infinity', 'infinity'],
  ])('%s is %s', (text, iso) => {
    expect(readTimestamp(text)).toBe(iso);
  });

  it('dates and times of day', () => {
    expect(['2024-02-29', '0001-01-01 BC', '-infinity', '12345-01-01'].map(readDate)).toEqual([
      '2024-02-29',
      '0000-01-01',
      '-infinity',
      '+012345-01-01',
    ]);
    expect(['10:00:00', '10:00:00+02', '10:00:00-02:30'].map(readTime)).toEqual([
      '10:00:00',
      '10:00:00+02:00',
      '10:00:00-02:30',
    ]);
  });
});

describe('numbers', () => {
  it.each([
    [20, '9007199254740991', 9007199254740991],
    [20, '9007199254740992', 9007199254740992n],
    [20, '-9223372036854775808', -9223372036854775808n],
    [1700, '19', 19],
    [1700, '19.00', '19.00'],
    [1700, '1'.repeat(60), '1'.repeat(60)],
    [1700, 'NaN', Number.NaN],
    [701, '-Infinity', Number.NEGATIVE_INFINITY],
    [701, '1.7976931348623157e+308', 1.7976931348623157e308],
    [790, '-$1,234.50', '-1234.50'],
    [16, 'f', false],
    [25, 'f', 'f'],
  ])('type %i, %s', (oid, text, value) => {
    expect(decoderOf({ oid })(text)).toEqual(value);
  });
});
