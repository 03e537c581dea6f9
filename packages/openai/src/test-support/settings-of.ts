import { createCallContext, type ModelRequest, userMessage } from '@askema/core';
import type { OpenAiOptions } from '../openai-options.ts';
import { type OpenAiSettings, openAiSettings } from '../openai-settings.ts';

/** The settings of a model at OpenAI itself, unless the options say otherwise. */
export function settingsOf(model: string, options: Partial<OpenAiOptions> = {}): OpenAiSettings {
  return openAiSettings({ model, ...options }, {});
}

/** A request with one question, unless the parts say otherwise. */
export function requestOf(parts: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [userMessage('How many?')], sample: 0, context: createCallContext(), ...parts };
}
