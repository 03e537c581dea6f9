import { AskemaError, isAskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import type { BudgetLimits, BudgetSpent } from './budget.ts';
import { type Amounts, type Ledger, type LimitBreach, NOTHING } from './budget-ledger.ts';
import type { LanguageModel, ModelRequest, ModelResult } from './language-model.ts';
import { costOfUsage, findPrice, type TokenPrice, type TokenPrices } from './token-price.ts';
import { modelName } from './wrap-model.ts';

/** What is held for a call. Settle it once; what comes later has no effect. */
export interface Reservation {
  readonly amounts: Amounts;
  /** Counts what the call cost. Returns warnings for its result. */
  settle(result: ModelResult): readonly string[];
  /**
   * Counts a call that failed. A request that was turned down costs nothing but the call; what may have been billed is
   * counted as held.
   */
  settleFailed(error: unknown): void;
}

export interface BudgetState {
  readonly ledger: Ledger;
  readonly tally: { estimatedCalls: number; unpriced: boolean };
  readonly limits: BudgetLimits;
  readonly prices: TokenPrices;
  readonly countTokens: (text: string) => number;
  readonly assumedOutputTokens: number;
  readonly spent: () => BudgetSpent;
}

/** Nothing was generated, so vendors bill nothing. */
const TURNED_DOWN: readonly ErrorCode[] = [
  'CAPABILITY_UNSUPPORTED',
  'CONFIG_INVALID',
  'DEPENDENCY_MISSING',
  'INPUT_INVALID',
  'MODEL_AUTHENTICATION',
  'MODEL_CONTEXT_TOO_LONG',
  'MODEL_NOT_FOUND',
  'MODEL_RATE_LIMITED',
  'MODEL_REQUEST_INVALID',
  'RECORDING_MISSING',
];

/** The connection was never made. */
const NEVER_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

export function reserveCall(
  state: BudgetState,
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  request: ModelRequest,
): Reservation {
  const price = findPrice(state.prices, modelName(model), model.modelId);
  const amounts = estimate(state, request, price);
  const held = state.ledger.hold(amounts);
  if ('breach' in held) throw exceeded(model, held.breach, state.spent());
  let settled = false;
  return {
    amounts,
    settle(result) {
      if (settled) return [];
      settled = true;
      if (result.cached !== undefined) {
        held.settle(NOTHING);
        return [];
      }
      const { actual, warnings, estimated } = settlement(state, model, amounts, result);
      held.settle(actual);
      if (estimated) state.tally.estimatedCalls += 1;
      return warnings;
    },
    settleFailed(error) {
      if (settled) return;
      settled = true;
      if (price === undefined) state.tally.unpriced = true;
      const free = costsNothing(error);
      held.settle(free ? { ...NOTHING, calls: 1 } : amounts);
      if (!free) state.tally.estimatedCalls += 1;
    },
  };
}

function estimate(state: BudgetState, request: ModelRequest, price: TokenPrice | undefined): Amounts {
  const inputTokens = state.countTokens(textOfRequest(request));
  const outputTokens = request.maxOutputTokens ?? state.assumedOutputTokens;
  const dearestInput = Math.max(price?.input ?? 0, price?.cachedInput ?? 0, price?.cacheWrite ?? 0);
  const costUsd = (inputTokens * dearestInput + outputTokens * (price?.output ?? 0)) / 1_000_000;
  return { calls: 1, inputTokens, outputTokens, costUsd };
}

/** Everything that a vendor counts as input. */
export function textOfRequest(request: ModelRequest): string {
  const parts = request.messages.flatMap(({ role, content }) => [
    role,
    ...content.map((part) => ('text' in part ? part.text : JSON.stringify(part))),
  ]);
  const rest = [request.tools, request.output].filter((value) => value !== undefined);
  return [...parts, ...rest.map((value) => JSON.stringify(value))].join('\n');
}

function settlement(
  state: BudgetState,
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  held: Amounts,
  result: ModelResult,
): { readonly actual: Amounts; readonly warnings: readonly string[]; readonly estimated: boolean } {
  const warnings: string[] = [];
  const inputTokens = result.usage.inputTokens ?? held.inputTokens;
  const outputTokens = result.usage.outputTokens ?? held.outputTokens;
  const estimated = result.usage.inputTokens === undefined || result.usage.outputTokens === undefined;
  if (estimated)
    warnings.push(
      `${modelName(model)} did not report its usage; the budget counts ${inputTokens} input and ${outputTokens} output tokens.`,
    );
  const own = findPrice(state.prices, modelName(model), model.modelId);
  const answering = result.answeredBy === undefined ? own : findPrice(state.prices, result.answeredBy);
  const price = answering ?? own;
  if (price === undefined) state.tally.unpriced = true;
  if (price !== undefined && answering === undefined)
    warnings.push(
      `The budget has no price for ${result.answeredBy}; the price of ${modelName(model)} was used. Wrap each model in withBudget before withFallback.`,
    );
  const costUsd = price === undefined ? 0 : (costOfUsage({ ...result.usage, inputTokens, outputTokens }, price) ?? 0);
  return { actual: { calls: 1, inputTokens, outputTokens, costUsd }, warnings, estimated };
}

/** True for a call that a budget refused, so that the model was never asked. */
export function wasNotSent(error: unknown): boolean {
  return isAskemaError(error) && error.code === 'BUDGET_EXCEEDED' && error.details.sent === false;
}

function costsNothing(error: unknown): boolean {
  if (!isAskemaError(error)) return false;
  if (TURNED_DOWN.includes(error.code)) return true;
  // Another budget around the same model refused the call.
  if (wasNotSent(error)) return true;
  if (error.code !== 'MODEL_UNAVAILABLE' && error.code !== 'MODEL_REQUEST_FAILED') return false;
  const { status, vendorCode } = error.details;
  return (status !== undefined && status >= 400) || NEVER_CONNECTED.includes(vendorCode ?? '');
}

function exceeded(
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  breach: LimitBreach,
  spent: BudgetSpent,
): AskemaError {
  const amount = (value: number) => (breach.limit === 'maxCostUsd' ? `${value.toFixed(4)} USD` : String(value));
  const underWay = breach.reserved > 0 ? ` ${amount(breach.reserved)} is held for calls under way,` : '';
  const advice =
    breach.limit === 'maxCalls' || breach.limit === 'maxInputTokens'
      ? 'or ask for less'
      : 'lower `maxOutputTokens` of the call, or ask for less';
  return new AskemaError(
    'BUDGET_EXCEEDED',
    `The budget does not allow this call of ${modelName(model)}: \`${breach.limit}\` is ${amount(breach.max)}, ${amount(breach.spent)} is spent,${underWay} and this call may need ${amount(breach.needed)}. Raise \`${breach.limit}\`, ${advice}.`,
    { details: { ...breach, spent, sent: false } },
  );
}
