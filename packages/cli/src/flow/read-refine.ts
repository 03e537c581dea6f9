import { AskemaError, didYouMean } from '@askema/core';
import { REFINE_PRESET_NAMES, type RefineOptions, type RefineStages } from '@askema/text2sql';
import { parseCount } from '../flags/parse-count.ts';

/** Options of the `refine` flow. */
export interface RefineFlags {
  readonly preset?: string | undefined;
  readonly threads?: string | undefined;
  /** Stages that are switched off. */
  readonly without?: readonly string[] | undefined;
  readonly cteOnly?: true | undefined;
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
 * What `--preset`, `--threads`, `--without`, `--cte-only` and `--inspect` say. `--no-samples` promises that the model
 * sees no values, which this flow cannot keep.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown preset or stage, a count that is none, and `--no-samples`.
 */
export function readRefine({
  preset,
  threads,
  without = [],
  cteOnly,
  inspect,
  samples,
}: RefineFlags): RefineOptions | undefined {
  if (!samples) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `refine` shows it results. Leave it out, or use --flow plain.',
    );
  }
  const isDefault = [preset, threads, cteOnly, inspect].every((flag) => flag === undefined) && without.length === 0;
  if (isDefault) return undefined;
  const known = REFINE_PRESET_NAMES.find((name) => name === preset);
  if (preset !== undefined && known === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no preset \`${preset}\`. ${didYouMean(preset, REFINE_PRESET_NAMES)} Presets: ${REFINE_PRESET_NAMES.join(', ')}.`,
    );
  }
  return {
    ...(known === undefined ? {} : { preset: known }),
    ...(threads === undefined ? {} : { limits: { threads: parseCount(threads, '--threads') } }),
    ...readStages(without, { cteOnly: cteOnly === true, inspect: inspect === true }),
  };
}

function readStages(
  without: readonly string[],
  { cteOnly, inspect }: { readonly cteOnly: boolean; readonly inspect: boolean },
): Pick<RefineOptions, 'stages'> {
  if (without.length === 0 && !cteOnly && !inspect) return {};
  const off = without.map((name) => {
    const stage = REFINE_STAGES.find((known) => known === name);
    if (stage !== undefined) return [stage, false] as const;
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no stage \`${name}\` to leave out. ${didYouMean(name, REFINE_STAGES)} Stages: ${REFINE_STAGES.join(', ')}.`,
    );
  });
  if (cteOnly && without.includes('cte'))
    throw new AskemaError('INPUT_INVALID', '--cte-only and --without cte contradict each other; give one of them.');
  return {
    stages: {
      ...Object.fromEntries(off),
      ...(cteOnly ? { cte: 'only' as const } : {}),
      ...(inspect ? { inspection: true } : {}),
    },
  };
}
