import type { LanguageModel } from '@askema/core';

/**
 * How the parts of a model call are named. Those of OpenTelemetry are in development and still change: they are as of
 * open-telemetry/semantic-conventions-genai@002c8a6, docs/gen-ai/gen-ai-spans.md and gen-ai-metrics.md.
 */
export interface ModelNames {
  readonly operation: string;
  readonly provider: string;
  readonly model: string;
  readonly temperature: string;
  readonly topP: string;
  readonly maxTokens: string;
  readonly seed: string;
  readonly outputType: string;
  readonly responseId: string;
  readonly responseModel: string;
  readonly finishReasons: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly cachedInputTokens: string;
  readonly cacheWriteTokens: string;
  readonly reasoningTokens: string;
  readonly inputMessages: string;
  readonly outputMessages: string;
  readonly tokenType: string;
  /** Metrics. */
  readonly tokenUsage: string;
  readonly duration: string;
}

/** What spans and metrics of a model call have in common. */
export function callAttributes(names: ModelNames, model: Pick<LanguageModel, 'provider' | 'modelId'>) {
  return { [names.operation]: 'chat', [names.provider]: model.provider, [names.model]: model.modelId };
}

export const GEN_AI_NAMES: ModelNames = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  temperature: 'gen_ai.request.temperature',
  topP: 'gen_ai.request.top_p',
  maxTokens: 'gen_ai.request.max_tokens',
  seed: 'gen_ai.request.seed',
  outputType: 'gen_ai.output.type',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_creation.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tokenType: 'gen_ai.token.type',
  tokenUsage: 'gen_ai.client.token.usage',
  duration: 'gen_ai.client.operation.duration',
};

/** The same under a prefix that is ours, so that they stay when the others change. */
export const OWN_MODEL_NAMES = Object.fromEntries(
  Object.entries(GEN_AI_NAMES).map(([part, name]) => [part, name.replace(/^gen_ai\./, 'askema.model.')]),
) as unknown as ModelNames;

/** Stable: open-telemetry/semantic-conventions@384d661, docs/db/database-spans.md and database-metrics.md. */
export const DATABASE_NAMES = {
  system: 'db.system.name',
  text: 'db.query.text',
  summary: 'db.query.summary',
  statusCode: 'db.response.status_code',
  duration: 'db.client.operation.duration',
} as const;

/** Of a failed span: the code of the AskemaError. */
export const ERROR_TYPE = 'error.type';
