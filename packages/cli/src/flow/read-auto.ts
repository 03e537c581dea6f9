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
 * revision shows it a result.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown effort, and for `--no-samples` where a revision may come.
 */
export function readAuto({ effort, samples }: AutoFlags, { rules, severities }: LintConfig = {}): AutoOptions {
  const chosen = effort === undefined ? undefined : oneOf('--effort', effort, EFFORTS);
  if (!samples && chosen !== 'low')
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `auto` shows it results that are doubted. Add --effort low, or use --flow plain.',
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
