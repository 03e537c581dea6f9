import { expect, it } from 'vitest';
import { COUNT_SUPERLATIVE } from './question-cues.ts';

it('the largest number of things is no size, and the largest thing is', () => {
  const bare = (question: string): string => question.replaceAll(COUNT_SUPERLATIVE, '');
  expect(bare('the language of the largest number of nations')).toBe('the language of the  of nations');
  expect(bare('the largest country')).toBe('the largest country');
});
