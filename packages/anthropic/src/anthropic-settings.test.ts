import { expect, test } from 'vitest';
import type { AnthropicOptions } from './anthropic-options.ts';
import { anthropicKey, anthropicSettings } from './anthropic-settings.ts';

const KEY = 'environment-key';
const keyOf = (
  options: Partial<AnthropicOptions>,
  environment: Record<string, string> = { ANTHROPIC_API_KEY: KEY },
) => {
  const all = { model: 'claude-opus-5-5', ...options };
  return anthropicKey(all, anthropicSettings(all, environment), environment);
};

test('the key of the environment goes to Anthropic and to the server that the environment names, to no other', () => {
  expect(keyOf({})).toBe(KEY);
  expect(keyOf({ apiKey: 'own' })).toBe('own');
  expect(keyOf({ baseURL: 'https://models.example' })).toBe('none');
  expect(keyOf({}, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'https://models.example' })).toBe(KEY);
  expect(keyOf({}, { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://localhost:11434' })).toBe('none');
});

test('no key at Anthropic: says where to put one', () => {
  expect(() => keyOf({}, {})).toThrow(
    expect.objectContaining({
      code: 'MODEL_AUTHENTICATION',
      message: expect.stringMatching(/ANTHROPIC_API_KEY.*apiKey/),
    }),
  );
});

test.each([
  [{ baseURL: 'localhost:11434' }, /`baseURL` is "localhost:11434"; it must begin with http/],
  [{ baseURL: '/v1' }, /`baseURL` is "\/v1"/],
  [{ model: ' ' }, /`model` is empty/],
  [{ timeoutMs: 0 }, /`timeoutMs` is 0/],
  [{ timeoutMs: Number.NaN }, /`timeoutMs` is NaN/],
])('%j is a mistake of the configuration', (options, message) => {
  expect(() => anthropicSettings({ model: 'm', ...options }, {})).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  );
});

test('no deadline is a time limit too', () => {
  expect(anthropicSettings({ model: 'm', timeoutMs: Number.POSITIVE_INFINITY }, {}).timeoutMs).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test('the output limit: said, or by the model', () => {
  const limitOf = (model: string, maxOutputTokens?: number) =>
    anthropicSettings({ model, maxOutputTokens }, {}).maxOutputTokens;
  expect([limitOf('claude-opus-5-5'), limitOf('claude-3-haiku-20240307'), limitOf('claude-opus-5-5', 64_000)]).toEqual([
    16_000, 4_096, 64_000,
  ]);
});

test('capabilities follow from the traits, and can be said', () => {
  expect(anthropicSettings({ model: 'claude-opus-5-5' }, {}).capabilities).toMatchObject({
    reasoning: true,
    structuredOutput: true,
  });
  expect(anthropicSettings({ model: 'qwen3:8b' }, {}).capabilities.structuredOutput).toBe(false);
  expect(anthropicSettings({ model: 'm', capabilities: { tools: false } }, {}).capabilities).toEqual({ tools: false });
});
