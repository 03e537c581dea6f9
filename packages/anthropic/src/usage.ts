import { reportedUsage, type Usage } from '@askema/core';

/** Token counts as the messages API sends them; every one may be missing. */
export interface MessageUsage {
  readonly input_tokens?: number | null | undefined;
  readonly output_tokens?: number | null | undefined;
  readonly cache_read_input_tokens?: number | null | undefined;
  readonly cache_creation_input_tokens?: number | null | undefined;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null | undefined } | null | undefined;
}

/**
 * What was not reported stays undefined. The vendor counts input that was read from or written to the cache apart from
 * the rest; ours is all of it.
 */
export function messageUsage(usage: MessageUsage | null | undefined): Usage {
  const input = usage?.input_tokens;
  const read = usage?.cache_read_input_tokens;
  const written = usage?.cache_creation_input_tokens;
  return reportedUsage({
    inputTokens: typeof input === 'number' ? input + (read ?? 0) + (written ?? 0) : undefined,
    outputTokens: usage?.output_tokens,
    cachedInputTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: usage?.output_tokens_details?.thinking_tokens,
  });
}
