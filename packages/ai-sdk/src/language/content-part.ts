import type { LanguageModelV4Content } from '@ai-sdk/provider';
import { type JsonValue, type Part, toolArguments } from '@askema/core';
import type { ModelSettings } from '../sdk-model.ts';
import { textOf, unreadable } from './unreadable.ts';

/** Content of an answer as a part. What a provider gave with it is kept, to be given back. */
export function contentPart(content: LanguageModelV4Content, settings: ModelSettings): Part {
  if (typeof content !== 'object' || content === null) throw unreadable(settings, 'a part of `content` is no object');
  const vendor = (data: unknown) => ({ provider: settings.mark, data: toJson(data, settings) });
  const own = content.providerMetadata === undefined ? {} : { vendor: vendor(content.providerMetadata) };
  if (content.type === 'text') return { type: 'text', text: textOf(content.text, 'text', settings), ...own };
  // Also without a signature it goes back to where it came from.
  if (content.type === 'reasoning')
    return {
      type: 'reasoning',
      text: textOf(content.text, 'text', settings),
      vendor: vendor(content.providerMetadata ?? {}),
    };
  if (content.type === 'tool-call' && content.providerExecuted !== true)
    return {
      type: 'tool-call',
      id: textOf(content.toolCallId, 'toolCallId', settings),
      name: textOf(content.toolName, 'toolName', settings),
      ...toolArguments(textOf(content.input, 'input', settings)),
      ...own,
    };
  return { type: 'vendor', vendor: vendor(content) };
}

/** As a journal keeps it; bytes of files as base64, which the SDK takes as well. */
function toJson(data: unknown, settings: ModelSettings): JsonValue {
  try {
    return JSON.parse(
      JSON.stringify(data, function (this: Record<string, unknown>, key, value: unknown) {
        // Before `Buffer` has written itself out as a list of numbers.
        const raw = this[key];
        return raw instanceof Uint8Array ? Buffer.from(raw).toString('base64') : value;
      }),
    ) as JsonValue;
  } catch {
    throw unreadable(settings, 'what its provider adds is no JSON');
  }
}
