import { AskemaError } from '@askema/core';
import type { AutoOptions, Effort } from '@askema/text2sql';
import type { LintConfig } from '../config/askema-config.ts';
import { oneOf } from '../flags/one-of.ts';
import { readSeverities } from '../flags/read-severities.ts';

/** Options of the `auto` flow. */
export interface AutoFlags {
  readonly effort?: string | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
}

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high'];

/**
 * What `--effort` says, with `lint` of the configuration. `--no-samples` promises that the model sees no values, and a
 * revision shows it a result: the effort is `low` then.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown effort, and for another one than `low` with `--no-samples`.
 */
export function readAuto({ effort, samples }: AutoFlags, { rules, severities }: LintConfig = {}): AutoOptions {
  const named = effort === undefined ? undefined : oneOf('--effort', effort, EFFORTS);
  const chosen = named ?? (samples ? undefined : 'low');
  if (!samples && chosen !== 'low')
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `auto` shows it results that are doubted. Only --effort low goes with it.',
    );
  const codes = (rules ?? []).map(({ code }) => code);
  return {
    ...(chosen === undefined ? {} : { effort: chosen }),
    ...(rules === undefined && severities === undefined
      ? {}
      : {
          inspection: {
            ...(rules === undefined ? {} : { rules }),
            ...(severities === undefined ? {} : { severities: readSeverities([], severities, codes) }),
          },
        }),
  };
}
