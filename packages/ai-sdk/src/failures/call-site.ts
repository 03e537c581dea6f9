import type { runCall } from '@askema/core';
import type { ModelSettings } from '../sdk-model.ts';
import { SDK_FAILURE_RULES } from './failure-rules.ts';

/** What core needs to run a call and to tell its failure. The SDK keeps its address, until it names it in an error. */
export function callSite(settings: ModelSettings): Parameters<typeof runCall>[0] {
  return {
    model: `${settings.provider}:${settings.model}`,
    url: settings.mark,
    urlOf: (error) => {
      const { url } = (error ?? {}) as { readonly url?: unknown };
      return typeof url === 'string' ? url : undefined;
    },
    timeoutMs: settings.timeoutMs,
    secrets: [],
    rules: SDK_FAILURE_RULES,
    // `callSdk` has read them.
    readVendorError: () => undefined,
  };
}
