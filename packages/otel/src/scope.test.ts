import { metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { SQL, shop } from './test-support/shop.ts';
import { tracing } from './tracing.ts';

afterEach(() => {
  trace.disable();
  metrics.disable();
});

it('spans and metrics of the global providers name the package and its version as their scope', async () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  const counts = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: counts, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  await tracing().adapter(shop()).query(SQL);
  await reader.forceFlush();
  const scope = { name: '@askema/otel', version: manifest.version };
  expect(spans.getFinishedSpans().map((span) => span.instrumentationScope)).toEqual([expect.objectContaining(scope)]);
  expect(counts.getMetrics().at(-1)?.scopeMetrics).toMatchObject([{ scope }]);
  await meters.shutdown();
});
