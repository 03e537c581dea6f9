import {
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  redactSecrets,
  type StreamEvent,
  toAskemaError,
  wrapModel,
} from '@askema/core';
import { type Attributes, type Span, SpanKind } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { callAttributes, type ModelNames } from '../names.ts';
import type { RunSpans } from '../runs/run-spans.ts';
import { type Watcher, watch } from '../spans/watch.ts';
import { callWithin, readWithin } from '../spans/within.ts';

const MAX_NAME_CHARACTERS = 200;

export interface ModelTracing {
  readonly runs: RunSpans;
  readonly metrics: CallMetrics;
  readonly names: ModelNames;
  /** Prompts and answers stand in the span. */
  readonly messages: boolean;
  readonly errorMessages: boolean;
}

/** A model whose calls are spans, below the step that makes them. */
export function traceModel(model: LanguageModel, tracing: ModelTracing): LanguageModel {
  const { runs, names, metrics, errorMessages } = tracing;
  const attributes = callAttributes(names, 'chat', model);
  const name = `chat ${model.modelId}`;
  const begin = ({ context }: ModelRequest) => runs.begin(context, name, { kind: SpanKind.CLIENT, attributes });
  /** Undefined where nothing is told of a call. */
  const watchCall = (request: ModelRequest, span: Span | undefined): WatchedCall | undefined => {
    if (span === undefined && !metrics.isOn) return undefined;
    span?.setAttributes(requestAttributes(request, tracing));
    let result: ModelResult | undefined;
    let secondsToFirstChunk: number | undefined;
    const startedAt = performance.now();
    const watcher = watch({
      span,
      errorMessages,
      asError: toAskemaError,
      ended: (seconds, error) => {
        const usage = result?.usage;
        metrics.modelCall(model, { operation: 'chat', attributes, seconds, secondsToFirstChunk, usage, error });
      },
    });
    return {
      ...watcher,
      seen(given) {
        result = given;
        span?.setAttributes(resultAttributes(given, tracing));
      },
      streamed() {
        if (secondsToFirstChunk !== undefined) return;
        secondsToFirstChunk = (performance.now() - startedAt) / 1_000;
        span?.setAttributes({ [names.stream]: true, [names.firstChunk]: secondsToFirstChunk });
      },
    };
  };
  return wrapModel(model, {
    generate(request) {
      const { span, active } = begin(request);
      return callWithin(active, () => model.generate(request), watchCall(request, span));
    },
    stream: (request, inner) => ({
      [Symbol.asyncIterator]() {
        const { span, active } = begin(request);
        const watcher = watchCall(request, span);
        return readWithin(active, () => inner(request), watcher && watchStream(watcher));
      },
    }),
  });
}

interface WatchedCall extends Watcher<ModelResult> {
  /** A part of the answer is there. */
  readonly streamed: () => void;
}

function watchStream({ seen, streamed, ...watcher }: WatchedCall): Watcher<StreamEvent> {
  return {
    ...watcher,
    seen(event) {
      streamed();
      if (event.type === 'finish') seen?.(event.result);
    },
  };
}

function requestAttributes(request: ModelRequest, { names, messages }: ModelTracing): Attributes {
  return {
    [names.temperature]: request.temperature,
    [names.topP]: request.topP,
    [names.maxTokens]: request.maxOutputTokens,
    [names.seed]: request.seed,
    [names.outputType]: request.output === undefined ? 'text' : 'json',
    'askema.model.sample': request.sample,
    ...(messages ? { [names.inputMessages]: told(request.messages) } : {}),
  };
}

function resultAttributes(result: ModelResult, { names, messages }: ModelTracing): Attributes {
  const { usage } = result;
  return {
    [names.responseId]: short(result.responseId),
    [names.responseModel]: short(result.modelId),
    [names.finishReasons]: [result.finishReason.unified],
    [names.inputTokens]: usage.inputTokens,
    [names.outputTokens]: usage.outputTokens,
    [names.cachedInputTokens]: usage.cachedInputTokens,
    [names.cacheWriteTokens]: usage.cacheWriteTokens,
    [names.reasoningTokens]: usage.reasoningTokens,
    'askema.model.cached': result.cached === undefined ? undefined : true,
    ...(messages ? { [names.outputMessages]: told(result.content) } : {}),
  };
}

/** What a provider says of itself may be of any length. */
function short(name: string | undefined): string | undefined {
  return name?.slice(0, MAX_NAME_CHARACTERS);
}

function told(content: unknown): string {
  return redactSecrets(JSON.stringify(content));
}
