import type { JsonValue, ModelRequest } from '@askema/core';
import type { OpenAiSettings } from './openai-settings.ts';

/** `temperature` and `top_p` as far as the model takes them. What is left out is told in `warnings`. */
export function samplingSettings(
  request: ModelRequest,
  settings: OpenAiSettings,
): { readonly body: { temperature?: number; top_p?: number }; readonly warnings: readonly string[] } {
  const body = {
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.topP === undefined ? {} : { top_p: request.topP }),
  };
  const { sampling } = settings.traits;
  if (sampling === 'always' || (sampling === 'effort-none' && reasoningEffort(request, settings) === 'none'))
    return { body, warnings: [] };
  const reason =
    sampling === 'never'
      ? `${settings.model} takes none`
      : `${settings.model} takes it only with reasoning effort "none" (providerOptions.${settings.provider})`;
  return { body: {}, warnings: Object.keys(body).map((field) => `${field} was not sent: ${reason}.`) };
}

/** The reasoning effort that the caller's provider options ask for, in the words of either API. */
export function reasoningEffort(request: ModelRequest, settings: OpenAiSettings): JsonValue | undefined {
  const options = request.providerOptions?.[settings.provider];
  const reasoning = options?.reasoning;
  const nested = typeof reasoning === 'object' && reasoning !== null && 'effort' in reasoning ? reasoning.effort : null;
  return options?.reasoning_effort ?? nested ?? undefined;
}
