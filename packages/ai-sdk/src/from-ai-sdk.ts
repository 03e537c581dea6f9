import type { LanguageModelV4 } from '@ai-sdk/provider';
import { type LanguageModel, type ModelCapabilities, runCall, runStream } from '@askema/core';
import { callSdk } from './failures/call-sdk.ts';
import { callSite } from './failures/call-site.ts';
import { callOptions } from './language/call-options.ts';
import { sdkResult } from './language/sdk-result.ts';
import { sdkStream } from './language/sdk-stream.ts';
import { type AiSdkLanguageModel, type AiSdkProviderOptions, type CommonOptions, modelSettings } from './sdk-model.ts';

/** A model that streams. */
export type AiSdkModel = LanguageModel & Required<Pick<LanguageModel, 'stream'>>;

export interface AiSdkOptions extends CommonOptions {
  /**
   * What to tell callers. Default: what the model says itself (some say that they cannot be held to a schema); the rest is
   * unknown, so it is tried.
   */
  readonly capabilities?: ModelCapabilities | undefined;
  /**
   * Provider options for the part of a prompt that further requests begin with, up to its end. Anthropic keeps it for
   * five minutes with `{ anthropic: { cacheControl: { type: 'ephemeral' } } }`. Default: none.
   */
  readonly prefixOptions?: AiSdkProviderOptions | undefined;
}

/**
 * A language model of the AI SDK (versions 6 and 7) as one of Askema. It never retries: wrap it in `withRetry`. A
 * request's `providerOptions` go to the SDK as they are, by the names that its providers look for.
 *
 * Throws `CONFIG_INVALID` for what is no such model (a model of AI SDK 5, a name) and for a time limit that is no time.
 * Calls reject with `MODEL_AUTHENTICATION`, `MODEL_NOT_FOUND`, `MODEL_RATE_LIMITED`, `MODEL_UNAVAILABLE`,
 * `MODEL_TIMEOUT`, `MODEL_CONTEXT_TOO_LONG`, `MODEL_CONTENT_FILTERED`, `MODEL_REQUEST_INVALID`, `MODEL_REQUEST_FAILED`,
 * `CAPABILITY_UNSUPPORTED` or `ABORTED`.
 */
export function fromAiSdk(model: AiSdkLanguageModel, options: AiSdkOptions = {}): AiSdkModel {
  const settings = { ...modelSettings(model, 'language', options), prefixOptions: options.prefixOptions };
  const site = callSite(settings);
  const sdk = model as unknown as LanguageModelV4;
  return {
    contract: 1,
    provider: settings.provider,
    modelId: settings.model,
    capabilities: options.capabilities ?? ownCapabilities(model as object),
    generate: (request) =>
      runCall(site, request, async (signal) =>
        sdkResult(
          await callSdk(() => sdk.doGenerate(callOptions(request, settings, signal)), signal),
          request,
          settings,
        ),
      ),
    stream: (request) =>
      runStream(site, request, async function* (signal) {
        const answer = await callSdk(() => sdk.doStream(callOptions(request, settings, signal)), signal);
        yield* sdkStream(answer, { request, settings, signal });
      }),
  };
}

/** No part of the specification, but providers of servers that they do not know have it. */
function ownCapabilities(model: { readonly supportsStructuredOutputs?: unknown }): ModelCapabilities {
  return model.supportsStructuredOutputs === false ? { structuredOutput: false } : {};
}
