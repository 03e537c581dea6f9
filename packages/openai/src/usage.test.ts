import { expect, test } from 'vitest';
import { chatUsage, responsesUsage } from './usage.ts';

test('what is missing or null is unknown; 0 is a count', () => {
  expect(chatUsage(undefined)).toEqual({});
  expect(responsesUsage(null)).toEqual({});
  expect(chatUsage({ prompt_tokens: 5, completion_tokens: null, prompt_tokens_details: null })).toEqual({
    inputTokens: 5,
  });
  expect(
    responsesUsage({ input_tokens: 0, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 3 } }),
  ).toEqual({
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 3,
  });
});
