import type { AskemaError, Parameter } from '@askema/core';
import { expect, test } from 'vitest';
import { hasNull, restParameters } from './query-parameters.ts';

const sent = (value: Parameter, types?: Readonly<Record<string, string>>) => {
  const [parameter] = restParameters([value], { types })?.queryParameters ?? [];
  return [parameter?.parameterType.type, parameter?.parameterValue.value];
};

test.each<[Parameter, string, string | null]>([
  [1, 'INT64', '1'],
  [-(2 ** 53) + 1, 'INT64', '-9007199254740991'],
  [2 ** 53, 'FLOAT64', '9007199254740992'],
  [0.1, 'FLOAT64', '0.1'],
  [-0, 'FLOAT64', '-0.0'],
  [Number.NaN, 'FLOAT64', 'NaN'],
  [Number.NEGATIVE_INFINITY, 'FLOAT64', '-Infinity'],
  [2n ** 63n - 1n, 'INT64', '9223372036854775807'],
  [2n ** 63n, 'BIGNUMERIC', '9223372036854775808'],
  [true, 'BOOL', 'true'],
  ["it's", 'STRING', "it's"],
  [new Uint8Array([0, 255]), 'BYTES', 'AP8='],
  [null, 'STRING', null],
])('%s is a %s', (value, type, text) => {
  expect(sent(value)).toEqual([type, text]);
});

test('the type of a NULL is told by position or name; left out it is asked for', () => {
  expect(sent(null, { '1': 'DATE' })).toEqual(['DATE', null]);
  expect(restParameters([1, null], { leftOut: true })).toEqual({ parameterMode: 'POSITIONAL', queryParameters: [] });
  const named = { a: 1, '@b': null };
  expect(restParameters(named, { leftOut: true })?.queryParameters.map(({ name }) => name)).toEqual(['a']);
  expect(restParameters(named, { types: { b: 'BYTES' } })?.queryParameters[1]).toMatchObject({
    name: 'b',
    parameterType: { type: 'BYTES' },
  });
  expect([hasNull(named), hasNull([1]), hasNull(undefined)]).toEqual([true, false, false]);
  expect([restParameters(undefined), restParameters([]), restParameters({})]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what no type holds is an error', () => {
  for (const value of [10n ** 40n, {} as Parameter])
    try {
      restParameters([value]);
      expect.unreachable();
    } catch (error) {
      expect((error as AskemaError).code).toBe('INPUT_INVALID');
    }
});
