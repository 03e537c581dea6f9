import { traitsOf } from '@askema/core';
import { expect, test } from 'vitest';
import { DEFAULT_OPENAI_TRAITS, OPENAI_MODEL_TRAITS } from './model-traits.ts';

const traits = (model: string) => traitsOf(model, OPENAI_MODEL_TRAITS, DEFAULT_OPENAI_TRAITS);

test.each([
  ['gpt-4.1-mini', false, 'always'],
  ['gpt-4o-2024-08-06', false, 'always'],
  ['ft:gpt-4o-mini-2024-07-18:acme::1', false, 'always'],
  ['gpt-5-chat-latest', false, 'always'],
  ['gpt-5', true, 'never'],
  ['gpt-5-nano-2025-08-07', true, 'never'],
  ['gpt-5-pro', true, 'never'],
  ['openai/gpt-5-mini', true, 'never'],
  ['o1', true, 'never'],
  ['o4-mini', true, 'never'],
  ['gpt-5.1', true, 'effort-none'],
  ['gpt-5.4-mini', true, 'effort-none'],
  ['gpt-5.6-luna', true, 'effort-none'],
  ['gpt-6-sol', true, 'effort-none'],
  ['gpt-6.1-terra', true, 'effort-none'],
  ['gpt-7', true, 'effort-none'],
  ['gpt-oss:20b', true, 'always'],
  ['qwen3:8b', undefined, 'always'],
  ['llama3.3', undefined, 'always'],
] as const)('%s: reasoning %s, sampling %s', (model, reasoning, sampling) => {
  expect(traits(model)).toMatchObject({ reasoning, sampling });
});

test('tools over chat completions', () => {
  const chatTools = (model: string) => traits(model).chatTools;
  expect(['gpt-6-astra', 'gpt-6.1-sol', 'gpt-6.2-astra'].map(chatTools)).toEqual(['never', 'never', 'never']);
  expect(['gpt-6-sol', 'gpt-6-luna', 'gpt-5.6-terra'].map(chatTools)).toEqual(Array(3).fill('effort-none'));
  expect(['gpt-5.4', 'gpt-4.1', 'llama3.3'].map(chatTools)).toEqual(Array(3).fill('always'));
});

test('the limit goes by the name that the server knows', () => {
  expect(['gpt-4.1', 'gpt-3.5-turbo', 'o3'].map((model) => traits(model).tokenLimit)).toEqual(
    Array(3).fill('max_completion_tokens'),
  );
  expect(['gpt-oss:20b', 'llama3.3'].map((model) => traits(model).tokenLimit)).toEqual(Array(2).fill('max_tokens'));
});

test('structured output came with gpt-4o-2024-08-06', () => {
  expect(['gpt-3.5-turbo', 'gpt-4', 'gpt-4-turbo', 'gpt-4o-2024-05-13'].map((m) => traits(m).structuredOutput)).toEqual(
    Array(4).fill(false),
  );
  expect(['gpt-4o', 'gpt-4.1', 'o3'].map((m) => traits(m).structuredOutput)).toEqual(Array(3).fill(true));
});

test('every row names its source', () => {
  for (const row of OPENAI_MODEL_TRAITS) expect(row.source.length).toBeGreaterThan(20);
});
