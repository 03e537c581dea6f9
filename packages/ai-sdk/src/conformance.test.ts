import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type LanguageModel, withDefaults } from '@askema/core';
import { describeModel, type ModelFactoryOptions } from '@askema/testkit';
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import { createOpenAICompatible as createOpenAICompatibleV3 } from 'openai-compatible-v3';
import { fromAiSdk } from './from-ai-sdk.ts';
import { countingFetch } from './test-support/counting-fetch.ts';

const compatible = ({ origin, apiKey }: ModelFactoryOptions) => ({
  name: 'local',
  baseURL: `${origin}/v1`,
  apiKey,
  supportsStructuredOutputs: true,
  includeUsage: true,
});

describeModel('1: the mock of AI SDK 7', (options) => {
  const wire = createOpenAICompatible(compatible(options))('qwen3:8b');
  const { provider, modelId } = wire;
  const mock = new MockLanguageModelV4({
    provider,
    modelId,
    doGenerate: (call) => wire.doGenerate(call),
    doStream: (call) => wire.doStream(call),
  });
  return fromAiSdk(mock, { timeoutMs: options.timeoutMs });
});

// The mock has the types of another copy of the same contract.
describeModel('2: the mock of AI SDK 6', (options) => {
  const wire = createOpenAICompatibleV3(compatible(options))('qwen3:8b');
  const { provider, modelId } = wire;
  const mock = new MockLanguageModelV3({
    provider,
    modelId,
    doGenerate: (call) => wire.doGenerate(call as never),
    doStream: (call) => wire.doStream(call as never),
  });
  return fromAiSdk(mock, { timeoutMs: options.timeoutMs });
});

describeModel(
  '12: AI SDK 7, @ai-sdk/openai, responses',
  ({ origin, apiKey, timeoutMs }): LanguageModel => {
    const { responses } = createOpenAI({ baseURL: `${origin}/v1`, apiKey });
    const providerOptions = { openai: { store: false } };
    return withDefaults(fromAiSdk(responses('gpt-5-mini'), { timeoutMs }), { providerOptions });
  },
  { expectedFailures: { text: 'the package gives no word of the vendor for an ordinary end' } },
);

const noReasoning = 'over chat completions @ai-sdk/openai reads no reasoning: OpenAI sends none there';
describeModel(
  '12: AI SDK 7, @ai-sdk/openai, chat completions',
  ({ origin, apiKey, timeoutMs }) =>
    fromAiSdk(createOpenAI({ baseURL: `${origin}/v1`, apiKey }).chat('gpt-4.1-mini'), { timeoutMs }),
  {
    expectedFailures: {
      reasoning: noReasoning,
      'reasoning-round-trip': noReasoning,
      'stream-equals-generate': noReasoning,
    },
  },
);

describeModel(
  '12: AI SDK 7, @ai-sdk/anthropic',
  ({ origin, apiKey, timeoutMs }) => {
    const anthropic = createAnthropic({ baseURL: `${origin}/v1`, apiKey, fetch: countingFetch });
    return fromAiSdk(anthropic('claude-sonnet-4-6'), { timeoutMs });
  },
  {
    expectedFailures: {
      'unknown-usage': 'Anthropic counts every message, and its package refuses one without counts',
      'provider-options': 'the package takes named options (`metadata.userId`) and puts nothing else into the body',
    },
  },
);

describeModel('12: AI SDK 7, @ai-sdk/openai-compatible', (options) =>
  fromAiSdk(createOpenAICompatible(compatible(options))('qwen3:8b'), { timeoutMs: options.timeoutMs }),
);
