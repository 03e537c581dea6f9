import { isToolUIPart } from 'ai';
import type { AgentMessage } from './agent.ts';

type Part = AgentMessage['parts'][number];

/**
 * What of a conversation goes to the model. Whoever sends it may have changed it, so only texts and calls that have a
 * result are taken, without what a provider adds: no files, whose addresses this server would fetch; no calls that wait
 * for it; no names of what a provider keeps of others.
 */
export function takenOf(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages
    .filter(({ role }) => role !== 'system')
    .map(({ id, role, parts }) => ({ id, role, parts: parts.flatMap(partOf) }))
    .filter(({ parts }) => parts.length > 0);
}

function partOf(part: Part): Part[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type === 'step-start') return [part];
  if (!isToolUIPart(part) || part.type === 'dynamic-tool') return [];
  const { type, toolCallId, input } = part;
  if (part.state === 'output-available')
    return [{ type, toolCallId, state: part.state, input, output: part.output } as Part];
  if (part.state === 'output-error')
    return [{ type, toolCallId, state: part.state, input, errorText: part.errorText } as Part];
  return [];
}
