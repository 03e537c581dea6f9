import type { JsonValue } from '../../values/value.ts';

/**
 * What a model wrote as the arguments of a tool call, for a ToolCallPart: parsed, or as text when it is no JSON.
 * Nothing at all means a call without arguments.
 */
export function toolArguments(text: string): { arguments: JsonValue } | { invalidArguments: string } {
  if (text.trim() === '') return { arguments: {} };
  try {
    return { arguments: JSON.parse(text) as JsonValue };
  } catch {
    return { invalidArguments: text };
  }
}
