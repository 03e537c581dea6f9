import type { JsonSchema, ModelRequest } from '@askema/core';
import type { AnthropicSettings } from '../anthropic-settings.ts';
import { outputSchema } from '../output-schema.ts';

/** How one request gets its answer into a schema. */
export type OutputPlan =
  | { readonly way: 'free' }
  | { readonly way: 'native'; readonly schema: JsonSchema }
  | { readonly way: 'tool'; readonly tool: string; readonly schema: JsonSchema }
  | { readonly way: 'instructions'; readonly text: string };

/**
 * Natively where the model can and the schema can be said so; else by a tool that must be called; else by asking for
 * it. Thinking and forced tools exclude each other
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking#extended-thinking-with-tool-use).
 */
export function outputPlan(request: ModelRequest, settings: AnthropicSettings): OutputPlan {
  if (request.output === undefined) return { way: 'free' };
  const { name, schema } = request.output;
  const { structuredOutput } = settings.traits;
  const native = structuredOutput === 'native' ? outputSchema(schema) : undefined;
  if (native !== undefined) return { way: 'native', schema: native };
  if (structuredOutput !== 'instructions' && canForceTools(request, settings) && schema.type === 'object')
    return { way: 'tool', tool: toolName(name, request), schema };
  return {
    way: 'instructions',
    text: `Answer with one JSON value and nothing else. It must be valid against this JSON Schema:\n${JSON.stringify(schema)}`,
  };
}

/** Whether this request may force a tool call. */
export function canForceTools(request: ModelRequest, settings: AnthropicSettings): boolean {
  return settings.traits.forcedTools && !asksToThink(request, settings);
}

/** True when the caller's provider options turn thinking on. */
export function asksToThink(request: ModelRequest, settings: AnthropicSettings): boolean {
  const thinking = request.providerOptions?.[settings.provider]?.thinking;
  const type = typeof thinking === 'object' && thinking !== null && 'type' in thinking ? thinking.type : undefined;
  return type === 'enabled' || type === 'adaptive';
}

/** A tool name as the API takes it, different from the caller's own tools. */
function toolName(name: string, request: ModelRequest): string {
  const cleaned = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 60) || 'answer';
  return request.tools?.some((tool) => tool.name === cleaned) ? `${cleaned}_out` : cleaned;
}
