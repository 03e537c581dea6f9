import { AskemaError, didYouMean } from '@askema/core';
import { checkChoice, checkLimits, mergedOptions, type Range } from '../plan-options.ts';
import { REFINE_PRESET_NAMES, REFINE_PRESETS } from './presets.ts';
import type { RefineLimits, RefineOptions, RefinePlan, RefineRules, RefineStages } from './refine-options.ts';

/** The least and the most that each limit may be. */
const RANGES: Readonly<Record<keyof RefineLimits, Range>> = {
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
  const stages = mergedOptions('refine.stages', base.stages, options.stages);
  const limits = mergedOptions('refine.limits', base.limits, options.limits);
  const rules = mergedOptions('refine.rules', base.rules, options.rules);
  checkStages(stages);
  checkLimits('refine.limits', limits, RANGES, ['sureFrom']);
  checkRules(rules);
  return { preset, stages, limits, rules };
}

function checkStages(stages: RefineStages): void {
  for (const [name, value] of Object.entries(stages)) {
    if (typeof value === 'boolean' || (name === 'cte' && value === 'only')) continue;
    throw new AskemaError('CONFIG_INVALID', `\`refine.stages.${name}\` is ${String(value)}; it is true or false.`);
  }
}

function checkRules(rules: RefineRules): void {
  for (const [name, value] of Object.entries(rules))
    checkChoice(`refine.rules.${name}`, value, CHOICES[name as keyof typeof CHOICES] ?? [true, false]);
}
