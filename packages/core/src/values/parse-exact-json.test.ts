import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseExactJson } from './parse-exact-json.ts';

it.each([
  ['{"a": [1, 2.5, null, true, "x"]}', { a: [1, 2.5, null, true, 'x'] }],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', '9007199254740992'],
  ['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
  ['-0.123456789012345678', '-0.123456789012345678'],
  ['0.1000000000000000000', 0.1],
  ['0.30000000000000004', 0.30000000000000004],
  ['1000000000000000.5', 1000000000000000.5],
  ['1.50', 1.5],
  ['1e3', 1000],
  ['1e400', '1e400'],
  ['-1e400', '-1e400'],
  ['1e-400', '1e-400'],
  ['0e-400', 0],
  ['0.00000000000000000000', 0],
  ['{"text": "12345678901234567890"}', { text: '12345678901234567890' }],
  ['<xml/>', '<xml/>'],
  ['undefined', 'undefined'],
  ['', ''],
])('%s', (text, value) => {
  expect(parseExactJson(text)).toEqual(value);
});

it('a document that is nested too deep for what works on values stays text', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(parseExactJson(deep(400))).toBeInstanceOf(Array);
  expect(parseExactJson(deep(401))).toBe(deep(401));
  expect(parseExactJson(deep(1_000_000))).toHaveLength(2_000_000);
  const brackets = JSON.stringify({ text: `"\\${'['.repeat(1_000)}` });
  expect(parseExactJson(brackets)).toEqual(JSON.parse(brackets));
});

it('is JSON.parse for what JSON.stringify wrote, but for whole numbers beyond 2^53', () => {
  const isBeyond = (value: unknown): boolean =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      const expected: unknown = JSON.parse(text, (_key, inner: unknown) => (isBeyond(inner) ? String(inner) : inner));
      expect(parseExactJson(text)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it('keeps every whole number, and falls for no name of a prototype', () => {
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const isSafe = value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
      expect(parseExactJson(`[${value}]`)).toEqual([isSafe ? Number(value) : value.toString()]);
    }),
  );
  expect(Object.keys(parseExactJson('{"__proto__": {"a": 1}}') as object)).toEqual(['__proto__']);
});
