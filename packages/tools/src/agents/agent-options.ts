import { checkWhole } from '@askema/core';
import { z } from 'zod';
import type { Tool, ToolContext, ToolName } from '../contract.ts';
import { cutReply } from './cut-reply.ts';

/** What the tools of every agent framework can be told. */
export interface AgentToolsOptions extends Pick<ToolContext, 'tenant' | 'tags'> {
  /** Characters of a reply that the model gets; the application gets all of it. Default: 10,000, from 1,000. */
  readonly modelCharacters?: number | undefined;
}

/** What the model gets of a reply. */
export interface ModelOutput {
  readonly type: 'text' | 'error-text';
  readonly value: string;
}

/** What each call of a tool is given, and what the model gets of its reply. */
export interface AgentCalls {
  readonly context: Pick<ToolContext, 'tenant' | 'tags'>;
  /** So much of a text as the model gets. */
  forModel(text: string): string;
  /** Of what a framework or a page has kept; undefined where that is no reply. */
  modelOutput(kept: unknown): ModelOutput | undefined;
}

export const replySchema = z.object({ structured: z.unknown(), text: z.string(), isError: z.boolean() });

const DEFAULT_MODEL_CHARACTERS = 10_000;
const LEAST_MODEL_CHARACTERS = 1_000;

/** @throws AskemaError `CONFIG_INVALID` for `modelCharacters` out of range */
export function agentCalls(options: AgentToolsOptions): AgentCalls {
  const { modelCharacters = DEFAULT_MODEL_CHARACTERS, tenant, tags } = options;
  checkWhole('modelCharacters', modelCharacters, LEAST_MODEL_CHARACTERS);
  const forModel = (text: string) => cutReply(text, modelCharacters);
  return {
    context: { tenant, tags },
    forModel,
    modelOutput(kept) {
      const { success, data } = replySchema.safeParse(kept);
      return success ? { type: data.isError ? 'error-text' : 'text', value: forModel(data.text) } : undefined;
    },
  };
}

/** At run time it has only the tools of the list. */
export function toolsByName<T>(tools: readonly Tool[], make: (tool: Tool) => T): Readonly<Record<ToolName, T>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, make(tool)])) as Record<ToolName, T>;
}
