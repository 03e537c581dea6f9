import { createCallContext, type ModelRequest, userMessage } from '@askema/core';
import type { AnthropicOptions } from '../anthropic-options.ts';
import { type AnthropicSettings, anthropicSettings } from '../anthropic-settings.ts';

/** The settings of a model at Anthropic itself, unless the options say otherwise. */
export function settingsOf(model: string, options: Partial<AnthropicOptions> = {}): AnthropicSettings {
  return anthropicSettings({ model, ...options }, {});
}

/** A request with one question, unless the parts say otherwise. */
export function requestOf(parts: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [userMessage('How many?')], sample: 0, context: createCallContext(), ...parts };
}
