import { openai } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createProviderRegistry, customProvider, wrapLanguageModel } from 'ai';
import { MockEmbeddingModelV4, MockLanguageModelV4 } from 'ai/test';
import { expect, test } from 'vitest';
import { embedFromAiSdk } from './embedding/embed-from-ai-sdk.ts';
import { fromAiSdk } from './from-ai-sdk.ts';

const ofVersion = (specificationVersion: unknown) =>
  ({
    specificationVersion,
    provider: 'old.chat',
    modelId: 'm',
    supportedUrls: {},
    doGenerate() {},
    doStream() {},
    doEmbed() {},
  }) as never;

/** It had no `supportedUrls` yet. */
const OF_SDK_4 = { specificationVersion: 'v1', provider: 'old.chat', modelId: 'm', doGenerate() {}, doStream() {} };

const SERVER = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:1/v1' });

test.each([
  [
    'a model of AI SDK 5',
    () => fromAiSdk(ofVersion('v2')),
    /old\.chat:m speaks version v2.*takes v3 and v4.*AI SDK 6 or 7/,
  ],
  ['a model of AI SDK 4', () => fromAiSdk(OF_SDK_4 as never), /old\.chat:m speaks version v1/],
  ['a model of a later one', () => fromAiSdk(ofVersion('v5')), /version v5/],
  ['an embedding model of AI SDK 5', () => embedFromAiSdk(ofVersion('v2')), /embedFromAiSdk.*v3 and v4/],
  ['a name', () => fromAiSdk('openai/gpt-5' as never), /the name 'openai\/gpt-5'.*`gateway\('openai\/gpt-5'\)`/],
  ['a name of vectors', () => embedFromAiSdk('a/b' as never), /openai\.embedding.*`gateway\.embeddingModel\('a\/b'\)`/],
  ['nothing', () => fromAiSdk(undefined as never), /something else: it lacks `doGenerate`, `doStream`/],
  ['a provider', () => fromAiSdk(SERVER as never), /a provider.*`provider\.languageModel\('…'\)`/],
  ['a provider of vectors', () => embedFromAiSdk(SERVER as never), /`provider\.embeddingModel\('…'\)`/],
  ['a registry', () => fromAiSdk(createProviderRegistry({ SERVER }) as never), /a provider/],
  ['a promise', () => fromAiSdk(Promise.resolve(SERVER('m')) as never), /a promise\. Await it/],
  ['a model of ours', () => fromAiSdk(fromAiSdk(SERVER('m')) as never), /used as it is/],
  [
    'a model of images',
    () => fromAiSdk(SERVER.imageModel('flux') as never),
    /local\.image:flux, which is no language model/,
  ],
  [
    'a model of speech',
    () => fromAiSdk(openai.transcription('whisper-1') as never),
    /openai\.transcription:whisper-1, which is no language model/,
  ],
  ['an embedding model', () => fromAiSdk(new MockEmbeddingModelV4() as never), /Give this model to `embedFromAiSdk`/],
  ['a language model', () => embedFromAiSdk(new MockLanguageModelV4() as never), /Give this model to `fromAiSdk`/],
  ['no time', () => fromAiSdk(new MockLanguageModelV4(), { timeoutMs: 0 }), /timeoutMs/],
])('3: %s is refused, and it says what to do', (_, make, message) => {
  expect(make).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }));
});

test('the name is that of the vendor, or another one', () => {
  const mock = new MockLanguageModelV4({ provider: 'openai.responses', modelId: 'gpt-5-mini' });
  expect(fromAiSdk(mock)).toMatchObject({ contract: 1, provider: 'openai', modelId: 'gpt-5-mini', capabilities: {} });
  const named = fromAiSdk(mock, { provider: 'azure', capabilities: { tools: true } });
  expect(named).toMatchObject({ provider: 'azure', capabilities: { tools: true } });
});

test.each([
  ['a registry', createProviderRegistry({ SERVER }).languageModel('SERVER:m')],
  ['a custom provider', customProvider({ languageModels: { small: SERVER('m') } }).languageModel('small')],
  ['a middleware', wrapLanguageModel({ model: SERVER('m'), middleware: [] })],
])('a model of %s has the name of what it wraps', (_, model) => {
  expect(fromAiSdk(model)).toMatchObject({ provider: 'local', modelId: 'm' });
});

test('a server that is not known to take schemas gets them in words', () => {
  expect(fromAiSdk(SERVER('m')).capabilities).toEqual({ structuredOutput: false });
  const settings = { name: 'local', baseURL: 'http://127.0.0.1:1/v1' };
  const known = createOpenAICompatible({ ...settings, supportsStructuredOutputs: true });
  expect(fromAiSdk(known('m')).capabilities).toEqual({});
});
