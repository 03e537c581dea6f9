import type {
  Adapter,
  AdapterSpec,
  EmbeddingModel,
  EventSink,
  LanguageModel,
  RunEvent,
  TokenPrices,
} from '@askema/core';
import { type Meter, type Tracer, trace } from '@opentelemetry/api';
import { type AdapterTracingOptions, traceAdapter } from './calls/trace-adapter.ts';
import { traceEmbeddings } from './calls/trace-embeddings.ts';
import { traceModel } from './calls/trace-model.ts';
import { CallMetrics } from './metrics/call-metrics.ts';
import { GEN_AI_NAMES, OWN_MODEL_NAMES } from './names.ts';
import { continueTrace, type Handler, type TraceCarrier, withinTrace } from './remote/continue-trace.ts';
import { RunSpans } from './runs/run-spans.ts';
import { SCOPE } from './scope.ts';

export interface TracingOptions {
  /** Default: that of the global provider for `@askema/otel`. */
  readonly tracer?: Tracer | undefined;
  /** Default: that of the global provider for `@askema/otel`, taken when the first thing is measured. */
  readonly meter?: Meter | undefined;
  /**
   * Names runs, model calls and their metrics by the GenAI conventions, which are in development and still change.
   * Default: false, and their names begin with `askema.`.
   */
  readonly genAi?: boolean | undefined;
  /** Content that spans show, too. Each kind may hold what users asked and what the database holds. Default: none. */
  readonly content?: TracedContent | undefined;
  /** Prices in US dollars for a million tokens. With them, `askema.model.cost` is counted. */
  readonly prices?: TokenPrices | undefined;
}

export interface TracedContent {
  /** Statements as they were run, with their texts and numbers. */
  readonly statements?: boolean | undefined;
  /** Prompts and answers. */
  readonly messages?: boolean | undefined;
  /** What errors say, beside their codes. */
  readonly errors?: boolean | undefined;
}

/** Give each to what it is named for; they find each other by the run that a call belongs to. */
export interface Tracing {
  /** Makes spans of runs and steps. The span that is active when a run starts is its parent. */
  readonly onEvent: EventSink;
  /** The model, with a span for each call. */
  model(model: LanguageModel): LanguageModel;
  /** The model of embeddings, with a span for each call. */
  embeddings(model: EmbeddingModel): EmbeddingModel;
  /** The adapter, with a span for each statement. Closing it closes the one that was given. */
  adapter(adapter: AdapterSpec | Adapter, options?: AdapterTracingOptions): Adapter;
  /**
   * A handler of requests that continues the trace in the header `traceparent`. Not needed where an instrumentation of
   * HTTP does this. Needs a global context manager and propagator, which the SDK registers.
   */
  handler<Rest extends readonly unknown[]>(handle: Handler<Rest>): Handler<Rest>;
  /**
   * Runs work in the trace that a message names: the option `within` of an MCP server. An invalid trace is ignored.
   * Where this trace is active already, the active span stays the parent, because an instrumentation made it from the
   * message. Needs what `handler` needs.
   */
  within<T>(carrier: TraceCarrier, work: () => T): T;
}

/** Traces and metrics by OpenTelemetry. Without an SDK nothing is recorded. */
export function tracing(options: TracingOptions = {}): Tracing {
  const { tracer = trace.getTracer(...SCOPE), meter, genAi = false, content = {}, prices = {} } = options;
  const names = genAi ? GEN_AI_NAMES : OWN_MODEL_NAMES;
  const metrics = new CallMetrics({ meter, names, prices });
  const { statements = false, messages = false, errors: errorMessages = false } = content;
  const runs = new RunSpans({ tracer, metrics, genAi, errorMessages });
  const shared = { runs, metrics, errorMessages };
  return {
    onEvent: once(runs.listen),
    model: (model) => traceModel(model, { ...shared, names, messages }),
    embeddings: (model) => traceEmbeddings(model, { ...shared, names }),
    adapter: (adapter, given = {}) => traceAdapter(adapter, { ...shared, statements }, given),
    handler: continueTrace,
    within: withinTrace,
  };
}

/** Hears an event once, where both a conversation and its databases have the listener: each of them tells it. */
function once(listen: EventSink): EventSink {
  let last: RunEvent | undefined;
  return (event) => {
    if (event === last) return undefined;
    last = event;
    return listen(event);
  };
}
