import { loadPeer } from '@askema/core';
import type { OpenAiClient, OpenAiOptions } from './openai-options.ts';
import type { OpenAiSettings } from './openai-settings.ts';

/**
 * Loads the SDK and makes a client that never retries by itself and logs nothing. Rejects with `DEPENDENCY_MISSING`.
 *
 * Node's own `fetch` gives up after five minutes without response headers, whatever the client's timeout; the transport made here
 * leaves the deadline to us (https://github.com/openai/openai-node#timeouts).
 */
export async function loadClient(
  options: OpenAiOptions,
  settings: OpenAiSettings,
  apiKey: string,
): Promise<OpenAiClient> {
  const { default: OpenAI } = await loadPeer(() => import('openai'), {
    peer: 'openai',
    range: '^7',
    neededBy: '@askema/openai',
  });
  return new OpenAI({
    apiKey,
    baseURL: settings.url,
    // Null keeps the SDK from sending the ids of the environment to a server that is not OpenAI's.
    ...(options.organization !== undefined || !settings.vendor ? { organization: options.organization ?? null } : {}),
    ...(options.project !== undefined || !settings.vendor ? { project: options.project ?? null } : {}),
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
