import { type Runtime, systemRuntime, type TokenPrices } from '@askema/core';
import type { Caller, CallerLimits } from '../contract.ts';
import { CallerUsage } from './caller-usage.ts';
import { checkLimits } from './check-limits.ts';
import { LargeResults } from './large-results.ts';

export interface LimiterOptions {
  /** For callers without limits of their own. */
  readonly limits?: CallerLimits | undefined;
  readonly prices?: TokenPrices | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

/** Callers beyond this number are looked through for those of whom nothing counts any more. */
const MANY = 10_000;

/** What each caller has used, in this process: told apart by tenant and subject. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #runtime: Runtime;
  readonly #callers = new Map<string, CallerUsage>();
  #looksAt = MANY;
  readonly large: LargeResults;

  /** @throws AskemaError `CONFIG_INVALID` for a limit that is no number. */
  constructor(options: LimiterOptions) {
    checkLimits('limits', options.limits);
    this.#options = options;
    this.#runtime = systemRuntime(options.runtime);
    this.large = new LargeResults(this.#runtime);
  }

  /** @throws AskemaError `CONFIG_INVALID` for limits of the caller that are no numbers. */
  of(caller: Caller): CallerUsage {
    const limits = caller.limits ?? this.#options.limits ?? {};
    const key = JSON.stringify([caller.tenant ?? null, caller.subject, limits]);
    const known = this.#callers.get(key);
    if (known !== undefined) return known;
    checkLimits('limits', limits);
    this.#forget();
    const usage = new CallerUsage({ limits, prices: this.#options.prices, runtime: this.#runtime });
    this.#callers.set(key, usage);
    return usage;
  }

  #forget(): void {
    if (this.#callers.size < this.#looksAt) return;
    const now = this.#runtime.clock.now();
    for (const [key, usage] of this.#callers) if (usage.isForgettable(now)) this.#callers.delete(key);
    this.#looksAt = Math.max(MANY, 2 * this.#callers.size);
  }
}
