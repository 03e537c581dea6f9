import { AskemaError } from '@askema/core';
import type { InspectOptions } from '@askema/text2sql';
import type { LintConfig } from '../config/askema-config.ts';
import { parseCount } from '../flags/parse-count.ts';
import { readSeverities, readTools } from '../flags/read-severities.ts';

/** Options of the `inspect` flow. */
export interface InspectFlags {
  readonly maxInspections?: string | undefined;
  /** The database's own errors take the detector's place. */
  readonly engineErrors?: true | undefined;
  /** Tools that are switched off. */
  readonly without?: readonly string[] | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
}

/**
 * What `--max-inspections`, `--engine-errors` and the tools of `--without` say, with `lint` of the configuration.
 * `--no-samples` promises that the model sees no values, which only holds without the retriever.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown tool, an invalid count, and `--no-samples` with the retriever;
 * `CONFIG_INVALID` for invalid severities.
 */
export function readInspect(
  { maxInspections, engineErrors, without = [], samples }: InspectFlags,
  { rules, severities }: LintConfig = {},
): InspectOptions {
  if (!samples && !without.includes('retriever'))
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `inspect` shows it cells. Add --without retriever, or use --flow plain.',
    );
  const off = readTools(without);
  if (engineErrors === true && off.has('planner'))
    throw new AskemaError(
      'INPUT_INVALID',
      '--engine-errors lets the planner find the errors, and --without planner leaves it out; give one of them.',
    );
  const codes = (rules ?? []).map(({ code }) => code);
  return {
    ...(off.size === 0 && engineErrors !== true
      ? {}
      : {
          stages: {
            ...Object.fromEntries([...off].map((tool) => [tool, false] as const)),
            ...(engineErrors === true ? { detector: false, engineErrors: true } : {}),
          },
        }),
    // 0 is a measurement: what the first sequence is worth.
    ...(maxInspections === undefined
      ? {}
      : { limits: { maxInspections: parseCount(maxInspections, '--max-inspections', 0) } }),
    ...(rules === undefined ? {} : { rules }),
    ...(severities === undefined ? {} : { severities: readSeverities([], severities, codes) }),
  };
}
