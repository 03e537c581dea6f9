import { AskemaError, checkChoice } from '@askema/core';
import { checkSeverities, type InspectionRule, type InspectSqlOptions } from '@askema/lint';
import { checkLimits, checkOptionName, mergedOptions, type Range } from '../question/plan-options.ts';

/** Which tools look at a statement. Each is a switch, so that its worth can be measured. */
export interface InspectionStages {
  /** Looks the values of conditions up in the cells (Tool-SQL, section 2.2.1). */
  readonly retriever: boolean;
  /** Checks the statement against the catalog, without running it (section 2.2.2). */
  readonly detector: boolean;
  /**
   * Asks the database for its plan, when the detector found no error; where an adapter has no planner, this says
   * nothing.
   */
  readonly planner: boolean;
  /**
   * The database's own errors in the detector's place: the statement is planned, or, where there is no planner, run for
   * one row.
   */
  readonly engineErrors: boolean;
}

/** Limits of one inspection. */
export interface InspectionLimits {
  /** The nearest cells of a column, for a value that it does not hold. */
  readonly nearestCells: number;
  /** Columns that hold the value, or one that is near, in the place of the column of the condition. */
  readonly elsewhere: number;
  /** Conditions of one statement whose values are looked up. */
  readonly maxConditions: number;
  /** Milliseconds in which the values of one statement are looked up. */
  readonly retrieverTimeoutMs: number;
}

/** How statements are inspected: plain data, which stands in the slice of a flow, so that a resumed run keeps it. */
export interface InspectionPlan {
  readonly stages: InspectionStages;
  readonly limits: InspectionLimits;
  /** Other severities of findings, by code. */
  readonly severities: NonNullable<InspectSqlOptions['severities']>;
}

/** Options of an inspection; what is left out is the default. */
export interface InspectionOptions {
  readonly stages?: { readonly [Key in keyof InspectionStages]?: InspectionStages[Key] | undefined } | undefined;
  readonly limits?: { readonly [Key in keyof InspectionLimits]?: InspectionLimits[Key] | undefined } | undefined;
  /** Rules of one's own, beside the built-in ones. */
  readonly rules?: readonly InspectionRule[] | undefined;
  readonly severities?: InspectSqlOptions['severities'] | undefined;
}

/** What knowledge says of statements, where there is knowledge. */
const KNOWLEDGE_RULES = [{ code: 'custom/knowledge-metric' }, { code: 'custom/knowledge-filter' }] as const;

/** Severities of the rules alone: knowledge gives its findings beside them. */
export function severitiesOfRules(severities: InspectionPlan['severities']): InspectionPlan['severities'] {
  const ofKnowledge: readonly string[] = KNOWLEDGE_RULES.map(({ code }) => code);
  return Object.fromEntries(Object.entries(severities).filter(([code]) => !ofKnowledge.includes(code)));
}

/** The defaults of an inspection. */
export const INSPECTION_DEFAULTS: InspectionPlan = {
  stages: { retriever: true, detector: true, planner: true, engineErrors: false },
  limits: { nearestCells: 5, elsewhere: 3, maxConditions: 20, retrieverTimeoutMs: 10_000 },
  severities: {},
};

/** The least and the most that each limit may be. */
export const INSPECTION_RANGES: Readonly<Record<keyof InspectionLimits, Range>> = {
  nearestCells: [1, 100],
  elsewhere: [0, 100],
  maxConditions: [1, 1_000],
  retrieverTimeoutMs: [1, 3_600_000],
};

/**
 * The defaults with what differs from them; `where` names the option in messages.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name or a choice that does not exist, and a limit out of range.
 */
export function inspectionPlan(where: string, options: InspectionOptions = {}): InspectionPlan {
  for (const name of Object.keys(options)) checkOptionName(where, name, ['stages', 'limits', 'rules', 'severities']);
  const stages = mergedOptions(`${where}.stages`, INSPECTION_DEFAULTS.stages, options.stages);
  const limits = mergedOptions(`${where}.limits`, INSPECTION_DEFAULTS.limits, options.limits);
  const plan = { stages, limits, severities: options.severities ?? INSPECTION_DEFAULTS.severities };
  checkLimits(`${where}.limits`, limits, INSPECTION_RANGES);
  checkInspection(where, plan, options.rules);
  return plan;
}

/**
 * @throws AskemaError `CONFIG_INVALID` for stages that contradict each other, invalid rules, and severities that
 * no rule has.
 */
export function checkInspection(
  where: string,
  { stages, severities }: Pick<InspectionPlan, 'stages' | 'severities'>,
  rules: readonly InspectionRule[] = [],
): void {
  checkStages(where, stages);
  for (const [position, rule] of rules.entries()) {
    if (typeof rule?.check === 'function' && typeof rule.code === 'string') continue;
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${where}.rules[${position}]\` is no rule: it needs \`code\` and \`check\`.`,
    );
  }
  checkSeverities(`${where}.severities`, severities, [...rules, ...KNOWLEDGE_RULES]);
}

function checkStages(where: string, stages: InspectionStages): void {
  for (const [name, value] of Object.entries(stages)) checkChoice(`${where}.stages.${name}`, value, [true, false]);
  if (stages.engineErrors && stages.detector)
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`${where}.stages.engineErrors\` puts the errors of the database in the place of the detector; set \`detector: false\` with it.`,
    );
}
