import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { type Message, type Part, type TextPart, type ToolResultPart, textOf, toolArguments } from '@askema/core';
import type { AiSdkProviderOptions, ModelSettings } from '../sdk-model.ts';

/** How prompts are made. */
export interface PromptSettings extends Pick<ModelSettings, 'mark'> {
  readonly prefixOptions: AiSdkProviderOptions | undefined;
}

type Role<Name> = Extract<LanguageModelV4Message, { role: Name }>['content'][number];
type AssistantPart = Role<'assistant'>;
type Options = NonNullable<LanguageModelV4Message['providerOptions']>;

/**
 * Messages as the SDK's models take them. What a provider gave with a part (signatures, ids, content of its own) goes
 * back to that provider; to another one it means nothing. Vendors refuse messages without content.
 */
export function promptOf(messages: readonly Message[], settings: PromptSettings): LanguageModelV4Message[] {
  return messages
    .map((message): LanguageModelV4Message => {
      switch (message.role) {
        case 'system':
          return { role: 'system', content: textOf(message.content) };
        case 'user':
          return { role: 'user', content: userParts(message.content, settings) };
        case 'assistant':
          return { role: 'assistant', content: message.content.flatMap((part) => assistantPart(part, settings.mark)) };
        default:
          return { role: 'tool', content: message.content.map(toolResult) };
      }
    })
    .filter(({ role, content }) => role === 'system' || content.length > 0);
}

/** One text, or one for each prefix that is to be kept: servers that know no lists of parts get none. */
function userParts(parts: readonly TextPart[], { prefixOptions }: PromptSettings): Role<'user'>[] {
  const texts: Role<'user'>[] = [];
  let text = '';
  for (const part of parts) {
    text += part.text;
    if (prefixOptions === undefined || part.endsPrefix !== true) continue;
    texts.push({ type: 'text', text, providerOptions: prefixOptions as Options });
    text = '';
  }
  return text === '' && texts.length > 0 ? texts : [...texts, { type: 'text', text }];
}

function assistantPart(part: Part, mark: string): AssistantPart[] {
  const own = part.vendor?.provider === mark ? part.vendor.data : undefined;
  const options = own === undefined ? {} : { providerOptions: own as Options };
  switch (part.type) {
    case 'text':
      return part.text === '' && own === undefined ? [] : [{ type: 'text', text: part.text, ...options }];
    case 'reasoning':
      return own === undefined ? [] : [{ type: 'reasoning', text: part.text, ...options }];
    case 'tool-call':
      return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: inputOf(part), ...options }];
    default:
      return own === undefined ? [] : vendorPart(own as unknown as VendorContent);
  }
}

/** Vendors take objects only. What was no JSON is not repeated; the result of the call says what was wrong. */
function inputOf({ arguments: value }: Extract<Part, { type: 'tool-call' }>): object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** Content that stands in an answer as it came. */
interface VendorContent {
  readonly type: string;
  readonly providerMetadata?: Options;
  readonly [key: string]: unknown;
}

/** Sources and requests for approval have no place in a prompt. */
function vendorPart({ providerMetadata, ...content }: VendorContent): AssistantPart[] {
  const options = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  switch (content.type) {
    case 'custom':
    case 'file':
    case 'reasoning-file':
      return [{ ...content, ...options } as unknown as AssistantPart];
    case 'tool-call': {
      const input = toolArguments(String(content.input));
      return [
        { ...content, input: 'arguments' in input ? input.arguments : {}, ...options } as unknown as AssistantPart,
      ];
    }
    case 'tool-result': {
      const { result, isError, ...rest } = content;
      const output = { type: isError === true ? 'error-json' : 'json', value: result };
      return [{ ...rest, output, ...options } as unknown as AssistantPart];
    }
    default:
      return [];
  }
}

function toolResult({ toolCallId, name, text, isError }: ToolResultPart): Role<'tool'> {
  return {
    type: 'tool-result',
    toolCallId,
    toolName: name,
    output: { type: isError ? 'error-text' : 'text', value: text },
  };
}
