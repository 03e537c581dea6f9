import { loadPeer, patientFetch } from '@askema/core';
import type OpenAI from 'openai';
import { OPENAI_FAILURE_RULES } from './failure-rules.ts';
import type { OpenAiServerOptions } from './openai-options.ts';
import { type OpenAiSettings, openAiKey } from './openai-settings.ts';
import { readVendorError } from './read-vendor-error.ts';

/** What `lazyClient` of core needs beside a client of one's own. */
export function clientSource(options: OpenAiServerOptions, settings: OpenAiSettings) {
  return {
    findKey: () => openAiKey(options, settings, process.env),
    load: (key: string) => loadClient(options, settings, key),
    headers: options.headers,
    site: {
      model: `${settings.provider}:${settings.model}`,
      url: settings.url,
      timeoutMs: settings.timeoutMs,
      rules: OPENAI_FAILURE_RULES,
      readVendorError,
    },
  };
}

/**
 * Loads the SDK and makes a client that never retries by itself and logs nothing. Rejects with `DEPENDENCY_MISSING`.
 */
async function loadClient(options: OpenAiServerOptions, settings: OpenAiSettings, apiKey: string): Promise<OpenAI> {
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
