import { AskemaError, didYouMean } from '@askema/core';
import { REFINE_PRESET_NAMES, REFINE_PRESETS } from './presets.ts';
import type { RefineLimits, RefineOptions, RefinePlan, RefineRules, RefineStages } from './refine-options.ts';

/** The least and the most that each limit may be. */
const RANGES: Readonly<Record<keyof RefineLimits, readonly [least: number, most: number]>> = {
  threads: [1, 64],
  concurrency: [1, 64],
  maxIterations: [1, 1_000],
  maxEmptyInARow: [1, 1_000],
  agreements: [1, 100],
  maxCteRewrites: [0, 1_000],
  maxCteCalls: [0, 1_000],
  maxExpansions: [0, 100],
  sureFrom: [0, 1],
};

const CHOICES = {
  implausible: ['never', 'confirmed'],
  agreement: ['strict', 'official'],
} as const satisfies { readonly [Key in keyof RefineRules]?: readonly RefineRules[Key][] };

/**
 * The preset with what differs from it.
 *
 * @throws AskemaError `CONFIG_INVALID` for a preset, a name or a choice that does not exist, `INPUT_INVALID` for a limit out of range.
 */
export function refinePlan(options: RefineOptions = {}): RefinePlan {
  const preset = options.preset ?? 'askema';
  if (!Object.hasOwn(REFINE_PRESETS, preset))
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`refine.preset\` is \`${String(preset)}\`. ${didYouMean(preset, REFINE_PRESET_NAMES)} There are: ${REFINE_PRESET_NAMES.join(', ')}.`,
    );
  const base = REFINE_PRESETS[preset];
  const stages = merged('stages', base.stages, options.stages);
  const limits = merged('limits', base.limits, options.limits);
  const rules = merged('rules', base.rules, options.rules);
  checkStages(stages);
  checkLimits(limits);
  checkRules(rules);
  return { preset, stages, limits, rules };
}

function merged<T extends object>(
  part: string,
  base: T,
  given: { readonly [Key in keyof T]?: T[Key] | undefined } | undefined,
): T {
  const result: T = { ...base };
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!Object.hasOwn(base, key))
      throw new AskemaError(
        'CONFIG_INVALID',
        `\`refine.${part}\` has no \`${key}\`. ${didYouMean(key, Object.keys(base))} There are: ${Object.keys(base).join(', ')}.`,
      );
    if (value !== undefined) Object.assign(result, { [key]: value });
  }
  return result;
}

function checkStages(stages: RefineStages): void {
  for (const [name, value] of Object.entries(stages)) {
    if (typeof value === 'boolean' || (name === 'cte' && value === 'only')) continue;
    throw new AskemaError('CONFIG_INVALID', `\`refine.stages.${name}\` is ${String(value)}; it is true or false.`);
  }
}

function checkLimits(limits: RefineLimits): void {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const value = limits[name as keyof RefineLimits];
    const isWhole = name === 'sureFrom' ? Number.isFinite(value) : Number.isSafeInteger(value);
    if (isWhole && value >= least && value <= most) continue;
    const kind = name === 'sureFrom' ? 'number' : 'whole number';
    throw new AskemaError(
      'INPUT_INVALID',
      `\`refine.limits.${name}\` is ${String(value)}; it must be a ${kind} from ${least} to ${most}.`,
    );
  }
}

function checkRules(rules: RefineRules): void {
  for (const [name, value] of Object.entries(rules)) {
    const choices: readonly unknown[] = CHOICES[name as keyof typeof CHOICES] ?? [true, false];
    if (choices.includes(value)) continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`refine.rules.${name}\` is ${String(value)}; it is ${choices.join(' or ')}.`,
    );
  }
}
