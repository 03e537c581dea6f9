import { type Message, type Part, textOf, type VendorData } from '@askema/core';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { OpenAiSettings } from '../openai-settings.ts';

/**
 * Messages as items of the responses API. What the vendor gave goes back unchanged and in its place: reasoning items with their
 * encrypted content, function calls with their ids, and items of a kind that we do not know
 * (https://developers.openai.com/api/docs/guides/reasoning#keeping-reasoning-items-in-context).
 */
export function responsesInput(messages: readonly Message[], settings: OpenAiSettings): ResponseInputItem[] {
  return messages.flatMap((message): ResponseInputItem[] => {
    switch (message.role) {
      case 'system':
        return [{ type: 'message', role: settings.traits.instructionRole, content: textOf(message.content) }];
      case 'user':
        return [{ type: 'message', role: 'user', content: textOf(message.content) }];
      case 'assistant':
        return message.content.flatMap((part) => assistantItem(part, settings.provider));
      default:
        return message.content.map((result) => ({
          type: 'function_call_output',
          call_id: result.toolCallId,
          output: result.text,
        }));
    }
  });
}

function assistantItem(part: Part, provider: string): ResponseInputItem[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content: part.text }];
  const item = ownItem(part.vendor, provider);
  if (item !== undefined) return canGoBack(item) ? [item] : [];
  if (part.type !== 'tool-call') return [];
  const text = part.invalidArguments ?? JSON.stringify(part.arguments ?? {});
  return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: text }];
}

/** The item of an earlier answer of this provider's responses API; other data, such as that of chat completions, is no item. */
function ownItem(vendor: VendorData | undefined, provider: string): ResponseInputItem | undefined {
  if (vendor?.provider !== provider) return undefined;
  const data = vendor.data as { type?: unknown } | null;
  return typeof data?.type === 'string' ? (data as unknown as ResponseInputItem) : undefined;
}

/** Nothing is stored at the vendor, so a reasoning item without content of its own would point at nothing. */
function canGoBack(item: ResponseInputItem): boolean {
  if (item.type !== 'reasoning') return true;
  return Boolean(item.encrypted_content) || (item.content?.length ?? 0) > 0;
}
