import type { ComparableResult } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPandasCsv, tableOfResult, writePandasCsv } from './pandas-csv.ts';
import { parsePandasFloat, pythonFloat } from './python-number.ts';

// What stands here was read off pandas 2.3.3.
function typed(csv: string): unknown {
  const { columns } = readPandasCsv(csv);
  return columns.map(({ type, cells }) => [type, ...cells]);
}

describe('readPandasCsv', () => {
  it.each<[string, string, unknown]>([
    ['whole numbers with blanks and signs', 'a\n 1\n+2 \n007\n', [['int64', 1, 2, 7]]],
    ['numbers where one has a fraction', 'a\n1\n2.5\n.5\n3.\n1e3\n', [['float64', 1, 2.5, 0.5, 3, 1000]]],
    [
      'whole numbers with a gap',
      'a,b\n1,x\n,y\n',
      [
        ['float64', 1, undefined],
        ['object', 'x', 'y'],
      ],
    ],
    ['booleans in any case', 'a\nTrue\nFALSE\ntRUE\n', [['bool', true, false, true]]],
    [
      'booleans with a gap',
      'a,b\nTrue,1\nNA,2\n',
      [
        ['object', true, undefined],
        ['int64', 1, 2],
      ],
    ],
    [
      'words that mean a missing cell',
      'a,b\nnull,1\nNone,2\nx,3\n',
      [
        ['object', undefined, undefined, 'x'],
        ['int64', 1, 2, 3],
      ],
    ],
    ['such a word with a blank', 'a\nNA \n', [['object', 'NA ']]],
    [
      'separators, percent signs, dates',
      'a,b,c\n"1,234",10%,2020-01-01\n',
      [
        ['object', '1,234'],
        ['object', '10%'],
        ['object', '2020-01-01'],
      ],
    ],
    ['infinities', 'a\ninf\n-Infinity\n', [['float64', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]]],
    ['a number too large for a double', 'a\n1e400\n1\n', [['object', '1e400', '1']]],
    ['64 bits without a sign', 'a\n18446744073709551615\n', [['uint64', 18446744073709551615n]]],
    ['both halves of 64 bits', 'a\n18446744073709551615\n-1\n', [['object', '18446744073709551615', '-1']]],
    [
      'more than 64 bits, before a fraction',
      'a\n99999999999999999999\n1.5\n',
      [['object', '99999999999999999999', '1.5']],
    ],
    [
      'an index that the header does not name',
      'a,b\n1,2,3\n',
      [
        ['int64', 2],
        ['int64', 3],
      ],
    ],
    [
      'a short record',
      'a,b\n1,2\n3\n',
      [
        ['int64', 1, 3],
        ['float64', 2, undefined],
      ],
    ],
    ['blank lines and quoted line breaks', '\n a\n  \n"x\ny"\r\n"q""q"z\r\n', [['object', 'x\ny', 'q"qz']]],
    ['no rows', 'a,b\n', [['object'], ['object']]],
  ])('reads %s', (_name, csv, expected) => {
    expect(typed(csv)).toEqual(expected);
  });

  it('refuses what pandas refuses', () => {
    expect(() => readPandasCsv('')).toThrow('no header');
    expect(() => readPandasCsv('\n\n')).toThrow('no header');
    expect(() => readPandasCsv('a,b\n1,2\n1,2,3\n')).toThrow(
      'Record 2 of the CSV has 3 cells where there are 2 columns',
    );
  });

  it('takes 17 digits, and so at times another last bit than the nearest double', () => {
    expect(parsePandasFloat('0.30000000000000004')).toBe(0.3);
    expect(parsePandasFloat('222.78349964298945')).toBe(222.78349964298943);
    expect(parsePandasFloat('1e-320')).toBe(1e-320);
    expect(parsePandasFloat('1e')).toBeUndefined();
    expect(parsePandasFloat('0x1F')).toBeUndefined();
  });

  it('never fails on any text but with its own error, and keeps all columns of one length', () => {
    const piece = fc.constantFrom(',', '"', '\n', '\r', '1', '-', '.', 'e', 'NA', 'true', ' ', 'x', '\t', '\uFEFF');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        try {
          const { columns, rowCount } = readPandasCsv(pieces.join(''));
          for (const { cells } of columns) expect(cells).toHaveLength(rowCount);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'INPUT_INVALID' });
        }
      }),
    );
  });

  it('reads a megabyte of open quotes in one pass', () => {
    expect(readPandasCsv(`a\n${'"x""'.repeat(250_000)}`).rowCount).toBeGreaterThan(0);
  });
});

describe('pythonFloat', () => {
  it.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [0.1, '0.1'],
    [1e16, '1e+16'],
    [1234567890123456, '1234567890123456.0'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-12.5, '-12.5'],
    [1.5e300, '1.5e+300'],
  ])('%d is %s', (value, text) => expect(pythonFloat(value)).toBe(text));

  it('can be read back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => Number(pythonFloat(value)) === value),
    );
  });
});

describe('tableOfResult', () => {
  it('writes a result as pandas would and reads it back', () => {
    const table = tableOfResult({
      columns: [
        { name: 'n' },
        { name: 'd', type: 'NUMERIC' },
        { name: 't', type: 'DATETIME' },
        { name: 'b' },
        { name: 's' },
      ],
      rows: [
        [1, '12.50', '2020-01-02T00:00:00', true, ''],
        [null, '3', '2020-01-03T00:00:00.000', false, 'NULL'],
      ],
    });
    expect(table.columns.map(({ cells }) => cells)).toEqual([
      [1, undefined],
      [12.5, 3],
      ['2020-01-02', '2020-01-03'],
      [true, false],
      [undefined, undefined],
    ]);
    const ids = tableOfResult({ columns: [{ name: 'i' }], rows: [[201711181216331214n], [2017083011593475]] });
    expect(ids.columns[0]).toMatchObject({ type: 'int64', cells: [201711181216331214n, 2017083011593475] });
    const moments = tableOfResult({
      columns: [{ name: 't', type: 'DATETIME' }],
      rows: [['2020-01-02T03:04:05Z'], ['2020-01-02T00:00:00.250Z']],
    });
    expect(moments.columns[0]?.cells).toEqual(['2020-01-02 03:04:05+00:00', '2020-01-02 00:00:00.250+00:00']);
  });
});

describe('writePandasCsv', () => {
  it('writes what is read back as the same table: quotes, breaks of lines, gaps, blanks, moments', () => {
    const text = fc.oneof(
      fc.constantFrom('', ' ', '\t', '"', 'a,b', 'a\nb', '\r', '7', 'NULL', '2024-05-01T00:00:00', '東京'),
      fc.string({ maxLength: 4 }),
    );
    const cell = fc.oneof(
      text,
      fc.constant(null),
      fc.integer(),
      fc.double(),
      fc.bigInt({ min: -(2n ** 70n) }),
      fc.boolean(),
    );
    const result = fc.integer({ min: 1, max: 3 }).chain((width) =>
      fc.record({
        columns: fc.array(
          fc.record({ name: fc.constantFrom('a', 'b,c', '"', ''), type: fc.constantFrom('TEXT', 'DATETIME') }),
          {
            minLength: width,
            maxLength: width,
          },
        ),
        rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }),
      }),
    );
    fc.assert(
      fc.property(result, (one) => {
        const { columns, rows } = one as ComparableResult;
        expect(readPandasCsv(writePandasCsv({ columns, rows }))).toEqual(tableOfResult({ columns, rows }));
      }),
    );
  });
});
