import {
  AskemaError,
  createRateLimit,
  isLanguageModel,
  type LanguageModel,
  type Solver,
  type TokenPrices,
  withRateLimit,
} from '@askema/core';
import type { EvaluationPrices, QuestionSelection } from '@askema/eval';
import type { LoadedConfig } from '../../config/load-config.ts';
import { parseCount } from '../../flags/parse-count.ts';

export interface PriceFlags {
  /** US dollars per million tokens. */
  readonly priceInput?: string | undefined;
  readonly priceOutput?: string | undefined;
  readonly budgetUsd?: string | undefined;
}

interface Spending {
  readonly prices?: EvaluationPrices | undefined;
  readonly budgetUsd?: number | undefined;
}

/**
 * What tokens cost and what may be spent: the flags, else `prices` of the configuration by the name of the model. A
 * cost is known only where prices are.
 *
 * @throws AskemaError `INPUT_INVALID` for invalid amounts, one price without the other, and a budget without
 * prices.
 */
export function readSpending(
  flags: PriceFlags,
  choice: { readonly label: string; readonly model: LanguageModel | Solver },
  { config }: LoadedConfig,
): Spending {
  const budgetUsd = readAmount(flags.budgetUsd, '--budget-usd');
  if (budgetUsd === 0)
    throw new AskemaError('INPUT_INVALID', '--budget-usd 0 would ask nothing; name an amount above 0.');
  const input = readAmount(flags.priceInput, '--price-input');
  const output = readAmount(flags.priceOutput, '--price-output');
  if ((input === undefined) !== (output === undefined)) {
    const missing = input === undefined ? '--price-input' : '--price-output';
    throw new AskemaError(
      'INPUT_INVALID',
      `${missing} is missing: a cost needs both prices, in US dollars per million tokens.`,
    );
  }
  const prices =
    input === undefined || output === undefined
      ? configuredPrices(choice.label, config.prices)
      : { inputPerMillion: input, outputPerMillion: output };
  if (budgetUsd !== undefined && prices === undefined) throw unpriced(choice);
  return { prices, budgetUsd };
}

/** By `provider:model`, or by the model alone. */
function configuredPrices(label: string, prices: TokenPrices = {}): EvaluationPrices | undefined {
  const name = [label, label.slice(label.indexOf(':') + 1)].find((each) => Object.hasOwn(prices, each));
  const price = name === undefined ? undefined : prices[name];
  if (price === undefined) return undefined;
  return {
    inputPerMillion: price.input,
    outputPerMillion: price.output,
    cachedInputPerMillion: price.cachedInput,
  };
}

function readAmount(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const amount = /^\d{1,12}(?:\.\d{1,12})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isNaN(amount)) {
    throw new AskemaError(
      'INPUT_INVALID',
      `${option} ${JSON.stringify(text)} is no amount of US dollars, such as 5 or 0.25.`,
    );
  }
  return amount;
}

function unpriced({ label, model }: { readonly label: string; readonly model: LanguageModel | Solver }): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    isLanguageModel(model)
      ? `--budget-usd cannot be kept: there is no price for \`${label}\`. Give --price-input and --price-output, in US dollars per million tokens, or \`prices: { '${label}': { input, output } }\` in askema.config.ts. Nothing was asked.`
      : `--budget-usd has nothing to limit: \`${label}\` calls no model. Leave it out, or give --price-input and --price-output if it does. Nothing was asked.`,
  );
}

export interface RateFlags {
  readonly requestsPerMinute?: string | undefined;
  readonly tokensPerMinute?: string | undefined;
}

/**
 * What keeps the calls of a run within the limits of a vendor; undefined where none are given. A call that is tried
 * again counts again.
 *
 * @throws AskemaError `INPUT_INVALID` for an invalid count.
 */
export function readRateLimit(flags: RateFlags): ((model: LanguageModel) => LanguageModel) | undefined {
  const requestsPerMinute = readCount(flags.requestsPerMinute, '--requests-per-minute');
  const tokensPerMinute = readCount(flags.tokensPerMinute, '--tokens-per-minute');
  if (requestsPerMinute === undefined && tokensPerMinute === undefined) return undefined;
  const limit = createRateLimit({ requestsPerMinute, tokensPerMinute });
  return (model) => withRateLimit(model, limit);
}

/**
 * Reads `--shard 2/3` as part 2 of 3.
 *
 * @throws AskemaError `INPUT_INVALID` for anything else.
 */
export function readShard(text: string | undefined): { readonly index: number; readonly of: number } | undefined {
  if (text === undefined) return undefined;
  const [, first, second] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  const [index, of] = [Number(first), Number(second)];
  if (!(index >= 1 && index <= of)) {
    throw new AskemaError(
      'INPUT_INVALID',
      `--shard ${JSON.stringify(text)} is no part of a run; write which one of how many, from 1: 1/3, 2/3 or 3/3.`,
    );
  }
  return { index, of };
}

/** Which questions of a dataset are meant. */
export interface SelectionFlags {
  readonly limit?: string | undefined;
  readonly sample?: string | undefined;
  readonly seed?: string | undefined;
  readonly category?: readonly string[] | undefined;
  readonly difficulty?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
}

/**
 * @throws AskemaError `INPUT_INVALID` for an invalid count; names are checked against the dataset when it is known.
 */
export function readSelection(flags: SelectionFlags): QuestionSelection {
  return {
    limit: readCount(flags.limit, '--limit'),
    sample: readCount(flags.sample, '--sample'),
    seed: readCount(flags.seed, '--seed', 0),
    category: flags.category,
    difficulty: flags.difficulty,
    ids: flags.ids,
  };
}

/** A count that may be left out. @throws AskemaError `INPUT_INVALID`. */
export function readCount(text: string | undefined, option: string, minimum = 1): number | undefined {
  return text === undefined ? undefined : parseCount(text, option, minimum);
}
