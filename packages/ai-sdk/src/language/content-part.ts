import type { LanguageModelV4Content } from '@ai-sdk/provider';
import { type JsonValue, type Part, toolArguments } from '@askema/core';

/** Content of an answer as a part. What a provider gave with it is kept, to be given back. */
export function contentPart(content: LanguageModelV4Content, mark: string): Part {
  const vendor = (data: unknown) => ({ provider: mark, data: toJson(data) });
  const own = content.providerMetadata === undefined ? {} : { vendor: vendor(content.providerMetadata) };
  if (content.type === 'text') return { type: 'text', text: content.text, ...own };
  // Also without a signature it goes back to where it came from.
  if (content.type === 'reasoning')
    return { type: 'reasoning', text: content.text, vendor: vendor(content.providerMetadata ?? {}) };
  if (content.type === 'tool-call' && content.providerExecuted !== true)
    return {
      type: 'tool-call',
      id: content.toolCallId,
      name: content.toolName,
      ...toolArguments(content.input),
      ...own,
    };
  return { type: 'vendor', vendor: vendor(content) };
}

/** As a journal keeps it; bytes of files as base64, which the SDK takes as well. */
function toJson(data: unknown): JsonValue {
  return JSON.parse(
    JSON.stringify(data, function (this: Record<string, unknown>, key, value: unknown) {
      // Before `Buffer` has written itself out as a list of numbers.
      const raw = this[key];
      return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
    }),
  ) as JsonValue;
}
