import { expect, test } from 'vitest';
import type { OpenAiOptions } from './openai-options.ts';
import { openAiKey, openAiSettings } from './openai-settings.ts';

const KEY = 'environment-key';
const keyOf = (options: Partial<OpenAiOptions>, environment: Record<string, string> = { OPENAI_API_KEY: KEY }) => {
  const all = { model: 'gpt-6-luna', ...options };
  return openAiKey(all, openAiSettings(all, environment), environment);
};

test('responses at OpenAI itself, chat completions everywhere else, unless the caller says', () => {
  const apiOf = (options: Partial<OpenAiOptions>) => openAiSettings({ model: 'm', ...options }, {}).api;
  expect(apiOf({})).toBe('responses');
  expect(apiOf({ baseURL: 'https://us.api.openai.com/v1' })).toBe('responses');
  expect(apiOf({ baseURL: 'http://127.0.0.1:11434/v1' })).toBe('chat');
  expect(apiOf({ baseURL: 'https://notopenai.com/v1' })).toBe('chat');
  expect(apiOf({ api: 'chat' })).toBe('chat');
});

test('the key of the environment goes to OpenAI and to the server that the environment names, to no other', () => {
  expect(keyOf({})).toBe(KEY);
  expect(keyOf({ apiKey: 'own' })).toBe('own');
  expect(keyOf({ baseURL: 'https://models.example/v1' })).toBe('none');
  expect(keyOf({ baseURL: 'https://models.example/v1', apiKey: 'own' })).toBe('own');
  expect(keyOf({}, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'https://models.example/v1' })).toBe(KEY);
  expect(keyOf({}, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://localhost:8080/v1' })).toBe('none');
});

test('no key at OpenAI: says where to put one', () => {
  expect(() => keyOf({}, {})).toThrow(/OPENAI_API_KEY.*apiKey.*baseURL/);
  expect(() => keyOf({}, {})).toThrow(expect.objectContaining({ code: 'MODEL_AUTHENTICATION', retryable: false }));
});

test.each([
  [{ baseURL: 'localhost:11434' }, /`baseURL` is "localhost:11434"; it must begin with http/],
  [{ baseURL: '/v1' }, /`baseURL` is "\/v1"/],
  [{ model: ' ' }, /`model` is empty/],
  [{ timeoutMs: 0 }, /`timeoutMs` is 0/],
  [{ timeoutMs: Number.NaN }, /`timeoutMs` is NaN/],
])('%j is a mistake of the configuration', (options, message) => {
  expect(() => openAiSettings({ model: 'm', ...options }, {})).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
  );
});

test('no deadline is a time limit too', () => {
  expect(openAiSettings({ model: 'm', timeoutMs: Number.POSITIVE_INFINITY }, {}).timeoutMs).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test('capabilities follow from the traits, and can be said', () => {
  expect(openAiSettings({ model: 'gpt-6-luna' }, {}).capabilities).toMatchObject({
    reasoning: true,
    structuredOutput: true,
  });
  expect(openAiSettings({ model: 'gpt-4-turbo' }, {}).capabilities).toMatchObject({ structuredOutput: false });
  expect(openAiSettings({ model: 'qwen3:8b' }, {}).capabilities.structuredOutput).toBeUndefined();
  expect(openAiSettings({ model: 'gpt-6-astra', api: 'chat' }, {}).capabilities.tools).toBe(false);
  expect(openAiSettings({ model: 'gpt-6-astra' }, {}).capabilities.tools).toBe(true);
  expect(openAiSettings({ model: 'gpt-6-luna', api: 'chat' }, {}).capabilities.tools).toBeUndefined();
  expect(openAiSettings({ model: 'gpt-4o', api: 'chat' }, {}).capabilities.tools).toBe(true);
  const local = { model: 'gpt-4o', baseURL: 'http://127.0.0.1:11434/v1' };
  expect(openAiSettings(local, {}).capabilities.tools).toBeUndefined();
  expect(openAiSettings({ model: 'm', capabilities: { contextTokens: 8192 } }, {}).capabilities).toEqual({
    contextTokens: 8192,
  });
});
