import { loadPeer } from '@askema/core';
import type { AnthropicClient, AnthropicOptions } from './anthropic-options.ts';
import type { AnthropicSettings } from './anthropic-settings.ts';

/**
 * Loads the SDK and makes a client that never retries by itself and logs nothing. Rejects with `DEPENDENCY_MISSING`.
 *
 * Node's own `fetch` gives up after five minutes without response headers, whatever the client's timeout; the transport made here
 * leaves the deadline to us.
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
    ...(options.fetch === undefined ? await patientFetch() : { fetch: options.fetch }),
  });
}

async function patientFetch() {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return { fetch: fetch as unknown as typeof globalThis.fetch, fetchOptions: { dispatcher } as object };
}
