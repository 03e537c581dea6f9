import { AskemaError, type Budget, createBudget, type Runtime, type TokenPrices } from '@askema/core';
import type { CallerLimits } from '../contract.ts';
import { StatementSlots } from './statement-slots.ts';
import { TokenBucket } from './token-bucket.ts';

const DAY_MS = 86_400_000;
/** Where nothing is set. The PostgreSQL adapter has eight places for statements: half of them are left to colleagues. */
const DEFAULTS = { statementsAtOnce: 4, questionsAtOnce: 16 };
/** When to try again where nobody knows when a place becomes free. */
const SOON_MS = 1_000;

export interface UsageOptions {
  readonly limits: CallerLimits;
  readonly prices?: TokenPrices | undefined;
  readonly runtime: Pick<Runtime, 'clock' | 'sleep'>;
}

/** What of a statement is held against the limits until it has ended. */
export interface HeldStatement {
  /** Once, with the bytes that it scanned; where the engine does not say, what was held counts. */
  settle(bytes: number | undefined): void;
}

/** What one caller has used. */
export class CallerUsage {
  readonly #options: UsageOptions;
  /** With their defaults. */
  readonly #limits: CallerLimits;
  readonly #requests: TokenBucket | undefined;
  readonly #questions: TokenBucket | undefined;
  readonly #statements: TokenBucket | undefined;
  readonly #slots: StatementSlots | undefined;
  #asking = 0;
  #day: { readonly number: number; bytes: number; readonly budget: Budget | undefined };

  constructor(options: UsageOptions) {
    this.#options = options;
    const { statementsAtOnce = DEFAULTS.statementsAtOnce, questionsAtOnce = DEFAULTS.questionsAtOnce } = options.limits;
    this.#limits = { ...options.limits, statementsAtOnce, questionsAtOnce };
    const now = this.#now();
    const bucketOf = (perMinute: number | undefined) =>
      perMinute === undefined ? undefined : new TokenBucket(perMinute, now);
    this.#requests = bucketOf(this.#limits.requestsPerMinute);
    this.#questions = bucketOf(this.#limits.questionsPerMinute);
    this.#statements = bucketOf(this.#limits.statementsPerMinute);
    this.#slots = statementsAtOnce === false ? undefined : new StatementSlots(statementsAtOnce);
    this.#day = this.#newDay(now);
  }

  /** True when forgetting it changes nothing. */
  isForgettable(now: number): boolean {
    if (this.#slots?.isIdle === false || this.#asking > 0) return false;
    const buckets = [this.#requests, this.#questions, this.#statements];
    if (buckets.some((bucket) => bucket?.isFull(now) === false)) return false;
    const { budget, bytes, number } = this.#day;
    return number !== dayOf(now) || ((budget === undefined || budget.spent().calls === 0) && bytes === 0);
  }

  /** Whether bytes are limited. */
  get countsBytes(): boolean {
    return this.#limits.bytesPerDay !== undefined;
  }

  /** Tokens and money of today; undefined where neither is limited. */
  budget(): Budget | undefined {
    return this.#today().budget;
  }

  /** Counts a request. @throws AskemaError `LIMIT_EXCEEDED` when it comes too soon. */
  beginRequest(): void {
    const wait = this.#requests?.take(this.#now());
    if (wait !== undefined) throw this.#exceeded('requestsPerMinute', wait);
  }

  /** Takes a place for a question; the result gives it back. @throws AskemaError `LIMIT_EXCEEDED` when none is free. */
  holdQuestion(): () => void {
    const { questionsAtOnce } = this.#limits;
    if (typeof questionsAtOnce === 'number' && this.#asking >= questionsAtOnce)
      throw this.#exceeded('questionsAtOnce', SOON_MS);
    this.#asking += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#asking -= 1;
      isOver = true;
    };
  }

  /** @throws AskemaError `LIMIT_EXCEEDED` when a question may not begin. */
  beginQuestion(): void {
    this.checkQuestion();
    this.#questions?.take(this.#now());
  }

  /** Counts nothing. @throws AskemaError `LIMIT_EXCEEDED` when a question could not begin now. */
  checkQuestion(): void {
    const now = this.#now();
    const { tokensPerDay, costUsdPerDay } = this.#limits;
    const spent = this.budget()?.spent();
    const tokens = (spent?.inputTokens ?? 0) + (spent?.outputTokens ?? 0);
    if (tokensPerDay !== undefined && tokens >= tokensPerDay) throw this.#exceeded('tokensPerDay', untilTomorrow(now));
    if (costUsdPerDay !== undefined && (spent?.costUsd ?? 0) >= costUsdPerDay)
      throw this.#exceeded('costUsdPerDay', untilTomorrow(now));
    const wait = this.#questions?.wait(now);
    if (wait !== undefined) throw this.#exceeded('questionsPerMinute', wait);
  }

  /**
   * Waits for a place, at most so many milliseconds. `estimatedBytes` are held. Rejects with `LIMIT_EXCEEDED` when the
   * statement may not run, and with `ABORTED` when the signal fires.
   */
  async beginStatement(
    estimatedBytes: number,
    signal: AbortSignal | undefined,
    timeoutMs?: number,
  ): Promise<HeldStatement> {
    const now = this.#now();
    const { bytesPerDay } = this.#limits;
    const day = this.#today();
    if (bytesPerDay !== undefined && (day.bytes >= bytesPerDay || day.bytes + estimatedBytes > bytesPerDay))
      throw this.#exceeded('bytesPerDay', untilTomorrow(now));
    const wait = this.#statements?.take(now);
    if (wait !== undefined) throw this.#exceeded('statementsPerMinute', wait);
    day.bytes += estimatedBytes;
    const leave = await this.#slots?.enter(signal, timeoutMs).catch((thrown: unknown) => {
      day.bytes -= estimatedBytes;
      throw thrown;
    });
    if (this.#slots !== undefined && leave === undefined) {
      day.bytes -= estimatedBytes;
      throw this.#exceeded('statementsAtOnce', SOON_MS);
    }
    let settled = false;
    return {
      settle(bytes = estimatedBytes) {
        if (settled) return;
        settled = true;
        day.bytes += bytes - estimatedBytes;
        leave?.();
      },
    };
  }

  #exceeded(limit: keyof CallerLimits, retryAfterMs: number): AskemaError {
    const seconds = Math.ceil(retryAfterMs / 1000);
    return new AskemaError(
      'LIMIT_EXCEEDED',
      `The limit \`${limit}\` of this caller, ${this.#limits[limit]}, is used up. Try again in ${seconds} s, or ask whoever runs the server for more.`,
      { retryable: true, details: { limit, retryAfterMs } },
    );
  }

  #now(): number {
    return this.#options.runtime.clock.now();
  }

  #today() {
    const now = this.#now();
    if (this.#day.number !== dayOf(now)) this.#day = this.#newDay(now);
    return this.#day;
  }

  #newDay(now: number) {
    const { limits, prices, runtime } = this.#options;
    const { tokensPerDay: maxTokens, costUsdPerDay: maxCostUsd } = limits;
    const isLimited = maxTokens !== undefined || maxCostUsd !== undefined;
    const budget = isLimited ? createBudget({ maxTokens, maxCostUsd, prices, runtime }) : undefined;
    return { number: dayOf(now), bytes: 0, budget };
  }
}

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

function untilTomorrow(now: number): number {
  return (dayOf(now) + 1) * DAY_MS - now;
}
