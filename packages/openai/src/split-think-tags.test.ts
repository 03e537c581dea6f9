import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../scripts/testing/property-runs.ts';
import { splitThinkTags, thinkTagSplitter } from './split-think-tags.ts';

test.each([
  ['plain', '', 'plain'],
  ['<think>hm</think>\n\nTwelve.', 'hm', 'Twelve.'],
  ['\n<think>\nhm\n</think>Twelve.', 'hm', 'Twelve.'],
  ['<think></think>Twelve.', '', 'Twelve.'],
  ['<think>cut off', 'cut off', ''],
  ['SELECT 1 -- <think>no</think>', '', 'SELECT 1 -- <think>no</think>'],
  ['<thinking>no</thinking>', '', '<thinking>no</thinking>'],
  ['', '', ''],
])('%j', (content, reasoning, text) => {
  expect(splitThinkTags(content)).toEqual({ reasoning, text });
});

test('the deltas of a stream add up to the same, however it is cut', () => {
  const pieces = array(constantFrom('<think>', '</think>', '<', '/', 'think', '>', ' ', '\n', 'a', 'SELECT 1', '🦊'), {
    maxLength: 12,
  });
  assert(
    property(tuple(pieces, string()), ([list, rest]) => {
      const split = thinkTagSplitter();
      let content = '';
      const sums = { 'text-delta': '', 'reasoning-delta': '' };
      for (const piece of [...list, rest]) {
        content += piece;
        for (const delta of split(content)) sums[delta.type] += delta.text;
      }
      for (const delta of split(content, true)) sums[delta.type] += delta.text;
      expect({ reasoning: sums['reasoning-delta'], text: sums['text-delta'] }).toEqual(splitThinkTags(content));
    }),
    { numRuns: propertyRuns(500) },
  );
});
