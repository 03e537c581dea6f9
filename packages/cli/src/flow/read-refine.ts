import { AskemaError, didYouMean } from '@askema/core';
import { REFINE_PRESET_NAMES, type Text2SqlOptions } from '@askema/text2sql';
import { parseCount } from '../terminal/parse-count.ts';
import type { FlowChoice } from './resolve-flow.ts';

/** Options of the `refine` flow. */
export interface RefineFlags {
  readonly preset?: string | undefined;
  readonly threads?: string | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
}

/**
 * What `--preset` and `--threads` say. `--no-samples` promises that the model sees no values, which this flow cannot keep.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown preset, a count that is none, and with a flow that has neither.
 */
export function readRefine(
  { preset, threads, samples }: RefineFlags,
  { flow, label }: FlowChoice,
): Pick<Text2SqlOptions, 'refine'> {
  if (flow === 'refine' && !samples) {
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `refine` shows it results. Leave it out, or use --flow plain.',
    );
  }
  if (preset === undefined && threads === undefined) return {};
  if (flow === 'plain' || flow === 'react' || flow === 'direct') {
    const option = preset === undefined ? '--threads' : '--preset';
    throw new AskemaError(
      'INPUT_INVALID',
      `${option} belongs to the flow \`refine\`, and the flow is \`${label}\`. Add --flow refine.`,
    );
  }
  const known = REFINE_PRESET_NAMES.find((name) => name === preset);
  if (preset !== undefined && known === undefined) {
    throw new AskemaError(
      'INPUT_INVALID',
      `There is no preset \`${preset}\`. ${didYouMean(preset, REFINE_PRESET_NAMES)} Presets: ${REFINE_PRESET_NAMES.join(', ')}.`,
    );
  }
  const limits = threads === undefined ? {} : { limits: { threads: parseCount(threads, '--threads') } };
  return { refine: { ...(known === undefined ? {} : { preset: known }), ...limits } };
}
