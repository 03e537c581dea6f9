/** Tokens of one or several calls. What a provider did not report is undefined, never 0. */
export interface Usage {
  /** All prompt tokens, cached ones included. */
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** The part of `inputTokens` that was read from the provider's cache. */
  readonly cachedInputTokens?: number | undefined;
  /** The part of `inputTokens` that was written to the provider's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** The part of `outputTokens` that was spent on reasoning. */
  readonly reasoningTokens?: number | undefined;
}

/** Nothing known. */
export const UNKNOWN_USAGE: Usage = {};

const FIELDS = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** The sum by field. A field that no call reported stays undefined. */
export function addUsage(...usages: readonly Usage[]): Usage {
  const sum: Partial<Record<(typeof FIELDS)[number], number>> = {};
  for (const usage of usages) {
    for (const field of FIELDS) {
      const value = usage[field];
      if (value !== undefined) sum[field] = (sum[field] ?? 0) + value;
    }
  }
  return sum;
}

/** The counts that a provider reported. What is null or left out stays undefined, and what is no count at all. */
export function reportedUsage(counts: Readonly<Record<keyof Usage, number | null | undefined>>): Usage {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => isCount(count)));
}

/** A sum with one that is not a number is none, and a negative one would give a budget back. */
function isCount(count: unknown): boolean {
  return typeof count === 'number' && Number.isFinite(count) && count >= 0;
}
