import { checkWhole } from '@askema/core';
import type { Tool, ToolContext, ToolName, ToolReply } from '../contract.ts';
import { cutReply } from './cut-reply.ts';

/** What the tools of every agent framework can be told. */
export interface AgentToolsOptions extends Pick<ToolContext, 'tenant' | 'tags'> {
  /** Characters of a reply that the model gets; the application gets all of it. Default: 10,000, from 1,000. */
  readonly modelCharacters?: number | undefined;
}

/** What each call of a tool is given, and the words of its reply for the model. */
export interface AgentCalls {
  readonly context: Pick<ToolContext, 'tenant' | 'tags'>;
  forModel(reply: Pick<ToolReply<unknown>, 'text'>): string;
}

const DEFAULT_MODEL_CHARACTERS = 10_000;
const LEAST_MODEL_CHARACTERS = 1_000;

/** @throws AskemaError `CONFIG_INVALID` for `modelCharacters` out of range */
export function agentCalls(options: AgentToolsOptions): AgentCalls {
  const { modelCharacters = DEFAULT_MODEL_CHARACTERS, tenant, tags } = options;
  checkWhole('modelCharacters', modelCharacters, LEAST_MODEL_CHARACTERS);
  return { context: { tenant, tags }, forModel: ({ text }) => cutReply(text, modelCharacters) };
}

/** At run time it has only the tools of the list. */
export function toolsByName<T>(tools: readonly Tool[], make: (tool: Tool) => T): Readonly<Record<ToolName, T>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, make(tool)])) as Record<ToolName, T>;
}
