import { createHash } from 'node:crypto';
import type { Message } from '@askema/core';
import type { OpenAiSettings } from './openai-settings.ts';

/**
 * Requests with one key go where the beginning of their prompt is kept
 * (https://developers.openai.com/api/docs/guides/prompt-caching). It is a digest of what stands up to the first end of a
 * prefix; other servers may not know the field.
 */
export function cacheKey(
  messages: readonly Message[],
  { vendor }: Pick<OpenAiSettings, 'vendor'>,
): { readonly prompt_cache_key?: string } {
  if (!vendor) return {};
  const hash = createHash('sha256');
  for (const { content } of messages)
    for (const part of content) {
      if (!('text' in part)) continue;
      hash.update(part.text);
      if ('endsPrefix' in part && part.endsPrefix) return { prompt_cache_key: hash.digest('hex').slice(0, 32) };
    }
  return {};
}
