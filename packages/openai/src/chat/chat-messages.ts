import { type Message, type Part, textOf } from '@askema/core';
import type {
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { OpenAiSettings } from '../openai-settings.ts';

/** The fields by which compatible servers send reasoning: vLLM, Ollama and DeepSeek do not agree on one. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;

/** What a reasoning part of chat completions keeps: the field that it came by. */
export interface ChatReasoningData {
  readonly chatField: string;
}

type AssistantMessage = Extract<ChatCompletionMessageParam, { role: 'assistant' }>;

/**
 * Messages as chat completions take them. Reasoning goes back by the field that it came by, but only within the current
 * tool loop: servers want it there and refuse it elsewhere (https://api-docs.deepseek.com/guides/thinking_mode).
 */
export function chatMessages(messages: readonly Message[], settings: OpenAiSettings): ChatCompletionMessageParam[] {
  const loopStart = messages.findLastIndex((message) => message.role === 'user');
  return messages.flatMap((message, index): ChatCompletionMessageParam[] => {
    switch (message.role) {
      case 'system':
        return [{ role: settings.traits.instructionRole, content: textOf(message.content) }];
      case 'user':
        return [{ role: 'user', content: textOf(message.content) }];
      case 'assistant':
        return [assistantMessage(message.content, settings.provider, index > loopStart)];
      default:
        return message.content.map((result) => ({
          role: 'tool',
          tool_call_id: result.toolCallId,
          content: result.text,
        }));
    }
  });
}

function assistantMessage(content: readonly Part[], provider: string, inToolLoop: boolean): AssistantMessage {
  const calls = content.flatMap(toolCall);
  const text = textOf(content);
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(inToolLoop ? reasoningFields(content, provider) : {}),
  };
}

function toolCall(part: Part): ChatCompletionMessageFunctionToolCall[] {
  if (part.type !== 'tool-call') return [];
  const text = part.invalidArguments ?? JSON.stringify(part.arguments ?? {});
  return [{ id: part.id, type: 'function', function: { name: part.name, arguments: text } }];
}

function reasoningFields(content: readonly Part[], provider: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const part of content) {
    if (part.type !== 'reasoning' || part.vendor?.provider !== provider) continue;
    const field = (part.vendor.data as Partial<ChatReasoningData> | null)?.chatField;
    if (REASONING_FIELDS.some((known) => known === field))
      fields[String(field)] = (fields[String(field)] ?? '') + part.text;
  }
  return fields;
}
