import { loadPeer, patientFetch } from '@askema/core';
import type { AnthropicClient, AnthropicOptions } from './anthropic-options.ts';
import type { AnthropicSettings } from './anthropic-settings.ts';

/**
 * Loads the SDK and makes a client that never retries by itself and logs nothing. Rejects with `DEPENDENCY_MISSING`.
 */
export async function loadClient(
  options: AnthropicOptions,
  settings: AnthropicSettings,
  apiKey: string,
): Promise<AnthropicClient> {
  const { default: Anthropic } = await loadPeer(() => import('@anthropic-ai/sdk'), {
    peer: '@anthropic-ai/sdk',
    range: '^1',
    neededBy: '@askema/anthropic',
  });
  return new Anthropic({
    apiKey,
    baseURL: settings.url,
    defaultHeaders: { ...options.headers },
    maxRetries: 0,
    logLevel: 'off',
    // Spans are for @askema/otel. The vendor gets no trace, and no baggage of it.
    openTelemetry: false,
    ...(options.fetch === undefined ? await patientFetch(() => import('undici')) : { fetch: options.fetch }),
  });
}
