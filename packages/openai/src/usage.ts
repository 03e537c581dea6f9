import { reportedUsage, type Usage } from '@askema/core';

/** Token counts of chat completions, as OpenAI and compatible servers send them; every one may be missing. */
export interface ChatUsage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/** Token counts of the responses API. */
export interface ResponsesUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly input_tokens_details?: {
    readonly cached_tokens?: number | null;
    readonly cache_write_tokens?: number | null;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/** What was not reported stays undefined. */
export function chatUsage(usage: ChatUsage | null | undefined): Usage {
  return reportedUsage({
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
    cacheWriteTokens: usage?.prompt_tokens_details?.cache_write_tokens,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
  });
}

/** What was not reported stays undefined. */
export function responsesUsage(usage: ResponsesUsage | null | undefined): Usage {
  return reportedUsage({
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    cachedInputTokens: usage?.input_tokens_details?.cached_tokens,
    cacheWriteTokens: usage?.input_tokens_details?.cache_write_tokens,
    reasoningTokens: usage?.output_tokens_details?.reasoning_tokens,
  });
}
