import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import type { Text2SqlFlow } from '@askema/text2sql';
import { callEntry, isFlowLike, type LoadedConfig } from '../config/load-config.ts';
import { FLAG_NAMES, FLOWS, type FlowFlags, type ListedFlow, type MadeFlow } from './flow-list.ts';

/** The flow to run, with its options, and what it is called. */
interface FlowChoice extends MadeFlow, Pick<ListedFlow, 'statementsMs'> {
  readonly label: string;
}

/**
 * Finds and makes the flow: `--flow`, `defaults.flow` of the configuration, else `plain`. A name of the configuration
 * goes before one of the list.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name (with the nearest ones) and for flags of another flow,
 * `CONFIG_INVALID` when the entry is no flow.
 */
export async function resolveFlow(
  flags: FlowFlags & { readonly flow?: string | undefined },
  loaded: LoadedConfig,
): Promise<FlowChoice> {
  const { config, file } = loaded;
  const label = flags.flow ?? config.defaults?.flow ?? 'plain';
  if (Object.hasOwn(config.flows ?? {}, label)) {
    checkFlags(flags, label, undefined);
    const entry = config.flows?.[label];
    const flow = typeof entry === 'function' ? await callEntry(file, `flows.${label}`, entry) : entry;
    if (flow === undefined || !isFlowLike(flow)) {
      throw new AskemaError('CONFIG_INVALID', `${file}: \`flows.${label}\` returned no flow.`);
    }
    return { flow: flow as Text2SqlFlow, options: {}, label };
  }
  const listed = FLOWS.find(({ name }) => name === label);
  if (listed !== undefined) {
    checkFlags(flags, label, listed);
    return { ...(await listed.make(flags, config)), label, statementsMs: listed.statementsMs };
  }
  const names = [...FLOWS.map(({ name }) => name), ...Object.keys(config.flows ?? {})];
  const hint = didYouMean(label, names);
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no flow \`${label}\`. ${hint === '' ? '' : `${hint} `}Flows: ${names.join(', ')}.`,
    { details: { nearestNames: nearestNames(label, names) } },
  );
}

/** A flag of another flow is a mistake; what the chosen flow does not know is told by its own reader. */
function checkFlags(flags: FlowFlags, label: string, chosen: ListedFlow | undefined): void {
  for (const [flag, written] of Object.entries(FLAG_NAMES) as [keyof typeof FLAG_NAMES, string][]) {
    if (flags[flag] === undefined || chosen?.flags.includes(flag)) continue;
    throw belongsElsewhere(
      written,
      FLOWS.find((flow) => flow.flags.includes(flag)),
      label,
    );
  }
  for (const part of flags.without ?? []) {
    if (chosen?.parts.includes(part)) continue;
    const owner = FLOWS.find(({ parts }) => parts.includes(part));
    if (owner !== undefined) throw belongsElsewhere(`--without ${part}`, owner, label);
    if (chosen === undefined || chosen.parts.length === 0)
      throw belongsElsewhere(
        '--without',
        FLOWS.find(({ parts }) => parts.length > 0),
        label,
      );
  }
}

function belongsElsewhere(flag: string, owner: ListedFlow | undefined, label: string): AskemaError {
  const name = owner?.name ?? '';
  return new AskemaError(
    'INPUT_INVALID',
    `${flag} belongs to the flow \`${name}\`, and the flow is \`${label}\`. Add --flow ${name}.`,
  );
}
