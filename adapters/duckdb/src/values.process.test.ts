import { writeFileSync } from 'node:fs';
import type { Value } from '@askema/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { open } from './test-support/open-file.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolder();
const machineZone = process.env.TZ;
let adapter: ReturnType<typeof open>;

beforeAll(() => {
  // Zones of the machine must change nothing.
  process.env.TZ = 'Asia/Kathmandu';
  writeFileSync(folder.file('t.csv'), 'id\n1\n');
  adapter = open({ files: folder.file('t.csv') });
});

afterAll(async () => {
  await adapter.close();
  folder[Symbol.dispose]();
  if (machineZone === undefined) delete process.env.TZ;
  else process.env.TZ = machineZone;
});

async function cell(expression: string): Promise<Value> {
  return (await adapter.query(`SELECT ${expression}`)).rows[0]?.[0] as Value;
}

describe('cells', () => {
  test.each<[string, Value]>([
    ['1::UTINYINT', 1],
    ['9007199254740991::BIGINT', 9007199254740991],
    ['9007199254740992::BIGINT', 9007199254740992n],
    ['18446744073709551615::UBIGINT', 18446744073709551615n],
    ['170141183460469231731687303715884105727::HUGEINT', 170141183460469231731687303715884105727n],
    ['340282366920938463463374607431768211455::UHUGEINT', 340282366920938463463374607431768211455n],
    ["'123456789012345678901234567890123456789012'::BIGNUM", 123456789012345678901234567890123456789012n],
    ['sum(x) FROM (VALUES (1), (2)) t(x)', 3],
    ['12.50::DECIMAL(6, 2)', '12.50'],
    ['-0.05::DECIMAL(38, 2)', '-0.05'],
    ['42::DECIMAL(10, 0)', 42],
    ['99999999999999999999::DECIMAL(20, 0)', 99999999999999999999n],
    ["'NaN'::FLOAT", Number.NaN],
    ["'-inf'::DOUBLE", Number.NEGATIVE_INFINITY],
    ['0.1::DOUBLE', 0.1],
    ["DATE '2024-02-29'", '2024-02-29'],
    ["DATE '0044-03-15 (BC)'", '-000043-03-15'],
    ["DATE '0001-01-01'", '0001-01-01'],
    ["DATE '12024-01-01'", '+012024-01-01'],
    ["'infinity'::DATE", 'infinity'],
    ["'-infinity'::TIMESTAMP", '-infinity'],
    ["TIMESTAMP '1969-12-31 23:59:59.999999'", '1969-12-31T23:59:59.999999'],
    ["TIMESTAMP_S '2024-01-02 03:04:05'", '2024-01-02T03:04:05'],
    ["TIMESTAMP_MS '2024-01-02 03:04:05.6'", '2024-01-02T03:04:05.6'],
    ["TIMESTAMP_NS '2024-01-02 03:04:05.123456789'", '2024-01-02T03:04:05.123456789'],
    ["TIMESTAMPTZ '2024-07-01 12:00:00+02'", '2024-07-01T10:00:00Z'],
    ["TIMESTAMPTZ '2024-07-01 12:00:00'", '2024-07-01T12:00:00Z'],
    ["CAST(TIMESTAMPTZ '2024-07-01 12:00:00+02' AS VARCHAR)", '2024-07-01 10:00:00+00'],
    ["TIME '23:59:58.125'", '23:59:58.125'],
    ["TIME '24:00:00'", '24:00:00'],
    ["TIMETZ '12:00:00+05:30'", '12:00:00+05:30'],
    ["TIMETZ '12:00:00-03'", '12:00:00-03:00'],
    ["INTERVAL '14 months -3 days 90 minutes 1.5 seconds'", 'P1Y2M-3DT1H30M1.5S'],
    ["INTERVAL '0 days'", 'PT0S'],
    ["INTERVAL '-1 hour'", 'PT-1H'],
    ["'\\xFF\\x00a'::BLOB", new Uint8Array([255, 0, 97])],
    ["'0101'::BIT", '0101'],
    ["'c0ffee00-0000-4000-8000-00000000cafe'::UUID", 'c0ffee00-0000-4000-8000-00000000cafe'],
    ["'b'::ENUM('a', 'b')", 'b'],
    ['[1, NULL, 9007199254740993]', [1, null, '9007199254740993']],
    ['[1.5, 2.25]::DOUBLE[2]', [1.5, 2.25]],
    ["{'a': 1, 'b': {'c': [DATE '2024-01-01']}}", { a: 1, b: { c: ['2024-01-01'] } }],
    ["MAP {'k': 1.25::DECIMAL(4, 2), 'l': NULL}", { k: '1.25', l: null }],
    ["MAP {1: 'x'}", { '1': 'x' }],
    ['union_value(num := 2)', { num: 2 }],
    ["['a'::BLOB]", ['YQ==']],
    ["['NaN'::DOUBLE]", ['NaN']],
    [`'{"a": [1, 9007199254740993, 1.5, null], "b": "x"}'::JSON`, { a: [1, '9007199254740993', 1.5, null], b: 'x' }],
    [`'"text"'::JSON`, 'text'],
    [`['{"a": 1}'::JSON]`, [{ a: 1 }]],
    ["[[['deep']]]", [[['deep']]]],
    ['NULL', null],
    ['NULL::INTEGER[]', null],
    ["''", ''],
    ['{"a": 1}::VARIANT', { a: 1 }],
    ['9007199254740993::VARIANT', 9007199254740993n],
  ])('%s', async (expression, expected) => {
    expect(await cell(expression)).toEqual(expected);
  });

  test('bytes are a plain Uint8Array', async () => {
    const value = await cell("'abc'::BLOB");
    expect(value?.constructor).toBe(Uint8Array);
    expect(value).toHaveLength(3);
  });

  test('columns say the type as DuckDB writes it', async () => {
    const { columns } = await adapter.query(
      "SELECT 1.5::DECIMAL(4, 2) AS d, '{}'::JSON AS j, 'a'::ENUM('a', 'b') AS e, [{'x': 1}] AS l, TIMESTAMPTZ '2024-01-01' AS t",
    );
    expect(columns.map(({ nativeType, type }) => [nativeType, type])).toEqual([
      ['DECIMAL(4,2)', 'NUMERIC'],
      ['JSON', 'TEXT'],
      ["ENUM('a', 'b')", 'TEXT'],
      ['STRUCT("x" INTEGER)[]', 'TEXT'],
      ['TIMESTAMP WITH TIME ZONE', 'DATETIME'],
    ]);
  });

  test('parameters of every kind come back as they went in', async () => {
    const huge = 2n ** 100n;
    const { rows } = await adapter.query('SELECT ?, ?, ?, ?, ?, ?, ?, ?', {
      parameters: [null, true, 1, 0.5, 9007199254740993n, huge, "it's", new Uint8Array([0, 255])],
    });
    expect(rows).toEqual([[null, true, 1, 0.5, 9007199254740993n, huge, "it's", new Uint8Array([0, 255])]]);
    const named = await adapter.query('SELECT $b, $a', { parameters: { a: 'x', b: 2 } });
    expect(named.rows).toEqual([[2, 'x']]);
  });

  test.each([
    ['SELECT ?', [1, 2], /has 1, and 2 were given/],
    ['SELECT $a', { b: 1 }, /nothing was given for \$a/],
    ['SELECT $a', { a: 1, b: 1 }, /no \$b/],
  ])('parameters that do not fit: %s', async (sql, parameters, message) => {
    await expect(adapter.query(sql, { parameters })).rejects.toThrow(message);
  });
});
