import { checkChoice, type LanguageModel, type Solver } from '@askema/core';
import type { ExplorationOptions } from '@askema/grounding';
import type { InspectionOptions } from '../../inspection/inspection-options.ts';
import { checkLimits, mergedOptions, type Range } from '../../question/plan-options.ts';
import type {
  RefineLimits,
  RefinePlan,
  RefinePreset,
  RefineRules,
  RefineStage,
  RefineStages,
} from './state/refine-plan.ts';
import type { RefineTasks } from './tasks/refine-tasks.ts';

/** Options of the `refine` flow: a preset, and what differs from it. */
export interface RefineOptions {
  /** Default: `askema`. */
  readonly preset?: RefinePreset | undefined;
  readonly stages?: { readonly [Key in keyof RefineStages]?: RefineStages[Key] | undefined } | undefined;
  readonly limits?: { readonly [Key in keyof RefineLimits]?: RefineLimits[Key] | undefined } | undefined;
  readonly rules?: { readonly [Key in keyof RefineRules]?: RefineRules[Key] | undefined } | undefined;
  /** Limits of the exploration by probes; its preset follows the one above. */
  readonly exploration?: ExplorationOptions | undefined;
  /** How statements are inspected, with `stages.inspection`. */
  readonly inspection?: InspectionOptions | undefined;
  /** Prompts of one's own, one by one. */
  readonly tasks?: Partial<RefineTasks> | undefined;
  /** A model for a stage; the others use the `model` of `createText2Sql`. A budget given there counts these as well. */
  readonly models?: { readonly [Key in RefineStage]?: LanguageModel | Solver | undefined } | undefined;
}

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
  review: ['always', 'doubted'],
  agreement: ['strict', 'official'],
  format: ['open', 'csv'],
} as const satisfies { readonly [Key in keyof RefineRules]?: readonly RefineRules[Key][] };

/**
 * The preset with what differs from it.
 *
 * @throws AskemaError `CONFIG_INVALID` for a preset, a name or a choice that does not exist, and a limit out of range.
 */
export function refinePlan(options: RefineOptions = {}): RefinePlan {
  const preset = options.preset ?? 'askema';
  checkChoice('refine.preset', preset, REFINE_PRESET_NAMES);
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
  for (const [name, value] of Object.entries(stages))
    checkChoice(`refine.stages.${name}`, value, name === 'cte' ? [true, false, 'only'] : [true, false]);
}

function checkRules(rules: RefineRules): void {
  for (const [name, value] of Object.entries(rules))
    checkChoice(`refine.rules.${name}`, value, CHOICES[name as keyof typeof CHOICES] ?? [true, false]);
}

/**
 * Ours. Five model calls when all goes well: one for the format, and two in each of two threads (explore, write). A
 * review only where something speaks against a result, and the third thread only where two do not decide. Where a
 * limit is that of the paper, it is said at {@link REFINE_PRESETS}.`paper`.
 */
const askema: RefinePlan = {
  preset: 'askema',
  stages: {
    format: true,
    exploration: true,
    profile: true,
    inspection: false,
    consistency: true,
    cte: true,
    choose: true,
  },
  limits: {
    threads: 3,
    concurrency: 2,
    maxIterations: 5,
    maxEmptyInARow: 4,
    agreements: 2,
    maxCteRewrites: 3,
    // Of 1,138 recorded candidates of Spider 2.0-Snow, 98 % have so few CTEs that each is judged and one is mended; 82
    // % within 8 calls.
    maxCteCalls: 12,
    maxExpansions: 2,
    // Two of two threads that agree have a confidence of 0.67.
    sureFrom: 0.65,
  },
  rules: {
    implausible: 'confirmed',
    // Of 50 reviews by the model that wrote the statement, 50 confirmed it: two threads that agree say more.
    review: 'doubted',
    blankColumns: false,
    extraColumns: false,
    format: 'open',
    agreement: 'strict',
    perspectives: true,
    conversation: false,
    earlyEnd: true,
  },
};

/** ReFoRCE as its paper tells it (arXiv 2502.00675, versions 1 to 3). */
const paper: RefinePlan = {
  preset: 'paper',
  // Section 3.2: format restriction, exploration, self-refinement with self-consistency, CTE-based refinement, vote
  // with a model behind it.
  stages: {
    format: true,
    exploration: true,
    profile: false,
    inspection: false,
    consistency: true,
    cte: true,
    choose: true,
  },
  limits: {
    // Section 3.2.5: "3 in our experiments", all at the same time.
    threads: 3,
    concurrency: 3,
    // Section 3.2.4 names no numbers; the authors' first code has 5 iterations and ends after 4 empty results in a row.
    maxIterations: 5,
    maxEmptyInARow: 4,
    // Section 3.2.4: the same plausible answer twice.
    agreements: 2,
    // Section 3.2.4 describes the stage in prose; no code of it was published, so these are ours.
    maxCteRewrites: 3,
    maxCteCalls: 12,
    maxExpansions: 0,
    sureFrom: 0.5,
  },
  rules: {
    // Section 3.2.4: empty results and columns of only zeros or empty strings are wrong.
    implausible: 'never',
    blankColumns: true,
    review: 'always',
    // Section 3.2.2: helpful columns are added, because the evaluation of Spider 2.0 allows them.
    extraColumns: true,
    // Section 3.2.2: "strictly", in the manner of CSV.
    format: 'csv',
    // Section 3.2.5 says no more than that results are compared by a program.
    agreement: 'strict',
    perspectives: false,
    conversation: false,
    earlyEnd: false,
  },
};

/** The authors' last code (2025-05 to 2025-08), as its `run_main.sh` runs it. */
const v5: RefinePlan = {
  preset: 'v5',
  // Format and self-consistency are switched off there; it explores only what a first round left open, and never had a
  // CTE stage.
  stages: {
    format: false,
    exploration: false,
    profile: false,
    inspection: false,
    consistency: false,
    cte: false,
    choose: false,
  },
  limits: {
    // Eight votes at temperature 1.
    threads: 8,
    concurrency: 8,
    maxIterations: 5,
    maxEmptyInARow: 4,
    agreements: 1,
    maxCteRewrites: 0,
    maxCteCalls: 0,
    maxExpansions: 0,
    sureFrom: 0.5,
  },
  rules: {
    implausible: 'never',
    review: 'always',
    blankColumns: false,
    extraColumns: false,
    format: 'open',
    agreement: 'official',
    perspectives: false,
    conversation: false,
    earlyEnd: false,
  },
};

/** The presets of the refine flow: every limit, rule and switch, as data. */
export const REFINE_PRESETS: Readonly<Record<RefinePreset, RefinePlan>> = { askema, paper, v5 };

/** The names of {@link REFINE_PRESETS}. */
export const REFINE_PRESET_NAMES: readonly RefinePreset[] = ['askema', 'paper', 'v5'];
