import {
  type Access,
  AskemaError,
  didYouMean,
  isLanguageModel,
  type LanguageModel,
  nearestNames,
  type Solver,
} from '@askema/core';
import type { Text2SqlFlow } from '@askema/text2sql';
import { callEntry, isFlowLike, type LoadedConfig } from '../config/load-config.ts';
import { FLAG_NAMES, FLOWS, type FlowFlags, type ListedFlow, type MadeFlow } from './flow-list.ts';

/** The configuration, and where the command runs. */
interface FlowPlace extends LoadedConfig {
  readonly cwd: string;
}

/** The flow to run, with its options, and what it is called. */
interface FlowChoice extends MadeFlow {
  readonly label: string;
}

/**
 * Finds and makes the flow that is named, by `--flow` or `defaults.flow` of the configuration; undefined where none is.
 * A name of the configuration goes before one of the list.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name (with the nearest ones) and for flags of another flow,
 * `CONFIG_INVALID` when the entry is no flow.
 */
export async function resolveFlow(
  flags: FlowFlags & { readonly flow?: string | undefined },
  place: FlowPlace,
): Promise<FlowChoice | undefined> {
  const label = flags.flow ?? place.config.defaults?.flow;
  return label === undefined ? undefined : makeFlow(label, flags, place);
}

/** What decides where no flow is named. */
interface DefaultOf {
  readonly model: LanguageModel | Solver;
  readonly access: Access;
  /** Of a run that goes on: the name of the flow that began it. */
  readonly begunWith?: string | undefined;
}

/**
 * The flow where none is named: `auto` where a language model reads, else `plain`; a run goes on with what began it.
 *
 * @throws AskemaError as {@link resolveFlow}.
 */
export async function defaultFlow(
  flags: FlowFlags,
  place: FlowPlace,
  { model, access, begunWith }: DefaultOf,
): Promise<FlowChoice> {
  const usual = isLanguageModel(model) && access === 'read' ? 'auto' : 'plain';
  return makeFlow(begunWith ?? usual, flags, place);
}

async function makeFlow(label: string, flags: FlowFlags, { config, file, cwd }: FlowPlace): Promise<FlowChoice> {
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
    return { ...(await listed.make(flags, config, cwd)), label };
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
