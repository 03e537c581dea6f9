import { AskemaError, nearestNames } from '@askema/core';
import { FLOW_NAMES, type FlowName, type Text2SqlFlow } from '@askema/text2sql';
import { callEntry } from '../config/call-entry.ts';
import { isFlowLike, type LoadedConfig } from '../config/load-config.ts';

/** The flow to run and what it is called. */
export interface FlowChoice {
  readonly flow: FlowName | Text2SqlFlow;
  readonly label: string;
}

/**
 * Finds the flow: `--flow`, `defaults.flow` of the configuration, else `plain`. A name of the configuration goes before a preset.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown name (with the nearest ones), `CONFIG_INVALID` when the entry is no flow.
 */
export async function resolveFlow(flag: string | undefined, loaded: LoadedConfig): Promise<FlowChoice> {
  const { config, file } = loaded;
  const label = flag ?? config.defaults?.flow ?? 'plain';
  if (Object.hasOwn(config.flows ?? {}, label)) {
    const entry = config.flows?.[label];
    const flow = typeof entry === 'function' ? await callEntry(file, `flows.${label}`, entry) : entry;
    if (flow === undefined || !isFlowLike(flow)) {
      throw new AskemaError('CONFIG_INVALID', `${file}: \`flows.${label}\` returned no flow.`);
    }
    return { flow, label };
  }
  const preset = FLOW_NAMES.find((name) => name === label);
  if (preset !== undefined) return { flow: preset, label };
  const names = [...FLOW_NAMES, ...Object.keys(config.flows ?? {})];
  const near = nearestNames(label, names);
  const hint = near.length > 0 ? `Did you mean ${near.map((name) => `\`${name}\``).join(' or ')}? ` : '';
  throw new AskemaError('INPUT_INVALID', `There is no flow \`${label}\`. ${hint}Flows: ${names.join(', ')}.`, {
    details: { nearestNames: near },
  });
}
