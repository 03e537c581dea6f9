import { AskemaError, type ModelRequest, mergeBody } from '@askema/core';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { cacheKey } from '../cache-key.ts';
import type { OpenAiSettings } from '../openai-settings.ts';
import { outputFormat } from '../output-format.ts';
import { reasoningEffort, samplingSettings } from '../sampling-settings.ts';
import { strictSchema } from '../strict-schema.ts';
import { chatMessages } from './chat-messages.ts';

type Body = ChatCompletionCreateParamsNonStreaming;

/**
 * A request as chat completions take it, and what was left out. Throws `CAPABILITY_UNSUPPORTED` when the model takes no
 * tools over this API.
 */
export function chatRequest(
  request: ModelRequest,
  settings: OpenAiSettings,
): { readonly body: Body; readonly warnings: readonly string[] } {
  checkTools(request, settings);
  const sampling = samplingSettings(request, settings);
  const output = outputFormat(request, settings);
  const stop = stopSequences(request, settings);
  const body: Body = {
    model: settings.model,
    messages: chatMessages(request.messages, settings),
    ...cacheKey(request.messages, settings),
    ...toolFields(request),
    ...(output.format && { response_format: { type: 'json_schema', json_schema: output.format } }),
    ...sampling.body,
    ...stop.body,
    ...(request.maxOutputTokens === undefined ? {} : { [settings.traits.tokenLimit]: request.maxOutputTokens }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
  };
  return {
    body: mergeBody(body, request.providerOptions?.[settings.provider]),
    warnings: [...sampling.warnings, ...output.warnings, ...stop.warnings],
  };
}

function checkTools(request: ModelRequest, settings: OpenAiSettings): void {
  const { chatTools } = settings.traits;
  if (!request.tools?.length || chatTools === 'always') return;
  if (chatTools === 'effort-none' && reasoningEffort(request, settings) === 'none') return;
  throw new AskemaError(
    'CAPABILITY_UNSUPPORTED',
    `${settings.model} takes tools over chat completions ${chatTools === 'never' ? 'not at all' : 'only with reasoning effort "none"'}. Use openai({ api: 'responses' }).`,
  );
}

function toolFields(request: ModelRequest): Pick<Body, 'tools' | 'tool_choice'> {
  if (!request.tools?.length) return {};
  const tools = request.tools.map(({ name, description, parameters }) => {
    const { strict, schema } = strictSchema(parameters);
    return {
      type: 'function' as const,
      function: { name, description, parameters: schema, ...(strict ? { strict } : {}) },
    };
  });
  const choice = request.toolChoice;
  if (choice === undefined || choice === 'auto') return { tools };
  return {
    tools,
    tool_choice: typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } },
  };
}

function stopSequences(
  request: ModelRequest,
  settings: OpenAiSettings,
): { readonly body: Pick<Body, 'stop'>; readonly warnings: readonly string[] } {
  if (!request.stop?.length) return { body: {}, warnings: [] };
  return settings.traits.stop
    ? { body: { stop: [...request.stop] }, warnings: [] }
    : { body: {}, warnings: [`stop was not sent: ${settings.model} takes none.`] };
}
