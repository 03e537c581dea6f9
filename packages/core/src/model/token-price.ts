import { AskemaError } from '../errors/askema-error.ts';
import { checkNumber } from '../errors/check-option.ts';
import { didYouMean } from '../errors/nearest-names.ts';
import type { LanguageModel } from './language-model.ts';
import type { Usage } from './usage.ts';
import { modelName } from './wrap-model.ts';

/** US dollars for a million tokens, as vendors print them. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** For input tokens read from the vendor's cache. Default: the price of `input`. */
  readonly cachedInput?: number | undefined;
  /** For input tokens written to the vendor's cache. Default: the price of `input`. */
  readonly cacheWrite?: number | undefined;
}

/** Prices by `provider:modelId`, or by `modelId` alone. A local model costs `{ input: 0, output: 0 }`: say so. */
export type TokenPrices = Readonly<Record<string, TokenPrice>>;

/** Checks every number. @throws AskemaError `CONFIG_INVALID`. */
export function checkPrices(owner: string, prices: TokenPrices): void {
  for (const [model, price] of Object.entries(prices))
    for (const field of ['input', 'output', 'cachedInput', 'cacheWrite'] as const) {
      const value = price[field];
      if (value !== undefined || field === 'input' || field === 'output')
        checkNumber(`${owner}.prices['${model}'].${field}`, value as number);
    }
}

/** The price of a model; undefined when none was given for it. */
export function findPrice(prices: TokenPrices, name: string, modelId?: string): TokenPrice | undefined {
  const key = [name, modelId ?? name.slice(name.indexOf(':') + 1)].find((candidate) =>
    Object.hasOwn(prices, candidate),
  );
  return key === undefined ? undefined : prices[key];
}

/** @throws AskemaError `CONFIG_INVALID` when the model has no price. */
export function throwUnlessPriced(
  owner: string,
  model: Pick<LanguageModel, 'provider' | 'modelId'>,
  prices: TokenPrices,
): void {
  const name = modelName(model);
  if (findPrice(prices, name, model.modelId) !== undefined) return;
  const hint = didYouMean(name, Object.keys(prices));
  throw new AskemaError(
    'CONFIG_INVALID',
    `${owner}: there is no price for \`${name}\`, so its cost cannot be limited. Add \`prices: { '${name}': { input, output } }\`, in US dollars for a million tokens.${hint === '' ? '' : ` ${hint}`}`,
    { details: { nearestNames: Object.keys(prices) } },
  );
}

/**
 * US dollars for a usage whose input and output are known; undefined when one of them is not. Cached and written tokens
 * are parts of the input.
 */
export function costOfUsage(usage: Usage, price: TokenPrice): number | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = Math.min(usage.cachedInputTokens ?? 0, inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, inputTokens - cached);
  const perMillion =
    (inputTokens - cached - written) * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return perMillion / 1_000_000;
}
