import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RestCellValue, RestField } from '../rest-types.ts';
import { createRowDecoder, timestampText } from './decode-rows.ts';
import { resultColumns } from './result-columns.ts';

const decode = (field: Omit<RestField, 'name'>, v: RestCellValue | undefined) =>
  createRowDecoder({ fields: [{ name: 'x', ...field }] })({ f: [{ v }] })[0];
const cells = (...values: readonly RestCellValue[]) => values.map((v) => ({ v }));

describe('values off the wire', () => {
  it.each<[string, RestCellValue, unknown]>([
    ['INTEGER', '9007199254740991', 9007199254740991],
    ['INT64', '-9223372036854775808', -9223372036854775808n],
    ['INTEGER', '-0', 0],
    ['NUMERIC', '12.3', '12.3'],
    ['NUMERIC', '5', '5'],
    ['BIGNUMERIC', '12345678901234567890.12', '12345678901234567890.12'],
    ['FLOAT', '1.0', 1],
    ['FLOAT', 'NaN', Number.NaN],
    ['FLOAT64', '-Infinity', Number.NEGATIVE_INFINITY],
    ['FLOAT', 'inf', Number.POSITIVE_INFINITY],
    ['BOOLEAN', 'true', true],
    ['BOOL', false, false],
    ['STRING', '', ''],
    ['BYTES', 'AP8=', new Uint8Array([0, 255])],
    ['BYTES', '', new Uint8Array()],
    ['DATE', '0001-01-01', '0001-01-01'],
    ['TIME', '12:34:56.000001', '12:34:56.000001'],
    ['DATETIME', '2024-02-29T12:00:00', '2024-02-29T12:00:00'],
    ['TIMESTAMP', '1704067200123456', '2024-01-01T00:00:00.123456Z'],
    ['TIMESTAMP', '1704067200000000', '2024-01-01T00:00:00Z'],
    ['TIMESTAMP', '-1', '1969-12-31T23:59:59.999999Z'],
    ['TIMESTAMP', '-62135596800000000', '0001-01-01T00:00:00Z'],
    ['TIMESTAMP', '1.7040672001234560E9', '2024-01-01T00:00:00.123456Z'],
    ['TIMESTAMP', '2024-01-01T00:00:00.123456789012Z', '2024-01-01T00:00:00.123456789012Z'],
    ['INTERVAL', '1-2 3 4:5:6.789', '1-2 3 4:5:6.789'],
    ['GEOGRAPHY', 'POINT(1 2)', 'POINT(1 2)'],
    ['JSON', '{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['JSON', 'null', null],
    ['JSON', '12345678901234567890', 12345678901234567890n],
    ['JSON', '{"id":12345678901234567890,"f":0.1}', { id: '12345678901234567890', f: 0.1 }],
    ['JSON', 'broken', 'broken'],
  ])('%s %j', (type, wire, value) => {
    expect(decode({ type }, wire)).toEqual(value);
    expect(decode({ type }, null)).toBeNull();
  });

  it('a declared scale of 0 makes a decimal a whole number', () => {
    expect(decode({ type: 'NUMERIC', precision: '10', scale: '0' }, '42')).toBe(42);
    expect(decode({ type: 'BIGNUMERIC', precision: '38' }, '12345678901234567890')).toBe(12345678901234567890n);
    expect(decode({ type: 'NUMERIC', precision: '10', scale: '2' }, '42')).toBe('42');
  });

  it('ranges: the ends of TIMESTAMP are ISO 8601', () => {
    const range = (type: string) => ({ type: 'RANGE', rangeElementType: { type } });
    expect(decode(range('DATE'), '[2024-01-01, UNBOUNDED)')).toBe('[2024-01-01, UNBOUNDED)');
    expect(decode(range('TIMESTAMP'), '[1704067200000000, UNBOUNDED)')).toBe('[2024-01-01T00:00:00Z, UNBOUNDED)');
  });

  it('structs and arrays are JSON; no field is lost, whatever its name', () => {
    const fields: readonly RestField[] = [
      { name: 'a', type: 'INTEGER' },
      { name: 'a', type: 'STRING' },
      { name: 'a_2', type: 'BYTES' },
      { name: '', type: 'FLOAT' },
      { name: '__proto__', type: 'NUMERIC' },
      { name: 'list', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'n', type: 'INTEGER', mode: 'REPEATED' }] },
    ];
    const wire = {
      f: cells(
        '9223372036854775807',
        'x',
        'AP8=',
        'NaN',
        '1.50',
        cells({ f: cells(cells('1', '2')) }, { f: cells([]) }),
      ),
    };
    const value = decode({ type: 'RECORD', fields }, wire);
    expect(JSON.stringify(value)).toBe(
      '{"a":"9223372036854775807","a_3":"x","a_2":"AP8=","_field_4":"NaN","__proto__":"1.50","list":[{"n":[1,2]},{"n":[]}]}',
    );
    expect(decode({ type: 'STRING', mode: 'REPEATED' }, cells('a', 'b'))).toEqual(['a', 'b']);
    expect(decode({ type: 'RECORD', fields }, null)).toBeNull();
  });

  it('two columns of one name are both there; a row that is short has NULLs', () => {
    const fields = [
      { name: 'a', type: 'INTEGER' },
      { name: 'a', type: 'STRING' },
    ];
    expect(createRowDecoder({ fields })({ f: cells('1', 'x') })).toEqual([1, 'x']);
    expect(createRowDecoder({ fields })({})).toEqual([null, null]);
    expect(createRowDecoder(undefined)({ f: cells('1') })).toEqual([]);
  });

  it('every microsecond of every year comes back', () => {
    const least = -62_135_596_800_000_000n;
    const most = 253_402_300_799_999_999n;
    fc.assert(
      fc.property(fc.bigInt({ min: least, max: most }), (microseconds) => {
        const text = timestampText(String(microseconds));
        const [, second = '', fraction = ''] = /^(.{19})(?:\.(\d{1,6}))?Z$/.exec(text) ?? [];
        const back = BigInt(Date.parse(`${second}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0'));
        expect(back).toBe(microseconds);
        const seconds = `${microseconds / 1_000_000n}.${String(microseconds % 1_000_000n).padStart(6, '0')}`;
        if (microseconds >= 0n) expect(timestampText(seconds)).toBe(text);
      }),
    );
  });
});

it('types of columns are written as SQL writes them', () => {
  const fields: readonly RestField[] = [
    { name: 'a', type: 'NUMERIC', precision: '10', scale: '2' },
    { name: 'b', type: 'STRING', maxLength: '5', mode: 'REPEATED' },
    { name: 'c', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'x', type: 'FLOAT' }] },
    { name: 'd', type: 'RANGE', rangeElementType: { type: 'DATETIME' } },
    { name: 'e', type: 'TIMESTAMP', timestampPrecision: '12' },
    { name: 'f', type: 'BOOLEAN' },
  ];
  expect(resultColumns({ fields }).map(({ nativeType, type }) => [nativeType, type])).toEqual([
    ['NUMERIC(10, 2)', 'NUMERIC'],
    ['ARRAY<STRING(5)>', 'TEXT'],
    ['ARRAY<STRUCT<x FLOAT64>>', 'TEXT'],
    ['RANGE<DATETIME>', 'TEXT'],
    ['TIMESTAMP(12)', 'DATETIME'],
    ['BOOL', 'BOOL'],
  ]);
});
