import { AskemaError, didYouMean } from '@askema/core';
import { REFINE_PRESET_NAMES, type RefineOptions, type RefineStages, type Text2SqlOptions } from '@askema/text2sql';
import { parseCount } from '../terminal/parse-count.ts';
import type { FlowChoice } from './resolve-flow.ts';

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
 * What `--preset`, `--threads`, `--without`, `--cte-only` and `--inspect` say. `--no-samples` promises that the model sees no values, which this flow cannot keep.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown preset or stage, a count that is none, and with a flow that has neither.
 */
export function readRefine(
  { preset, threads, without = [], cteOnly, inspect, samples }: RefineFlags,
  { flow, label }: FlowChoice,
): Pick<Text2SqlOptions, 'refine'> {
  if (flow === 'refine' && !samples) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `refine` shows it results. Leave it out, or use --flow plain.',
    );
  }
  const given = [
    ...(preset === undefined ? [] : ['--preset']),
    ...(threads === undefined ? [] : ['--threads']),
    ...(without.length === 0 ? [] : ['--without']),
    ...(cteOnly === undefined ? [] : ['--cte-only']),
    ...(inspect === undefined ? [] : ['--inspect']),
  ];
  if (given.length === 0) return {};
  if (typeof flow === 'string' && flow !== 'refine') {
    throw new AskemaError(
      'INPUT_INVALID',
      `${given[0]} belongs to the flow \`refine\`, and the flow is \`${label}\`. Add --flow refine.`,
    );
  }
  const known = REFINE_PRESET_NAMES.find((name) => name === preset);
  if (preset !== undefined && known === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no preset \`${preset}\`. ${didYouMean(preset, REFINE_PRESET_NAMES)} Presets: ${REFINE_PRESET_NAMES.join(', ')}.`,
    );
  }
  return {
    refine: {
      ...(known === undefined ? {} : { preset: known }),
      ...(threads === undefined ? {} : { limits: { threads: parseCount(threads, '--threads') } }),
      ...readStages(without, { cteOnly: cteOnly === true, inspect: inspect === true }),
    },
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
