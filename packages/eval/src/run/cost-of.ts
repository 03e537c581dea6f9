import type { Usage } from '@askema/core';

/** US dollars per million tokens. */
export interface EvaluationPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Default: the price of other input. */
  readonly cachedInputPerMillion?: number | undefined;
}

/** US dollars for this usage; undefined when the provider did not say how many tokens there were. */
export function costOf(usage: Usage, prices: EvaluationPrices): number | undefined {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return undefined;
  const cached = usage.cachedInputTokens ?? 0;
  const input = Math.max(0, (usage.inputTokens ?? 0) - cached);
  const dollars =
    input * prices.inputPerMillion +
    cached * (prices.cachedInputPerMillion ?? prices.inputPerMillion) +
    (usage.outputTokens ?? 0) * prices.outputPerMillion;
  return dollars / 1_000_000;
}
