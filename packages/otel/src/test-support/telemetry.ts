import { context, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Tracing, type TracingOptions, tracing } from '../tracing.ts';

export interface Telemetry extends Disposable {
  readonly tracing: Tracing;
  /** Those that have ended, in the order in which they were started. */
  spans(): readonly ReadableSpan[];
  readonly tracer: Tracer;
  /** Sums by `name{attribute=value}`. */
  metrics(): Promise<Readonly<Record<string, number>>>;
}

/** An SDK in memory. What it registers for the process ends with the scope. */
export function telemetry({
  sampler,
  ...options
}: Omit<TracingOptions, 'tracer' | 'meter'> & { readonly sampler?: Sampler } = {}): Telemetry {
  const exporter = new InMemorySpanExporter();
  const started: string[] = [];
  const order: SpanProcessor = {
    onStart: (span) => void started.push(span.spanContext().spanId),
    onEnd: () => undefined,
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const place = (span: ReadableSpan): number => started.indexOf(span.spanContext().spanId);
  const provider = new TracerProvider({
    spanProcessors: [order, new SimpleSpanProcessor({ exporter })],
    ...(sampler === undefined ? {} : { sampler }),
  });
  const kept = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: kept, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('test');
  return {
    tracer,
    tracing: tracing({ ...options, tracer, meter: meters.getMeter('test') }),
    spans: () => [...exporter.getFinishedSpans()].sort((a, b) => place(a) - place(b)),
    async metrics() {
      await reader.forceFlush();
      const sums: Record<string, number> = {};
      for (const { descriptor, dataPoints } of kept.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? [])
        for (const { attributes, value } of dataPoints) {
          const labels = Object.entries(attributes).map(([name, label]) => `${name}=${label}`);
          sums[`${descriptor.name}{${labels.sort().join(',')}}`] = typeof value === 'number' ? value : (value.sum ?? 0);
        }
      return sums;
    },
    [Symbol.dispose]() {
      context.disable();
      propagation.disable();
      void meters.shutdown();
    },
  };
}

/** Names of spans, each indented below its parent. */
export function treeOf(spans: readonly ReadableSpan[]): string {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const lines = (parent: string | undefined, indent: string): string[] =>
    spans
      .filter(({ parentSpanContext }) => {
        const id = parentSpanContext?.spanId;
        return parent === undefined ? id === undefined || !ids.has(id) : id === parent;
      })
      .flatMap((span) => [`${indent}${span.name}`, ...lines(span.spanContext().spanId, `${indent}  `)]);
  return lines(undefined, '').join('\n');
}

/** All that leaves the house with spans, as text. */
export function toldBy(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(
    spans.map(({ name, attributes, events, status, resource }) => [
      name,
      attributes,
      events,
      status,
      resource.attributes,
    ]),
  );
}
