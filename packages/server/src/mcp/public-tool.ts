import { AskemaError, type SerializedError } from '@askema/core';
import type { Tool, ToolReply } from '@askema/tools';
import { publicError } from '../errors/public-error.ts';

/** A tool whose errors tell a caller over the network what those of routes tell: no path, no host of a database. */
export function publicTool(tool: Tool, requestId: string): Tool {
  return { ...tool, call: async (input, context) => publicReply(await tool.call(input, context), requestId) };
}

function publicReply<Out>(reply: ToolReply<Out>, requestId: string): ToolReply<Out> {
  const { error } = reply.structured as { readonly error?: SerializedError | undefined };
  if (error === undefined) return reply;
  const told = publicError(new AskemaError(error.code, error.message, { details: error.details }), requestId);
  return {
    ...reply,
    structured: { ...reply.structured, error: told },
    text: reply.text.replaceAll(error.message, told.message),
  };
}
