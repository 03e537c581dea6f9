import { type LanguageModel, lazyClient, runCall, runStream, sdkRequestOptions } from '@askema/core';
import type { AnthropicClient, AnthropicOptions } from './anthropic-options.ts';
import { type AnthropicSettings, anthropicKey, anthropicSettings } from './anthropic-settings.ts';
import { ANTHROPIC_FAILURE_RULES } from './failure-rules.ts';
import { loadClient } from './load-client.ts';
import { messageRequest } from './messages/message-request.ts';
import { messageResult } from './messages/message-result.ts';
import { type MessageEvent, messageStream } from './messages/message-stream.ts';
import { readVendorError } from './read-vendor-error.ts';

/** A model that streams. */
export type AnthropicModel = LanguageModel & Required<Pick<LanguageModel, 'stream'>>;

/**
 * A model of Anthropic, or of any server that speaks its messages API, over the official SDK, which is loaded at the
 * first call. It never retries: wrap it in `withRetry`.
 *
 * Throws `CONFIG_INVALID` for an invalid base URL, model or time limit. Calls reject with `DEPENDENCY_MISSING`,
 * `MODEL_AUTHENTICATION`, `MODEL_NOT_FOUND`, `MODEL_RATE_LIMITED`, `MODEL_UNAVAILABLE`, `MODEL_TIMEOUT`,
 * `MODEL_CONTEXT_TOO_LONG`, `MODEL_CONTENT_FILTERED`, `MODEL_REQUEST_INVALID`, `MODEL_REQUEST_FAILED` or `ABORTED`.
 */
export function anthropic(options: AnthropicOptions): AnthropicModel {
  const settings = anthropicSettings(options, process.env);
  const clientOf = clientSource(options, settings);
  return {
    contract: 1,
    provider: settings.provider,
    modelId: settings.model,
    capabilities: settings.capabilities,
    async generate(request) {
      const { client, site } = await clientOf();
      return runCall(site, request, async (signal) => {
        const { body, plan, warnings } = messageRequest(request, settings);
        const message = await client.messages.create(body, sdkRequestOptions(settings, request, signal));
        return messageResult(message, { settings, plan, warnings });
      });
    },
    async *stream(request) {
      const { client, site } = await clientOf();
      yield* runStream(site, request, async function* (signal) {
        const { body, plan, warnings } = messageRequest(request, settings);
        const events = await client.messages.create(
          { ...body, stream: true },
          sdkRequestOptions(settings, request, signal),
        );
        yield* messageStream(events as AsyncIterable<MessageEvent>, { settings, plan, warnings });
      });
    },
  };
}

function clientSource(options: AnthropicOptions, settings: AnthropicSettings) {
  return lazyClient<AnthropicClient>({
    client: options.client,
    findKey: () => anthropicKey(options, settings, process.env),
    load: (key) => loadClient(options, settings, key),
    headers: options.headers,
    site: {
      model: `${settings.provider}:${settings.model}`,
      url: settings.url,
      timeoutMs: settings.timeoutMs,
      rules: ANTHROPIC_FAILURE_RULES,
      readVendorError,
    },
  });
}
