import { AskemaError } from '@askema/core';
import {
  PRESET_NAMES,
  type PresetName,
  STRATEGY_NAMES,
  type StrategyName,
  type Text2SchemaOptions,
} from '@askema/text2schema';
import { type ModelChoice, type ModelSearch, resolveModel } from '../model/resolve-model.ts';
import { oneOf } from './one-of.ts';

/** @throws AskemaError `INPUT_INVALID` for an unknown strategy, with the nearest name. Default: `schema-agent`. */
export function readStrategy(name: string | undefined): StrategyName {
  return oneOf('--strategy', name ?? 'schema-agent', STRATEGY_NAMES);
}

/**
 * The preset of `--preset`; undefined for a strategy that has none. Default: `tested`.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown preset, and for a strategy that has none.
 */
export function readPreset(name: string | undefined, strategy: StrategyName): PresetName | undefined {
  if (strategy === 'schema-agent') return oneOf('--preset', name ?? 'tested', PRESET_NAMES);
  if (name === undefined) return undefined;
  throw new AskemaError('INPUT_INVALID', `--preset belongs to --strategy schema-agent; ${strategy} has no presets.`);
}

/** The parts of `--without`, and what the library calls them. */
const PARTS = {
  'product-manager': 'productManager',
  reviewer: 'reviewer',
  tests: 'tests',
  'error-routes': 'errorRoutes',
  'mutation-check': 'mutationCheck',
} as const;

/** A part of SchemaAgent that can be left out. */
export type DesignPart = keyof typeof PARTS;

/** What decides what other flags mean. */
interface DesignChoice {
  readonly strategy: StrategyName;
  /** Of `schema-agent`; else undefined. */
  readonly preset: PresetName | undefined;
}

/**
 * The parts of `--without`, each once and in their own order.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown part, and for a strategy or preset that has none.
 */
export function readParts(
  given: readonly string[] | undefined,
  { strategy, preset }: DesignChoice,
): readonly DesignPart[] {
  if (given === undefined || given.length === 0) return [];
  if (strategy !== 'schema-agent') {
    throw new AskemaError(
      'INPUT_INVALID',
      `--without belongs to --strategy schema-agent; ${strategy} has no such parts.`,
    );
  }
  const known = Object.keys(PARTS) as DesignPart[];
  const named = given.map((part) => oneOf('--without', part, known));
  if (preset === 'paper' && named.includes('mutation-check'))
    throw new AskemaError(
      'INPUT_INVALID',
      '--without mutation-check belongs to --preset tested; paper plants nothing.',
    );
  return known.filter((part) => named.includes(part));
}

/** The switches that leave these parts out; undefined where none is. */
export function switchesWithout(parts: readonly DesignPart[]): Text2SchemaOptions['switches'] {
  if (parts.length === 0) return undefined;
  return Object.fromEntries(parts.map((part) => [PARTS[part], false]));
}

/**
 * A model that designs.
 *
 * @throws AskemaError `CONFIG_INVALID` where there is none, and what `resolveModel` throws.
 */
export async function chooseDesignModel(
  flag: string | undefined,
  search: Omit<ModelSearch, 'flag'>,
): Promise<ModelChoice> {
  const choice = await resolveModel({ ...search, flag });
  if (!choice.isFallback) return choice;
  throw new AskemaError(
    'CONFIG_INVALID',
    'No model was found, and the built-in solver designs no schemas. Name one with --model; `askema models` says how to get one.',
  );
}

/**
 * The model of `--administrator`, which chooses who speaks next where no role named anybody; undefined where the forward
 * order decides.
 *
 * @throws AskemaError `INPUT_INVALID` for a strategy without a chat, for the preset `tested`, where code decides, and what
 * {@link chooseDesignModel} throws.
 */
export async function chooseAdministrator(
  flag: string | undefined,
  { strategy, preset }: DesignChoice,
  search: Omit<ModelSearch, 'flag'>,
): Promise<ModelChoice | undefined> {
  if (flag === undefined) return undefined;
  if (strategy !== 'schema-agent') {
    throw new AskemaError(
      'INPUT_INVALID',
      `--administrator belongs to --strategy schema-agent; ${strategy} has no chat to lead.`,
    );
  }
  if (preset !== 'paper')
    throw new AskemaError(
      'INPUT_INVALID',
      '--administrator belongs to --preset paper; in tested, code decides who speaks.',
    );
  return chooseDesignModel(flag, search);
}
