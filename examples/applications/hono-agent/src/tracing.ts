/**
 * One trace for a question: the request, the agent and its model, the tool, the run of Askema, the statement. None of
 * them holds what was asked, written or found.
 */
import { OpenTelemetry } from '@ai-sdk/otel';
import { tracing } from '@askema/otel';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { registerTelemetry } from 'ai';

// A trace is with the collector a second after its question.
const toCollector = () => new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 });
const provider = new TracerProvider({
  resource: resourceFromAttributes({ 'service.name': process.env.OTEL_SERVICE_NAME ?? 'hono-agent' }),
  spanProcessors: process.env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? [] : [toCollector()],
});
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

// The agent's spans. Prompts, answers and arguments stay out of them by `telemetry` in agent.ts.
registerTelemetry(new OpenTelemetry());

/** Askema's spans, with the same names for model calls as the agent's. */
export const traced = tracing({ genAi: true });

/** Sends what is left; a collector that is gone fails nothing. */
export const stopTracing = (): Promise<void> =>
  provider.shutdown().catch(({ message }) => console.error(`No traces were sent: ${message}`));
