import { AskemaError, type Budget, createBudget, type Runtime, type TokenPrices } from '@askema/core';
import type { CallerLimits } from '../contract.ts';
import { StatementSlots } from './statement-slots.ts';
import { TokenBucket } from './token-bucket.ts';

const DAY_MS = 86_400_000;

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
  readonly #questions: TokenBucket | undefined;
  readonly #statements: TokenBucket | undefined;
  readonly #slots: StatementSlots | undefined;
  #day: { readonly number: number; bytes: number; readonly budget: Budget | undefined };

  constructor(options: UsageOptions) {
    this.#options = options;
    const { questionsPerMinute, statementsPerMinute, statementsAtOnce } = options.limits;
    const now = options.runtime.clock.now();
    this.#questions = questionsPerMinute === undefined ? undefined : new TokenBucket(questionsPerMinute, now);
    this.#statements = statementsPerMinute === undefined ? undefined : new TokenBucket(statementsPerMinute, now);
    this.#slots = statementsAtOnce === undefined ? undefined : new StatementSlots(statementsAtOnce);
    this.#day = this.#newDay(now);
  }

  /** True when forgetting it changes nothing. */
  isForgettable(now: number): boolean {
    if (this.#slots?.isIdle === false) return false;
    if (this.#questions?.isFull(now) === false || this.#statements?.isFull(now) === false) return false;
    const { budget, bytes, number } = this.#day;
    return number !== dayOf(now) || ((budget === undefined || budget.spent().calls === 0) && bytes === 0);
  }

  /** Whether bytes are limited. */
  get countsBytes(): boolean {
    return this.#options.limits.bytesPerDay !== undefined;
  }

  /** Tokens and money of today; undefined where neither is limited. */
  budget(): Budget | undefined {
    return this.#today().budget;
  }

  /** @throws AskemaError `LIMIT_EXCEEDED` when a question may not begin. */
  beginQuestion(): void {
    this.checkQuestion();
    this.#questions?.take(this.#now());
  }

  /** Counts nothing. @throws AskemaError `LIMIT_EXCEEDED` when a question could not begin now. */
  checkQuestion(): void {
    const now = this.#now();
    const { tokensPerDay, costUsdPerDay } = this.#options.limits;
    const spent = this.budget()?.spent();
    const tokens = (spent?.inputTokens ?? 0) + (spent?.outputTokens ?? 0);
    if (tokensPerDay !== undefined && tokens >= tokensPerDay)
      throw exceeded('tokensPerDay', tokensPerDay, untilTomorrow(now));
    if (costUsdPerDay !== undefined && (spent?.costUsd ?? 0) >= costUsdPerDay)
      throw exceeded('costUsdPerDay', costUsdPerDay, untilTomorrow(now));
    const wait = this.#questions?.wait(now);
    if (wait !== undefined) throw exceeded('questionsPerMinute', this.#options.limits.questionsPerMinute, wait);
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
    const { bytesPerDay, statementsPerMinute, statementsAtOnce } = this.#options.limits;
    const day = this.#today();
    if (bytesPerDay !== undefined && (day.bytes >= bytesPerDay || day.bytes + estimatedBytes > bytesPerDay))
      throw exceeded('bytesPerDay', bytesPerDay, untilTomorrow(now));
    const wait = this.#statements?.take(now);
    if (wait !== undefined) throw exceeded('statementsPerMinute', statementsPerMinute, wait);
    day.bytes += estimatedBytes;
    const leave = await this.#slots?.enter(signal, timeoutMs).catch((thrown: unknown) => {
      day.bytes -= estimatedBytes;
      throw thrown;
    });
    if (this.#slots !== undefined && leave === undefined) {
      day.bytes -= estimatedBytes;
      throw exceeded('statementsAtOnce', statementsAtOnce, 1_000);
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

function exceeded(limit: keyof CallerLimits, most: number | undefined, retryAfterMs: number): AskemaError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AskemaError(
    'LIMIT_EXCEEDED',
    `The limit \`${limit}\` of this caller, ${most}, is used up. Try again in ${seconds} s, or ask whoever runs the server for more.`,
    { retryable: true, details: { limit, retryAfterMs } },
  );
}
