import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardName } from './date-shards.ts';
import { textOfLiteral } from './read-information-schema.ts';
import { nestedFieldsOf } from './type-text.ts';

test('nodes stand in front of what is inside of them', () => {
  expect(nestedFieldsOf('STRUCT<a INT64, b ARRAY<STRUCT<`c d` NUMERIC(10, 2)>>, e RANGE<DATE>>')).toEqual([
    { path: ['a'], nativeType: 'INT64' },
    { path: ['b'], nativeType: 'ARRAY<STRUCT<`c d` NUMERIC(10, 2)>>' },
    { path: ['b', '[]'], nativeType: 'STRUCT<`c d` NUMERIC(10, 2)>' },
    { path: ['b', '[]', 'c d'], nativeType: 'NUMERIC(10, 2)' },
    { path: ['e'], nativeType: 'RANGE<DATE>' },
  ]);
  expect(nestedFieldsOf('ARRAY<STRING>')).toEqual([{ path: ['[]'], nativeType: 'STRING' }]);
  expect(nestedFieldsOf('STRING(10)')).toEqual([]);
});

test('whatever stands in a type, it is read or left alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('STRUCT', 'ARRAY', '<', '>', ',', 'a', '`', '(', ')', ' ', 'INT64')),
      (parts) => {
        nestedFieldsOf(parts.join(''));
      },
    ),
  );
  expect(nestedFieldsOf('STRUCT<'.repeat(10_000))).toEqual([]);
  expect(nestedFieldsOf(`${'ARRAY<'.repeat(10_000)}INT64${'>'.repeat(10_000)}`)).toEqual([]);
});

test.each([
  ['"orders fact table"', 'orders fact table'],
  ["'it\\'s'", "it's"],
  ['"""a\n"b\\""""', 'a\n"b"'],
  ['"\\x41\\u00e9\\U0001F98A\\101\\n\\\\"', 'Aé🦊A\n\\'],
  ['"\\Uffffffff"', '\ufffd'],
  ['true', 'true'],
  ['"', '"'],
])('the literal %j says %j', (literal, text) => {
  expect(textOfLiteral(literal)).toBe(text);
});

test.each([
  ['events_20240131', 'events_', true],
  ['gsod1999', 'gsod', false],
  ['sales_202401', 'sales_', false],
  ['events_20241331', undefined, undefined],
  ['build_99991231', undefined, undefined],
  ['20240131', undefined, undefined],
  ['x123456789', undefined, undefined],
])('%s is a shard of %s', (name, prefix, isDay) => {
  expect(shardName(name)?.prefix).toBe(prefix);
  expect(shardName(name)?.isDay).toBe(isDay);
});
