import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { type ModelRequest, sdkRequestOptions } from '@askema/core';
import type { ModelSettings } from '../sdk-model.ts';
import { type PromptSettings, promptOf } from './prompt.ts';

type Options = LanguageModelV4CallOptions;

/** A request as the SDK's models take it. `sample` has no place there: it tells cached answers apart. */
export function callOptions(
  request: ModelRequest,
  settings: ModelSettings & PromptSettings,
  abortSignal: AbortSignal,
): Options {
  const { temperature, topP, maxOutputTokens, stop, seed, providerOptions } = request;
  return {
    prompt: promptOf(request.messages, settings),
    abortSignal,
    headers: sdkRequestOptions(settings, request, abortSignal).headers,
    ...toolFields(request),
    ...outputFormat(request),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(stop?.length ? { stopSequences: [...stop] } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(providerOptions === undefined
      ? {}
      : { providerOptions: providerOptions as NonNullable<Options['providerOptions']> }),
  };
}

function toolFields({ tools, toolChoice: choice }: ModelRequest): Pick<Options, 'tools' | 'toolChoice'> {
  if (!tools?.length) return {};
  const functions = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters as JsonSchema7,
  }));
  if (choice === undefined) return { tools: functions };
  const toolChoice = typeof choice === 'string' ? { type: choice } : { type: 'tool' as const, toolName: choice.name };
  return { tools: functions, toolChoice };
}

/** The SDK types draft 7; providers pass on what stands there. */
type JsonSchema7 = Extract<NonNullable<Options['tools']>[number], { type: 'function' }>['inputSchema'];

/** The name as the vendors take it: letters, digits, `_` and `-`, at most 64. Task ids have dots. */
function outputFormat({ output }: ModelRequest): Pick<Options, 'responseFormat'> {
  if (output === undefined) return {};
  const name = output.name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64) || 'output';
  return { responseFormat: { type: 'json', schema: output.schema as JsonSchema7, name } };
}
