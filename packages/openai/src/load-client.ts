import { loadPeer, patientFetch } from '@askema/core';
import type OpenAI from 'openai';
import type { OpenAiServerOptions } from './openai-options.ts';
import type { OpenAiSettings } from './openai-settings.ts';

/**
 * Loads the SDK and makes a client that never retries by itself and logs nothing. Rejects with `DEPENDENCY_MISSING`.
 */
export async function loadClient(
  options: OpenAiServerOptions,
  settings: OpenAiSettings,
  apiKey: string,
): Promise<OpenAI> {
  const { default: Client } = await loadPeer(() => import('openai'), {
    peer: 'openai',
    range: '^7',
    neededBy: '@askema/openai',
  });
  return new Client({
    apiKey,
    baseURL: settings.url,
    // Null keeps the SDK from sending the ids of the environment to a server that is not OpenAI's.
    ...(options.organization !== undefined || !settings.vendor ? { organization: options.organization ?? null } : {}),
    ...(options.project !== undefined || !settings.vendor ? { project: options.project ?? null } : {}),
    defaultHeaders: { ...options.headers },
    maxRetries: 0,
    logLevel: 'off',
    ...(options.fetch === undefined ? await patientFetch(() => import('undici')) : { fetch: options.fetch }),
  });
}
