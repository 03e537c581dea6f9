import { AskemaError, didYouMean } from '@askema/core';
import type { Text2SqlOptions } from '@askema/text2sql';
import type { LoadedConfig } from '../config/load-config.ts';
import { INSPECTION_TOOLS } from '../lint/read-tools.ts';
import { type InspectFlags, readInspect } from './read-inspect.ts';
import { REFINE_STAGES, type RefineFlags, readRefine } from './read-refine.ts';
import type { FlowChoice } from './resolve-flow.ts';

/** Options that belong to single flows. */
export interface FlowFlags extends Omit<RefineFlags, 'without'>, InspectFlags {
  /** Stages of `refine` or tools of `inspect` that are switched off. */
  readonly without?: readonly string[] | undefined;
}

/**
 * The options of the flow that is going to run. A flow of the configuration may have the stages of both.
 *
 * @throws AskemaError `INPUT_INVALID` for an option of another flow, an unknown stage or tool, and `--no-samples` where it cannot be kept.
 */
export function readFlowOptions(
  flags: FlowFlags,
  choice: FlowChoice,
  { config }: LoadedConfig,
): Pick<Text2SqlOptions, 'refine' | 'inspect'> {
  const { flow, label } = choice;
  const { without = [], samples } = flags;
  const isOwn = typeof flow !== 'string';
  const tools = flow === 'inspect' ? without : isOwn ? without.filter(isTool) : [];
  const stages = flow === 'inspect' ? [] : isOwn ? without.filter((name) => !isTool(name)) : without;
  if (flow !== 'inspect' && !isOwn) {
    const given = optionOfInspect(flags);
    if (given !== undefined)
      throw new AskemaError(
        'INPUT_INVALID',
        `${given} belongs to the flow \`inspect\`, and the flow is \`${label}\`. Add --flow inspect.`,
      );
  }
  if (flow === 'inspect' && !samples && !tools.includes('retriever'))
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `inspect` shows it cells. Add --without retriever, or use --flow plain.',
    );
  if (isOwn) checkNames(without);
  const hasInspect = flow === 'inspect' || (isOwn && (tools.length > 0 || optionOfInspect(flags) !== undefined));
  return {
    ...readRefine({ ...flags, without: stages }, choice),
    ...(hasInspect ? { inspect: readInspect(flags, tools, config.lint) } : {}),
  };
}

function optionOfInspect({ maxInspections, engineErrors, without = [] }: FlowFlags): string | undefined {
  if (maxInspections !== undefined) return '--max-inspections';
  if (engineErrors !== undefined) return '--engine-errors';
  const tool = without.find(isTool);
  return tool === undefined ? undefined : `--without ${tool}`;
}

function isTool(name: string): boolean {
  return INSPECTION_TOOLS.some((known) => known === name);
}

function checkNames(names: readonly string[]): void {
  const known = [...INSPECTION_TOOLS, ...REFINE_STAGES];
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown === undefined) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `There is nothing called \`${unknown}\` to leave out. ${didYouMean(unknown, known)} Known: ${known.join(', ')}.`,
  );
}
