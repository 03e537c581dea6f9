import { expect, test } from 'vitest';
import { type TraitRow, traitsOf } from './model-traits.ts';

interface Traits {
  readonly sampling: boolean;
  readonly limit: string;
}
const defaults: Traits = { sampling: true, limit: 'max_tokens' };
const table: readonly TraitRow<Traits>[] = [
  { pattern: 'big-chat', traits: { limit: 'max' }, source: 'a test' },
  { pattern: 'big', traits: { sampling: false }, source: 'a test' },
];

test.each([
  ['big-chat-1', { sampling: true, limit: 'max' }],
  ['big-2', { sampling: false, limit: 'max_tokens' }],
  ['BIG-2', { sampling: false, limit: 'max_tokens' }],
  ['vendor/big-2', { sampling: false, limit: 'max_tokens' }],
  ['ft:big-2:my-company::1', { sampling: false, limit: 'max_tokens' }],
  ['not-big', { sampling: true, limit: 'max_tokens' }],
])('%s', (modelId, expected) => {
  expect(traitsOf(modelId, table, defaults)).toEqual(expected);
});

test('what the caller says wins; undefined says nothing', () => {
  expect(traitsOf('big-2', table, defaults, { sampling: true })).toEqual({ sampling: true, limit: 'max_tokens' });
  expect(traitsOf('big-2', table, defaults, { sampling: undefined } as object)).toEqual({
    sampling: false,
    limit: 'max_tokens',
  });
});
