import type { ModelRequest } from '@askema/core';
import type { OpenAiSettings } from './openai-settings.ts';
import { strictSchema } from './strict-schema.ts';

/** The schema that the model is held to, as both APIs take it. */
interface OutputFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/** What the model is held to, if it can be, and what was left out. */
export function outputFormat(
  { output }: ModelRequest,
  { model, traits }: OpenAiSettings,
): { readonly format?: OutputFormat; readonly warnings: readonly string[] } {
  if (output === undefined) return { warnings: [] };
  if (traits.structuredOutput === false)
    return { warnings: [`output was not sent: ${model} cannot be held to a schema.`] };
  const { strict, schema } = strictSchema(output.schema);
  return { format: { name: outputName(output.name), schema: { ...schema }, strict }, warnings: [] };
}

/** A name as OpenAI takes it for a schema: letters, digits, `_` and `-`, at most 64. Task ids have dots. */
function outputName(name: string): string {
  const cleaned = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64);
  return cleaned === '' ? 'output' : cleaned;
}
