import { AskemaError, didYouMean } from '@askema/core';
import { FLOW_NAMES, type FlowName, type Text2SqlFlow } from '../text2sql-options.ts';
import { directFlow } from './direct-flow.ts';
import { inspectFlow } from './inspect-flow.ts';
import { plainFlow } from './plain-flow.ts';
import { reactFlow } from './react-flow.ts';
import { refineFlow } from './refine-flow.ts';

const FLOWS: Readonly<Record<FlowName, Text2SqlFlow>> = {
  plain: plainFlow,
  refine: refineFlow,
  inspect: inspectFlow,
  react: reactFlow,
  direct: directFlow,
};

/**
 * The flow of this name; a flow is returned as it is.
 *
 * @throws AskemaError `CONFIG_INVALID` for a name that no preset has.
 */
export function flowByName(flow: FlowName | Text2SqlFlow): Text2SqlFlow {
  if (typeof flow !== 'string') return flow;
  if (Object.hasOwn(FLOWS, flow)) return FLOWS[flow];
  throw new AskemaError(
    'CONFIG_INVALID',
    `There is no flow \`${String(flow)}\`. ${didYouMean(flow, FLOW_NAMES)} There are: ${FLOW_NAMES.join(', ')}.`,
  );
}
