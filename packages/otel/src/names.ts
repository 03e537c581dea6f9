import type { LanguageModel, Usage } from '@askema/core';
import type { Attributes } from '@opentelemetry/api';

/**
 * How the parts of a model call are named. Those of OpenTelemetry are in development and still change: they are as of
 * v0.1.0 of open-telemetry/semantic-conventions-genai, docs/gen-ai/client-inference.md, client-embeddings.md and
 * gen-ai-token-metrics.md.
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
  readonly stream: string;
  readonly dimensions: string;
  readonly responseId: string;
  readonly responseModel: string;
  readonly finishReasons: string;
  readonly firstChunk: string;
  readonly inputTokens: string;
  readonly outputTokens: string;
  readonly cachedInputTokens: string;
  readonly cacheWriteTokens: string;
  readonly reasoningTokens: string;
  readonly inputMessages: string;
  readonly outputMessages: string;
  readonly modality: string;
  /** Metrics. */
  readonly usage: Readonly<Record<keyof Usage, string>>;
  readonly seconds: Readonly<Record<Operation, string>>;
  readonly secondsToFirstChunk: string;
}

/** What a model is called for. */
export type Operation = 'chat' | 'embeddings';

/** What spans and metrics of a model call have in common. */
export function callAttributes(
  names: ModelNames,
  operation: Operation,
  { provider, modelId }: Pick<LanguageModel, 'provider' | 'modelId'>,
): Attributes {
  return { [names.operation]: operation, [names.provider]: provider, [names.model]: modelId };
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
  stream: 'gen_ai.request.stream',
  dimensions: 'gen_ai.embeddings.dimension.count',
  responseId: 'gen_ai.response.id',
  responseModel: 'gen_ai.response.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  firstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedInputTokens: 'gen_ai.usage.cache_read.input_tokens',
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  modality: 'gen_ai.token.modality',
  usage: {
    inputTokens: 'gen_ai.client.inference.usage.input_tokens',
    outputTokens: 'gen_ai.client.inference.usage.output_tokens',
    cachedInputTokens: 'gen_ai.client.inference.usage.cache_read.input_tokens',
    cacheWriteTokens: 'gen_ai.client.inference.usage.cache_write.input_tokens',
    reasoningTokens: 'gen_ai.client.inference.usage.reasoning.output_tokens',
  },
  seconds: { chat: 'gen_ai.client.inference.duration', embeddings: 'gen_ai.client.embeddings.duration' },
  secondsToFirstChunk: 'gen_ai.client.inference.time_to_first_chunk',
};

/** The same under a prefix that is ours. */
export const OWN_MODEL_NAMES = owned(GEN_AI_NAMES);

/** Its texts, also those further in, with our prefix. */
function owned<T>(names: T): T {
  const text = JSON.stringify(names).replaceAll('"gen_ai.', '"askema.model.');
  return JSON.parse(text) as T;
}

/** Stable: docs/db/database-spans.md and database-metrics.md of open-telemetry/semantic-conventions v1.45.0. */
export const DATABASE_NAMES = {
  system: 'db.system.name',
  text: 'db.query.text',
  summary: 'db.query.summary',
  statusCode: 'db.response.status_code',
  duration: 'db.client.operation.duration',
} as const;

/** Of a failed span: the code of the AskemaError. */
export const ERROR_TYPE = 'error.type';
