import { checkChoice, type LanguageModel, type Severity, type Solver } from '@askema/core';
import type { InspectionRule, InspectSqlOptions } from '@askema/lint';
import {
  checkInspection,
  INSPECTION_DEFAULTS,
  INSPECTION_RANGES,
  type InspectionStages,
} from '../../inspection/inspection-options.ts';
import { checkLimits, checkOptionName, mergedOptions, type Range } from '../../question/plan-options.ts';
import type { InspectChoices, InspectLimits, InspectPlan, InspectStage } from './state/inspect-state.ts';
import type { InspectTasks } from './tasks/inspect-tasks.ts';

/** Options of the `inspect` flow; what is left out is the default. */
export interface InspectOptions {
  readonly stages?: { readonly [Key in keyof InspectionStages]?: InspectionStages[Key] | undefined } | undefined;
  readonly limits?: { readonly [Key in keyof InspectLimits]?: InspectLimits[Key] | undefined } | undefined;
  /** Default: `auto`. */
  readonly actions?: InspectChoices['actions'] | undefined;
  /** Default: `warning`. */
  readonly reviseFrom?: Severity | undefined;
  /** Default: true. */
  readonly hideTriedColumns?: boolean | undefined;
  /** Rules of one's own, beside the built-in ones. */
  readonly rules?: readonly InspectionRule[] | undefined;
  readonly severities?: InspectSqlOptions['severities'] | undefined;
  /** Prompts of one's own, one by one. */
  readonly tasks?: Partial<InspectTasks> | undefined;
  /** A model for a stage; the others use the `model` of `createText2Sql`. A budget given there counts these as well. */
  readonly models?: { readonly [Key in InspectStage]?: LanguageModel | Solver | undefined } | undefined;
}

/** The defaults of the inspect flow. */
export const INSPECT_DEFAULTS: InspectPlan = {
  ...INSPECTION_DEFAULTS,
  limits: {
    maxInspections: 3,
    maxDepth: 2,
    maxSubQuestions: 4,
    maxTurns: 4,
    maxFindingsShown: 12,
    ...INSPECTION_DEFAULTS.limits,
  },
  actions: 'auto',
  reviseFrom: 'warning',
  hideTriedColumns: true,
};

/** The least and the most that each limit may be. */
const RANGES: Readonly<Record<keyof InspectLimits, Range>> = {
  maxInspections: [0, 100],
  maxDepth: [0, 5],
  maxSubQuestions: [0, 50],
  maxTurns: [1, 50],
  maxFindingsShown: [1, 1_000],
  ...INSPECTION_RANGES,
};

const CHOICES = {
  actions: ['auto', 'tools', 'structured'],
  reviseFrom: ['error', 'warning', 'note'],
  hideTriedColumns: [true, false],
} as const satisfies { readonly [Key in keyof InspectPlan]?: readonly InspectPlan[Key][] };

const CHOICE_NAMES = Object.keys(CHOICES) as (keyof typeof CHOICES)[];
const OPTION_NAMES = ['stages', 'limits', 'rules', 'severities', 'models', 'tasks', ...CHOICE_NAMES];
const STAGE_NAMES = ['generate', 'revise', 'connect'];

/**
 * The defaults with what differs from them.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name or a choice that does not exist, and a limit out of range.
 */
export function inspectPlan(options: InspectOptions = {}): InspectPlan {
  for (const name of Object.keys(options)) checkOptionName('inspect', name, OPTION_NAMES);
  for (const name of Object.keys(options.models ?? {})) checkOptionName('inspect.models', name, STAGE_NAMES);
  const stages = mergedOptions('inspect.stages', INSPECT_DEFAULTS.stages, options.stages);
  const limits = mergedOptions('inspect.limits', INSPECT_DEFAULTS.limits, options.limits);
  const { actions, reviseFrom, hideTriedColumns, severities } = INSPECT_DEFAULTS;
  const plan: InspectPlan = {
    stages,
    limits,
    actions: options.actions ?? actions,
    reviseFrom: options.reviseFrom ?? reviseFrom,
    hideTriedColumns: options.hideTriedColumns ?? hideTriedColumns,
    severities: options.severities ?? severities,
  };
  checkLimits('inspect.limits', limits, RANGES);
  for (const name of CHOICE_NAMES) checkChoice<string | boolean>(`inspect.${name}`, plan[name], CHOICES[name]);
  checkInspection('inspect', plan, options.rules);
  return plan;
}
