import type { ContentBlockParam, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Message, type Part, type ToolResultPart, textOf } from '@askema/core';

/** All instructions, in their order; the protocol keeps them apart from the conversation. */
export function systemBlocks(messages: readonly Message[]): TextBlockParam[] {
  return messages.flatMap((message) => (message.role === 'system' ? textBlocks(textOf(message.content)) : []));
}

/**
 * The conversation as the messages API takes it. Turns of one side are merged, because the results of parallel tool
 * calls must stand in one turn. Thinking and other blocks of the vendor go back unchanged and in their place
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks).
 */
export function messageParams(messages: readonly Message[], provider: string): MessageParam[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message, provider);
    // The API refuses empty turns and empty texts.
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return turns;
}

function blocksOf(message: Exclude<Message, { role: 'system' }>, provider: string): ContentBlockParam[] {
  switch (message.role) {
    case 'user':
      return textBlocks(textOf(message.content));
    case 'assistant':
      return message.content.flatMap((part) => assistantBlocks(part, provider));
    default:
      return message.content.map(toolResult);
  }
}

function textBlocks(text: string): TextBlockParam[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function assistantBlocks(part: Part, provider: string): ContentBlockParam[] {
  if (part.type === 'text') return textBlocks(part.text);
  if (part.type === 'tool-call') return [{ type: 'tool_use', id: part.id, name: part.name, input: inputOf(part) }];
  // Thinking that this vendor has not signed means nothing to it.
  return part.vendor?.provider === provider ? [part.vendor.data as unknown as ContentBlockParam] : [];
}

/**
 * The API takes objects only. Arguments that were no JSON are not repeated; the result of the call says what was wrong.
 */
function inputOf(part: Extract<Part, { type: 'tool-call' }>): object {
  const value = part.arguments;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function toolResult(result: ToolResultPart): ContentBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: result.toolCallId,
    ...(result.text.trim() === '' ? {} : { content: result.text }),
    ...(result.isError ? { is_error: true } : {}),
  };
}
