import { createAzure } from '@ai-sdk/azure';
import { createGoogle } from '@ai-sdk/google';
import { withDefaults } from '@askema/core';
import { describeModel } from '@askema/testkit';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { fromAiSdk } from './from-ai-sdk.ts';

const noRefusal = 'Gemini has no refusal of its own: it stops with a reason of its filter';
describeModel(
  'AI SDK 7, @ai-sdk/google',
  ({ origin, apiKey, timeoutMs }) =>
    fromAiSdk(createGoogle({ baseURL: `${origin}/v1beta`, apiKey })('gemini-3-pro'), { timeoutMs }),
  {
    expectedFailures: {
      refusal: noRefusal,
      'stream-refusal': noRefusal,
      'content-filter': 'Gemini answers a filtered prompt with its reason: a result, no error',
      'quota-exhausted': 'Gemini says the same of the limit of a minute and of an account',
      'provider-options': 'the package takes named options and puts nothing else into the body',
    },
  },
);

const olderCopy = 'the package has an older copy of @ai-sdk/openai, which does not know it';
describeModel(
  'AI SDK 7, @ai-sdk/azure, responses',
  ({ origin, apiKey, timeoutMs }) => {
    const azure = createAzure({ baseURL: `${origin}/openai`, apiKey });
    return withDefaults(fromAiSdk(azure('gpt-5-mini'), { timeoutMs }), {
      providerOptions: { azure: { store: false } },
    });
  },
  {
    expectedFailures: {
      text: 'the package gives no word of the vendor for an ordinary end',
      refusal: olderCopy,
      'stream-refusal': olderCopy,
    },
  },
);

const noRefusalRead = 'the package does not read `refusal` of chat completions';
const otherFields = 'OpenRouter has fields of its own for reasoning, and the server of the testkit does not send them';
describeModel(
  'AI SDK 7, @openrouter/ai-sdk-provider',
  ({ origin, apiKey, timeoutMs }) =>
    fromAiSdk(createOpenRouter({ baseURL: `${origin}/v1`, apiKey })('openai/gpt-5-mini'), { timeoutMs }),
  {
    expectedFailures: {
      refusal: noRefusalRead,
      'stream-refusal': noRefusalRead,
      reasoning: otherFields,
      'reasoning-round-trip': otherFields,
      'stream-equals-generate': otherFields,
      'unknown-usage': 'the package says 0 for what was not counted; OpenRouter always counts',
    },
  },
);
