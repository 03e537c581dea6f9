import { createRateLimit, type LanguageModel, withRateLimit } from '@askema/core';
import { readCount } from './read-selection.ts';

export interface RateFlags {
  readonly requestsPerMinute?: string | undefined;
  readonly tokensPerMinute?: string | undefined;
}

/**
 * What keeps the calls of a run within the limits of a vendor; undefined where none are given. A call that is tried again counts again.
 *
 * @throws AskemaError `INPUT_INVALID` for a count that is none.
 */
export function readRateLimit(flags: RateFlags): ((model: LanguageModel) => LanguageModel) | undefined {
  const requestsPerMinute = readCount(flags.requestsPerMinute, '--requests-per-minute');
  const tokensPerMinute = readCount(flags.tokensPerMinute, '--tokens-per-minute');
  if (requestsPerMinute === undefined && tokensPerMinute === undefined) return undefined;
  const limit = createRateLimit({ requestsPerMinute, tokensPerMinute });
  return (model) => withRateLimit(model, limit);
}
