import {
  type LanguageModel,
  type ModelRequest,
  type ModelResult,
  redactSecrets,
  toAskemaError,
  wrapModel,
} from '@askema/core';
import { type Attributes, type Context, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { callAttributes, type ModelNames } from '../names.ts';
import type { RunSpans } from '../runs/run-spans.ts';
import { fail } from '../spans/fail.ts';
import { within } from '../spans/within.ts';

export interface ModelTracing {
  readonly tracer: Tracer;
  readonly runs: RunSpans;
  readonly metrics: CallMetrics;
  readonly names: ModelNames;
  /** Prompts and answers stand in the span. */
  readonly messages: boolean;
  readonly errorMessages: boolean;
}

/** A model whose calls are spans, below the step that makes them. */
export function traceModel(model: LanguageModel, tracing: ModelTracing): LanguageModel {
  const { tracer, runs, names } = tracing;
  const start = (request: ModelRequest): Call => {
    const attributes = callAttributes(names, model);
    const parent = runs.contextOf(request.context);
    const span = tracer.startSpan(`chat ${model.modelId}`, { kind: SpanKind.CLIENT, attributes }, parent);
    if (span.isRecording()) span.setAttributes(requestAttributes(request, tracing));
    return new Call(model, tracing, span, trace.setSpan(parent, span));
  };
  return wrapModel(model, {
    async generate(request) {
      const call = start(request);
      try {
        const result = await context.with(call.active, () => model.generate(request));
        call.answered(result);
        return result;
      } catch (error) {
        call.failed(error);
        throw error;
      } finally {
        call.end();
      }
    },
    async *stream(request, inner) {
      const call = start(request);
      try {
        for await (const event of within(call.active, () => inner(request))) {
          if (event.type === 'finish') call.answered(event.result);
          yield event;
        }
      } catch (error) {
        call.failed(error);
        throw error;
      } finally {
        // Also reached when the reader leaves early.
        call.end();
      }
    },
  });
}

/** One call, from its start to its end. */
class Call {
  readonly active: Context;
  readonly #model: LanguageModel;
  readonly #tracing: ModelTracing;
  readonly #span: Span;
  readonly #startedAt = performance.now();
  #result: ModelResult | undefined;
  #error: string | undefined;

  constructor(model: LanguageModel, tracing: ModelTracing, span: Span, active: Context) {
    this.#model = model;
    this.#tracing = tracing;
    this.#span = span;
    this.active = active;
  }

  answered(result: ModelResult): void {
    this.#result = result;
    if (this.#span.isRecording()) this.#span.setAttributes(resultAttributes(result, this.#tracing));
  }

  failed(thrown: unknown): void {
    const error = toAskemaError(thrown);
    this.#error = error.code;
    fail(this.#span, error, this.#tracing.errorMessages);
  }

  end(): void {
    const usage = this.#result?.usage;
    this.#tracing.metrics.modelCall(this.#model, {
      seconds: (performance.now() - this.#startedAt) / 1_000,
      ...(usage === undefined ? {} : { usage }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
    });
    this.#span.end();
  }
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
    [names.responseId]: result.responseId,
    [names.responseModel]: result.modelId,
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

function told(content: unknown): string {
  return redactSecrets(JSON.stringify(content));
}
