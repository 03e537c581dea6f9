import { AskemaError } from '../errors/askema-error.ts';
import { checkNumber } from '../errors/check-option.ts';
import { countTokensRoughly } from '../ports/count-tokens-roughly.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { type AmountLimits, createLedger } from './budget-ledger.ts';
import { type Reservation, reserveCall } from './budget-reservation.ts';
import type { LanguageModel, ModelRequest } from './language-model.ts';
import { checkPrices, type TokenPrices, throwUnlessPriced } from './token-price.ts';

export interface BudgetLimits extends AmountLimits {
  /** From the first call on, by the clock. A call that is under way then is stopped. */
  readonly maxSeconds?: number | undefined;
}

export interface BudgetOptions extends BudgetLimits {
  /** Needed for `maxCostUsd`; without it they only make `spent().costUsd` known. */
  readonly prices?: TokenPrices | undefined;
  /** Held for the answer of a request without `maxOutputTokens`. Default: 4,096. */
  readonly assumedOutputTokens?: number | undefined;
  /** Default: {@link countTokensRoughly}, and a fifth on top. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** What was spent before, for a run that goes on in another process: a former `spent()`. */
  readonly spent?: BudgetSpent | undefined;
  readonly runtime?: Partial<Pick<Runtime, 'clock' | 'sleep'>> | undefined;
}

/** Plain JSON. */
export interface BudgetSpent {
  /** Calls that were sent, failed ones included. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined when a model without a price was called. */
  readonly costUsd: number | undefined;
  readonly elapsedMs: number;
  /**
   * How many of the calls did not report their usage, or were stopped, and were counted with what was held for them.
   */
  readonly estimatedCalls: number;
}

/** Shared by any number of models: pass it to {@link withBudget} for each. */
export interface Budget {
  readonly limits: BudgetLimits;
  spent(): BudgetSpent;
  /** Milliseconds until `maxSeconds` is over; undefined without that limit. */
  remainingMs(): number | undefined;
  /** @throws AskemaError `CONFIG_INVALID` when money is limited and the model has no price. */
  throwUnlessPriced(model: Pick<LanguageModel, 'provider' | 'modelId'>): void;
  /**
   * Holds what a call may cost, until it is settled. @throws AskemaError `BUDGET_EXCEEDED`, with `details.sent: false`.
   */
  reserve(model: Pick<LanguageModel, 'provider' | 'modelId'>, request: ModelRequest): Reservation;
  /** Rejects with `BUDGET_EXCEEDED` when `maxSeconds` is over, with `ABORTED` when the signal fires; never resolves. */
  expire(signal: AbortSignal): Promise<never>;
}

/** Tells a budget that calls share from the limits of a new one. */
export function isBudget(value: Budget | BudgetOptions): value is Budget {
  return typeof (value as Partial<Budget>).reserve === 'function';
}

/**
 * Limits for calls, tokens, money and time. Every call holds what it may cost before it is sent, and is settled with
 * what it did cost, so that parallel calls cannot overrun a limit together.
 *
 * What is held: one call; the input, counted roughly and a fifth on top; the output up to `maxOutputTokens` of the
 * request, or `assumedOutputTokens`. So a limit on tokens or money is exact for requests with `maxOutputTokens`;
 * without it, calls under way may go over by what their answers are longer than assumed. A call whose usage is unknown
 * is counted with what was held for it, never as 0, and its result carries a warning.
 *
 * @throws AskemaError `CONFIG_INVALID` for a limit or price that is not a number from 0.
 */
export function createBudget(options: BudgetOptions): Budget {
  const limits = checkedLimits(options);
  const prices = options.prices ?? {};
  checkPrices('createBudget', prices);
  const runtime = systemRuntime(options.runtime);
  const { spent: before } = options;
  if (limits.maxCostUsd !== undefined && before !== undefined && before.costUsd === undefined)
    throw new AskemaError(
      'CONFIG_INVALID',
      'createBudget: `maxCostUsd` is given, but `spent.costUsd` is unknown, so what is left cannot be said. Give `spent` with its cost.',
    );
  const ledger = createLedger(limits, before && { ...before, costUsd: before.costUsd ?? 0 });
  const tally = {
    estimatedCalls: before?.estimatedCalls ?? 0,
    unpriced: before !== undefined && before.costUsd === undefined,
  };
  const countTokens = options.countTokens ?? ((text: string) => Math.ceil(countTokensRoughly(text) * 1.2));
  const assumedOutputTokens = options.assumedOutputTokens ?? 4096;
  checkNumber('createBudget.assumedOutputTokens', assumedOutputTokens);
  let startedAt: number | undefined;

  const elapsedMs = () => (before?.elapsedMs ?? 0) + (startedAt === undefined ? 0 : runtime.clock.now() - startedAt);
  const remainingMs = () =>
    limits.maxSeconds === undefined ? undefined : Math.max(0, limits.maxSeconds * 1000 - elapsedMs());
  const spent = (): BudgetSpent => ({
    ...ledger.spent(),
    costUsd: tally.unpriced ? undefined : ledger.spent().costUsd,
    elapsedMs: elapsedMs(),
    estimatedCalls: tally.estimatedCalls,
  });

  return {
    limits,
    spent,
    remainingMs,
    throwUnlessPriced(model) {
      if (limits.maxCostUsd !== undefined) throwUnlessPriced('withBudget', model, prices);
    },
    reserve(model, request) {
      startedAt ??= runtime.clock.now();
      if (remainingMs() === 0) throw timeExceeded(limits, spent(), { sent: false });
      return reserveCall({ ledger, tally, limits, prices, countTokens, assumedOutputTokens, spent }, model, request);
    },
    async expire(signal) {
      await runtime.sleep(remainingMs() ?? Number.POSITIVE_INFINITY, signal);
      throw timeExceeded(limits, spent());
    },
  };
}

function checkedLimits(options: BudgetOptions): BudgetLimits {
  const names = ['maxCalls', 'maxInputTokens', 'maxOutputTokens', 'maxTokens', 'maxCostUsd', 'maxSeconds'] as const;
  const given = names.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, checkNumber(`createBudget.${name}`, value)] as const];
  });
  return Object.fromEntries(given);
}

function timeExceeded(limits: BudgetLimits, spent: BudgetSpent, more: { readonly sent?: false } = {}): AskemaError {
  return new AskemaError(
    'BUDGET_EXCEEDED',
    `The budget is used up: \`maxSeconds\` is ${limits.maxSeconds}, and ${(spent.elapsedMs / 1000).toFixed(1)} s are over since its first call. Raise \`maxSeconds\`, or ask for less.`,
    { details: { limit: 'maxSeconds', max: limits.maxSeconds, spent, ...more } },
  );
}
