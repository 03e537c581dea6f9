import { AskemaError } from '@askema/core';
import type { RefineOptions, RefinePreset, RefineStages } from '@askema/text2sql';
import { oneOf } from '../flags/one-of.ts';
import { parseCount } from '../flags/parse-count.ts';

/** Options of the `refine` flow. */
export interface RefineFlags {
  readonly preset?: string | undefined;
  readonly threads?: string | undefined;
  /** Stages that are switched off. */
  readonly without?: readonly string[] | undefined;
  readonly cteOnly?: true | undefined;
  /** Each thread is one continuing chat. */
  readonly conversation?: true | undefined;
  /** Each statement is inspected before it runs. */
  readonly inspect?: true | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
}

/** The stages that `--without` knows. */
export const REFINE_STAGES: readonly (keyof RefineStages)[] = [
  'format',
  'exploration',
  'profile',
  'consistency',
  'cte',
  'choose',
];

/**
 * What `--preset`, `--threads`, `--without`, `--cte-only`, `--conversation` and `--inspect` say. `--no-samples`
 * promises that the model sees no values, which this flow cannot keep.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown preset or stage, an invalid count, and `--no-samples`.
 */
export function readRefine(
  { preset, threads, without = [], cteOnly, conversation, inspect, samples }: RefineFlags,
  presets: readonly RefinePreset[],
): RefineOptions | undefined {
  if (!samples) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `refine` shows it results. Leave it out, or use --flow plain.',
    );
  }
  const isDefault =
    [preset, threads, cteOnly, conversation, inspect].every((flag) => flag === undefined) && without.length === 0;
  if (isDefault) return undefined;
  return {
    ...(preset === undefined ? {} : { preset: oneOf('--preset', preset, presets) }),
    ...(threads === undefined ? {} : { limits: { threads: parseCount(threads, '--threads') } }),
    ...(conversation === true ? { rules: { conversation } } : {}),
    ...readStages(without, { cteOnly: cteOnly === true, inspect: inspect === true }),
  };
}

function readStages(
  without: readonly string[],
  { cteOnly, inspect }: { readonly cteOnly: boolean; readonly inspect: boolean },
): Pick<RefineOptions, 'stages'> {
  if (without.length === 0 && !cteOnly && !inspect) return {};
  const off = without.map((name) => oneOf('--without', name, REFINE_STAGES));
  if (cteOnly && off.includes('cte'))
    throw new AskemaError('INPUT_INVALID', '--cte-only and --without cte contradict each other; give one of them.');
  return {
    stages: {
      ...Object.fromEntries(off.map((stage) => [stage, false])),
      ...(cteOnly ? { cte: 'only' as const } : {}),
      ...(inspect ? { inspection: true } : {}),
    },
  };
}
