import { type Message, type ModelRequest, mergeBody, type Part, textOf, type VendorData } from '@askema/core';
import type { ResponseCreateParamsNonStreaming, ResponseInputItem } from 'openai/resources/responses/responses';
import { cacheKey } from '../cache-key.ts';
import type { OpenAiSettings } from '../openai-settings.ts';
import { outputFormat } from '../output-format.ts';
import { samplingSettings } from '../sampling-settings.ts';
import { strictSchema } from '../strict-schema.ts';

type Body = ResponseCreateParamsNonStreaming;

/** The responses API takes no smaller limit. */
const LEAST_OUTPUT_TOKENS = 16;

/**
 * A request as the responses API takes it, and what was left out. Nothing is stored at the vendor (`store: false`);
 * reasoning models therefore send their reasoning along, encrypted.
 */
export function responsesRequest(
  request: ModelRequest,
  settings: OpenAiSettings,
): { readonly body: Body; readonly warnings: readonly string[] } {
  const sampling = samplingSettings(request, settings);
  const output = outputFormat(request, settings);
  const body: Body = {
    model: settings.model,
    input: responsesInput(request.messages, settings),
    store: false,
    ...cacheKey(request.messages, settings),
    ...(settings.traits.reasoning ? { include: ['reasoning.encrypted_content'] } : {}),
    ...toolFields(request),
    ...(output.format && { text: { format: { type: 'json_schema', ...output.format } } }),
    ...sampling.body,
    ...(request.maxOutputTokens === undefined
      ? {}
      : { max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, request.maxOutputTokens) }),
  };
  return {
    body: mergeBody(body, request.providerOptions?.[settings.provider]),
    warnings: [...sampling.warnings, ...output.warnings, ...unknownSettings(request)],
  };
}

function toolFields(request: ModelRequest): Pick<Body, 'tools' | 'tool_choice'> {
  if (!request.tools?.length) return {};
  const tools = request.tools.map(({ name, description, parameters }) => {
    const { strict, schema } = strictSchema(parameters);
    // This API is strict unless it is told not to be.
    return { type: 'function' as const, name, description, parameters: { ...schema }, strict };
  });
  const choice = request.toolChoice;
  if (choice === undefined || choice === 'auto') return { tools };
  return { tools, tool_choice: typeof choice === 'string' ? choice : { type: 'function', name: choice.name } };
}

function unknownSettings(request: ModelRequest): string[] {
  return [
    ...(request.stop?.length ? ['stop was not sent: the responses API has none.'] : []),
    ...(request.seed === undefined ? [] : ['seed was not sent: the responses API has none.']),
    ...(request.maxOutputTokens !== undefined && request.maxOutputTokens < LEAST_OUTPUT_TOKENS
      ? [`maxOutputTokens was raised to ${LEAST_OUTPUT_TOKENS}: the responses API takes no less.`]
      : []),
  ];
}

/**
 * Messages as items of the responses API. What the vendor gave goes back unchanged and in its place: reasoning items
 * with their encrypted content, function calls with their ids, and items of a kind that we do not know
 * (https://developers.openai.com/api/docs/guides/reasoning#keeping-reasoning-items-in-context).
 */
function responsesInput(messages: readonly Message[], settings: OpenAiSettings): ResponseInputItem[] {
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

/**
 * The item of an earlier answer of this provider's responses API; other data, such as that of chat completions, is no
 * item.
 */
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
