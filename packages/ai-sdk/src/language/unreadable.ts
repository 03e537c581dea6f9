import { AskemaError } from '@askema/core';
import type { ModelSettings } from '../sdk-model.ts';

/** An answer that is none of the SDK's. `why` follows on the name of the model. */
export function unreadable({ provider, model }: ModelSettings, why: string): AskemaError {
  return new AskemaError(
    'MODEL_REQUEST_FAILED',
    `The answer of ${provider}:${model} is none of the AI SDK's: ${why}. Install a version of the provider's package that fits the SDK.`,
  );
}

/** A text of an answer. What is written in JavaScript may give anything. */
export function textOf(value: unknown, name: string, settings: ModelSettings): string {
  if (typeof value === 'string') return value;
  throw unreadable(settings, `\`${name}\` is no text`);
}
