import { AskemaError, didYouMean, FINDING_CODES } from '@askema/core';
import { checkChoice, checkLimits, checkOptionName, mergedOptions, type Range } from '../plan-options.ts';
import type { InspectLimits, InspectOptions, InspectPlan, InspectStages } from './inspect-options.ts';

/** The defaults of the inspect flow. */
export const INSPECT_DEFAULTS: InspectPlan = {
  stages: { retriever: true, detector: true, planner: true, engineErrors: false },
  limits: {
    maxInspections: 3,
    maxDepth: 2,
    maxSubQuestions: 4,
    maxTurns: 4,
    maxFindingsShown: 12,
    nearestCells: 5,
    elsewhere: 3,
    maxConditions: 20,
    retrieverTimeoutMs: 10_000,
  },
  actions: 'auto',
  reviseFrom: 'warning',
  hideTriedColumns: true,
  severities: {},
};

/** The least and the most that each limit may be. */
const RANGES: Readonly<Record<keyof InspectLimits, Range>> = {
  maxInspections: [0, 100],
  maxDepth: [0, 5],
  maxSubQuestions: [0, 50],
  maxTurns: [1, 50],
  maxFindingsShown: [1, 1_000],
  nearestCells: [1, 100],
  elsewhere: [0, 100],
  maxConditions: [1, 1_000],
  retrieverTimeoutMs: [1, 3_600_000],
};

const CHOICES = {
  actions: ['auto', 'tools', 'structured'],
  reviseFrom: ['error', 'warning', 'note'],
  hideTriedColumns: [true, false],
} as const satisfies { readonly [Key in keyof InspectPlan]?: readonly InspectPlan[Key][] };

const CHOICE_NAMES = Object.keys(CHOICES) as (keyof typeof CHOICES)[];
const OPTION_NAMES = ['stages', 'limits', 'rules', 'severities', 'models', ...CHOICE_NAMES];
const STAGE_NAMES = ['generate', 'revise', 'connect'];
const SEVERITIES: readonly unknown[] = ['error', 'warning', 'note', 'off'];

/**
 * The defaults with what differs from them.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name or a choice that does not exist, `INPUT_INVALID` for a limit out of range.
 */
export function inspectPlan(options: InspectOptions = {}): InspectPlan {
  for (const name of Object.keys(options)) checkOptionName('inspect', name, OPTION_NAMES);
  for (const name of Object.keys(options.models ?? {})) checkOptionName('inspect.models', name, STAGE_NAMES);
  const stages = mergedOptions('inspect.stages', INSPECT_DEFAULTS.stages, options.stages);
  const limits = mergedOptions('inspect.limits', INSPECT_DEFAULTS.limits, options.limits);
  checkStages(stages);
  checkLimits('inspect.limits', limits, RANGES);
  checkRules(options);
  const { actions, reviseFrom, hideTriedColumns, severities } = INSPECT_DEFAULTS;
  const plan: InspectPlan = {
    stages,
    limits,
    actions: options.actions ?? actions,
    reviseFrom: options.reviseFrom ?? reviseFrom,
    hideTriedColumns: options.hideTriedColumns ?? hideTriedColumns,
    severities: options.severities ?? severities,
  };
  for (const name of CHOICE_NAMES) checkChoice(`inspect.${name}`, plan[name], CHOICES[name]);
  checkSeverities(plan, options);
  return plan;
}

function checkStages(stages: InspectStages): void {
  for (const [name, value] of Object.entries(stages)) {
    if (typeof value === 'boolean') continue;
    throw new AskemaError('CONFIG_INVALID', `\`inspect.stages.${name}\` is ${String(value)}; it is true or false.`);
  }
  if (stages.engineErrors && stages.detector)
    throw new AskemaError(
      'CONFIG_INVALID',
      '`inspect.stages.engineErrors` puts the errors of the database in the place of the detector; set `detector: false` with it.',
    );
}

function checkSeverities({ severities }: InspectPlan, { rules = [] }: InspectOptions): void {
  const codes = [...FINDING_CODES, ...rules.map(({ code }) => code)];
  for (const [code, value] of Object.entries(severities)) {
    if (!(codes as readonly string[]).includes(code))
      throw new AskemaError(
        'CONFIG_INVALID',
        `\`inspect.severities\` has \`${code}\`, which no rule has. ${didYouMean(code, codes)}`.trim(),
      );
    if (SEVERITIES.includes(value)) continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`inspect.severities\` has ${String(value)} for \`${code}\`; it is ${SEVERITIES.join(' or ')}.`,
    );
  }
}

function checkRules({ rules }: InspectOptions): void {
  for (const [position, rule] of (rules ?? []).entries()) {
    if (typeof rule?.check === 'function' && typeof rule.code === 'string') continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`inspect.rules[${position}]\` is no rule: it needs \`code\` and \`check\`.`,
    );
  }
}
