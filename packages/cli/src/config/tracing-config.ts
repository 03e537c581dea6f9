import type { Adapter, AdapterSpec, EmbeddingModel, EventSink, LanguageModel } from '@askema/core';
import type { TraceCarrier } from '@askema/server';

type Fetch<Rest extends readonly unknown[]> = (request: Request, ...rest: Rest) => Response | Promise<Response>;

/** What `tracing()` of @askema/otel gives, and what sends the rest when the command ends. */
export interface TracingConfig {
  readonly onEvent: EventSink;
  model(model: LanguageModel): LanguageModel;
  embeddings(model: EmbeddingModel): EmbeddingModel;
  adapter(adapter: AdapterSpec | Adapter): Adapter;
  handler<Rest extends readonly unknown[]>(handle: Fetch<Rest>): Fetch<Rest>;
  within<T>(carrier: TraceCarrier, work: () => T): T;
  /** Ends the SDK: `() => provider.shutdown()`. Called once; the command waits five seconds for it at most. */
  close?(): Promise<void>;
}

const PARTS = ['onEvent', 'model', 'embeddings', 'adapter', 'handler', 'within'];

/** Why a value is no {@link TracingConfig}, for a message; undefined where it is one, or none was given. */
export function tracingProblem(tracing: Readonly<Record<string, unknown>> | undefined): string | undefined {
  if (tracing === undefined) return undefined;
  const missing = PARTS.filter((part) => typeof tracing[part] !== 'function');
  if (missing.length > 0)
    return `\`tracing\` lacks ${missing.map((part) => `\`${part}\``).join(', ')}; write { ...tracing(), close: () => provider.shutdown() }, with \`tracing\` of @askema/otel.`;
  const { close } = tracing;
  if (close === undefined || typeof close === 'function') return undefined;
  return '`tracing.close` must be a function that ends the SDK: () => provider.shutdown().';
}
