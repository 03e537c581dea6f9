import { AskemaError } from '@askema/core';
import type { Text2SqlOptions } from '@askema/text2sql';
import type { LintConfig } from '../config/askema-config.ts';
import { readSeverities } from '../lint/read-severities.ts';
import { readTools } from '../lint/read-tools.ts';
import { parseCount } from '../terminal/parse-count.ts';

/** Options of the `inspect` flow. */
export interface InspectFlags {
  readonly maxInspections?: string | undefined;
  /** The database's own errors take the detector's place. */
  readonly engineErrors?: true | undefined;
}

/**
 * What `--max-inspections`, `--engine-errors` and the tools of `--without` say, with `lint` of the configuration.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown tool and a count that is none; `CONFIG_INVALID` for severities that are none.
 */
export function readInspect(
  { maxInspections, engineErrors }: InspectFlags,
  without: readonly string[],
  { rules, severities }: LintConfig = {},
): NonNullable<Text2SqlOptions['inspect']> {
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
