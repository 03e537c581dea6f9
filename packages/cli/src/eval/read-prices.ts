import { AskemaError, isLanguageModel, type LanguageModel, type Solver, type TokenPrices } from '@askema/core';
import type { EvaluationPrices } from '@askema/eval';
import type { LoadedConfig } from '../config/load-config.ts';

export interface PriceFlags {
  /** US dollars per million tokens. */
  readonly priceInput?: string | undefined;
  readonly priceOutput?: string | undefined;
  readonly budgetUsd?: string | undefined;
}

export interface Spending {
  readonly prices?: EvaluationPrices | undefined;
  readonly budgetUsd?: number | undefined;
}

/**
 * What tokens cost and what may be spent: the flags, else `prices` of the configuration by the name of the model. A cost is known only
 * where prices are.
 *
 * @throws AskemaError `INPUT_INVALID` for amounts that are none, one price without the other, and a budget without prices.
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
