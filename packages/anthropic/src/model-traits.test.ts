import { traitsOf } from '@askema/core';
import { expect, test } from 'vitest';
import { ANTHROPIC_MODEL_TRAITS, DEFAULT_ANTHROPIC_TRAITS } from './model-traits.ts';

const traits = (model: string) => traitsOf(model, ANTHROPIC_MODEL_TRAITS, DEFAULT_ANTHROPIC_TRAITS);

test.each([
  ['claude-3-haiku-20240307', 'both', true, 'tool', false],
  ['claude-3-5-sonnet-latest', 'both', true, 'tool', false],
  ['claude-3-7-sonnet-20250219', 'both', true, 'tool', false],
  ['claude-sonnet-4-20250514', 'both', true, 'tool', false],
  ['claude-opus-4-0', 'both', true, 'tool', false],
  ['claude-opus-4-1-20250805', 'one', true, 'tool', false],
  ['claude-haiku-4-5-20251001', 'one', true, 'native', false],
  ['claude-sonnet-4-6', 'one', true, 'native', false],
  ['us.anthropic.claude-sonnet-4-6', 'one', true, 'native', false],
  ['claude-opus-4-7', 'none', true, 'native', true],
  ['claude-opus-4-8', 'none', true, 'native', true],
  ['claude-mythos-preview', 'none', true, 'native', true],
  ['claude-opus-5', 'none', true, 'native', true],
  ['anthropic/claude-sonnet-5', 'none', true, 'native', true],
  ['claude-sonnet-5-20260701', 'none', true, 'native', true],
  ['claude-fable-5', 'none', true, 'native', true],
  ['claude-fable-5-1', 'none', false, 'native', true],
  ['claude-mythos-5-2', 'none', false, 'native', true],
  ['claude-opus-5-5', 'none', false, 'native', true],
  ['claude-haiku-5-5', 'none', false, 'native', true],
  ['claude-opus-6', 'none', false, 'native', true],
  ['qwen3:8b', 'both', true, 'instructions', undefined],
] as const)('%s', (model, sampling, forcedTools, structuredOutput, reasoning) => {
  expect(traits(model)).toMatchObject({ sampling, forcedTools, structuredOutput, reasoning });
});
