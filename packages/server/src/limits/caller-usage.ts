import { AskemaError, type Budget, createBudget, type Runtime, type TokenPrices } from '@askema/core';
import type { CallerLimits } from '../contract.ts';
import { StatementSlots } from './statement-slots.ts';
import { TokenBucket } from './token-bucket.ts';

const DAY_MS = 86_400_000;
/** Of callers of whom nothing else is said: fewer statements than PostgreSQL has places, so that colleagues have some. */
const STATEMENTS_AT_ONCE = 4;
const QUESTIONS_AT_ONCE = 16;
/** When to come again for what ends nobody knows when. */
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
  readonly #requests: TokenBucket | undefined;
  readonly #questions: TokenBucket | undefined;
  readonly #statements: TokenBucket | undefined;
  readonly #slots: StatementSlots | undefined;
  #asking = 0;
  #day: { readonly number: number; bytes: number; readonly budget: Budget | undefined };

  constructor(options: UsageOptions) {
    this.#options = options;
    const { requestsPerMinute, questionsPerMinute, statementsPerMinute } = options.limits;
    const { statementsAtOnce = STATEMENTS_AT_ONCE } = options.limits;
    const now = options.runtime.clock.now();
    this.#requests = requestsPerMinute === undefined ? undefined : new TokenBucket(requestsPerMinute, now);
    this.#questions = questionsPerMinute === undefined ? undefined : new TokenBucket(questionsPerMinute, now);
    this.#statements = statementsPerMinute === undefined ? undefined : new TokenBucket(statementsPerMinute, now);
    this.#slots = statementsAtOnce === false ? undefined : new StatementSlots(statementsAtOnce);
    this.#day = this.#newDay(now);
  }

  /** True when forgetting it changes nothing. */
  isForgettable(now: number): boolean {
    if (this.#slots?.isIdle === false || this.#asking > 0) return false;
    if (this.#requests?.isFull(now) === false) return false;
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

  /** @throws AskemaError `LIMIT_EXCEEDED` when a request may not be looked at. */
  beginRequest(): void {
    const wait = this.#requests?.take(this.#now());
    if (wait !== undefined) throw exceeded('requestsPerMinute', this.#options.limits.requestsPerMinute, wait);
  }

  /** A request with a question is there, until what this gives is called. @throws AskemaError `LIMIT_EXCEEDED` */
  holdQuestion(): () => void {
    const { questionsAtOnce = QUESTIONS_AT_ONCE } = this.#options.limits;
    if (questionsAtOnce !== false && this.#asking >= questionsAtOnce)
      throw exceeded('questionsAtOnce', questionsAtOnce, SOON_MS);
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
    const { bytesPerDay, statementsPerMinute, statementsAtOnce = STATEMENTS_AT_ONCE } = this.#options.limits;
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
      throw exceeded('statementsAtOnce', statementsAtOnce, SOON_MS);
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

function exceeded(limit: keyof CallerLimits, most: number | false | undefined, retryAfterMs: number): AskemaError {
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new AskemaError(
    'LIMIT_EXCEEDED',
    `The limit \`${limit}\` of this caller, ${most}, is used up. Try again in ${seconds} s, or ask whoever runs the server for more.`,
    { retryable: true, details: { limit, retryAfterMs } },
  );
}
