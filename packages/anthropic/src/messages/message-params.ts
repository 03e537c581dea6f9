import type { ContentBlockParam, MessageParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Message, type Part, type TextPart, type ToolResultPart, textOf } from '@askema/core';
import type { AnthropicSettings } from '../anthropic-settings.ts';

type Settings = Pick<AnthropicSettings, 'provider' | 'promptCaching'>;

/** The API takes four marks; one may come by `providerOptions`. */
const MAX_MARKS = 3;

/** All instructions, in their order; the protocol keeps them apart from the conversation. */
export function systemBlocks(messages: readonly Message[]): TextBlockParam[] {
  return messages.flatMap((message) => (message.role === 'system' ? textBlocks(textOf(message.content)) : []));
}

/**
 * The conversation as the messages API takes it. Turns of one side are merged, because the results of parallel tool
 * calls must stand in one turn. Thinking and other blocks of the vendor go back unchanged and in their place
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks).
 */
export function messageParams(messages: readonly Message[], settings: Settings): MessageParam[] {
  const turns: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message, settings);
    // The API refuses empty turns and empty texts.
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  const marked = turns.flatMap(({ content }) => content).filter((block) => 'cache_control' in block);
  for (const block of marked.slice(0, -MAX_MARKS)) delete (block as TextBlockParam).cache_control;
  return turns;
}

function blocksOf(
  message: Exclude<Message, { role: 'system' }>,
  { provider, promptCaching }: Settings,
): ContentBlockParam[] {
  switch (message.role) {
    case 'user':
      return promptCaching ? markedBlocks(message.content) : textBlocks(textOf(message.content));
    case 'assistant':
      return message.content.flatMap((part) => assistantBlocks(part, provider));
    default:
      return message.content.map(toolResult);
  }
}

/** A block up to each end of a prefix, with the mark by which the vendor keeps it. */
function markedBlocks(parts: readonly TextPart[]): TextBlockParam[] {
  const blocks: TextBlockParam[] = [];
  let text = '';
  for (const part of parts) {
    text += part.text;
    if (part.endsPrefix !== true) continue;
    for (const block of textBlocks(text)) blocks.push({ ...block, cache_control: { type: 'ephemeral' } });
    text = '';
  }
  return [...blocks, ...textBlocks(text)];
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
