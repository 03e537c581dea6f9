import { type EmbeddingModel, toAskemaError, type Usage } from '@askema/core';
import { SpanKind } from '@opentelemetry/api';
import { callAttributes } from '../names.ts';
import { watch } from '../spans/watch.ts';
import { callWithin } from '../spans/within.ts';
import type { ModelTracing } from './trace-model.ts';

/** A model whose embeddings are spans, below the step that asks for them. No text that is embedded is told. */
export function traceEmbeddings(
  model: EmbeddingModel,
  { runs, names, metrics, errorMessages }: Omit<ModelTracing, 'messages'>,
): EmbeddingModel {
  const { provider, modelId, dimensions } = model;
  const attributes = callAttributes(names, 'embeddings', model);
  const options = { kind: SpanKind.CLIENT, attributes };
  return {
    provider,
    modelId,
    dimensions,
    embed(texts, context) {
      const { span, active } = runs.begin(context, `embeddings ${modelId}`, options);
      const embed = () => model.embed(texts, context);
      if (span === undefined && !metrics.isOn) return callWithin(active, embed);
      let usage: Usage | undefined;
      const watcher = watch({
        span,
        errorMessages,
        asError: toAskemaError,
        ended: (seconds, error) =>
          metrics.modelCall(model, { operation: 'embeddings', attributes, seconds, usage, error }),
      });
      const seen = (given: Awaited<ReturnType<EmbeddingModel['embed']>>): void => {
        usage = given.usage;
        span?.setAttributes({
          [names.dimensions]: given.vectors[0]?.length,
          [names.inputTokens]: usage.inputTokens,
          'askema.model.texts': texts.length,
        });
      };
      return callWithin(active, embed, { ...watcher, seen });
    },
  };
}
