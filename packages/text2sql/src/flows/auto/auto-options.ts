import { AskemaError, type ConfidenceTable, checkChoice, readConfidenceTable, type Solver } from '@askema/core';
import type { InspectionOptions } from '../../inspection/inspection-options.ts';
import { checkLimits, mergedOptions, type Range } from '../../question/plan-options.ts';
import type { RefineOptions } from '../refine/refine-options.ts';
import type { AutoLimits, AutoSlice, AutoTasks } from './auto-state.ts';

/** How much a doubt may cost. */
export type Effort = 'low' | 'medium' | 'high';

export interface AutoOptions {
  /**
   * `low`: one call; doubts are said. `medium` (default): a doubt buys a revision, and one that remains a second attempt.
   * `high`: where these disagree, the flow `refine` decides.
   */
  readonly effort?: Effort | undefined;
  /** What differs from the limits of the effort. */
  readonly limits?: { readonly [Key in keyof AutoLimits]?: AutoLimits[Key] | undefined } | undefined;
  /** Findings of this severity and above are doubts. Default: `warning`. */
  readonly doubtFrom?: AutoSlice['doubtFrom'] | undefined;
  /**
   * A solver that costs nothing, such as `lexical()`: it is asked first, and where it answers without an assumption and
   * nothing speaks against the answer, no model is asked.
   */
  readonly sure?: Solver | undefined;
  /** How likely answers with some signals are to be right, fitted for the model: `askema eval calibrate`. */
  readonly confidence?: ConfidenceTable | undefined;
  /** How statements are inspected. */
  readonly inspection?: InspectionOptions | undefined;
  /** The flow that decides with effort `high`. */
  readonly refine?: Omit<RefineOptions, 'inspection' | 'tasks'> | undefined;
  /** Prompts of one's own, one by one. */
  readonly tasks?: Partial<AutoTasks> | undefined;
}

/** What each effort allows. */
export const AUTO_EFFORTS: Readonly<Record<Effort, AutoLimits>> = {
  low: { revisions: 0, attempts: 1, refinements: 0 },
  medium: { revisions: 1, attempts: 2, refinements: 0 },
  high: { revisions: 1, attempts: 2, refinements: 1 },
};

/**
 * A table that was fitted for this flow.
 *
 * @throws AskemaError `CONFIG_INVALID` for anything else.
 */
export function tableOf(given: ConfidenceTable): ConfidenceTable {
  const table = readConfidenceTable(given);
  if (table.flow === 'auto') return table;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`auto.confidence\` was fitted for the flow \`${table.flow}\`. Fit one on runs of \`auto\`: askema eval calibrate RUN.`,
  );
}

const RANGES: Readonly<Record<keyof AutoLimits, Range>> = {
  revisions: [0, 10],
  attempts: [1, 10],
  refinements: [0, 1],
};

/**
 * The limits of the effort with what differs from them.
 *
 * @throws AskemaError `CONFIG_INVALID` for an effort, a severity or a name that does not exist, and a limit out of range.
 */
export function autoPlan({
  effort = 'medium',
  limits: given,
  doubtFrom = 'warning',
}: AutoOptions): Pick<AutoSlice, 'limits' | 'doubtFrom'> {
  checkChoice('auto.effort', effort, ['low', 'medium', 'high']);
  checkChoice('auto.doubtFrom', doubtFrom, ['error', 'warning']);
  const limits = mergedOptions('auto.limits', AUTO_EFFORTS[effort], given);
  checkLimits('auto.limits', limits, RANGES);
  return { limits, doubtFrom };
}
