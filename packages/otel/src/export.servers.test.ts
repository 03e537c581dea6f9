import { AskemaError } from '@askema/core';
import { createText2Sql, plain } from '@askema/text2sql';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { requireJudge } from '../../../servers/require-judge.ts';
import { type StartedServer, startServer } from '../../../servers/start-server.ts';
import { type OtlpReceiver, otlpReceiver, pathOf } from './test-support/otlp-receiver.ts';
import { GUIDE_SQL, runGuide } from './test-support/run-guide.ts';
import { CANARY, obligingModel, shop } from './test-support/shop.ts';
import { type TracingOptions, tracing } from './tracing.ts';

/** What the collector passes on. */
let behind: OtlpReceiver;
let collector: StartedServer;
beforeAll(async () => {
  behind = await otlpReceiver();
  collector = await startServer('collector/start.mjs', [behind.url], {
    needs: 'Go 1.26 or newer, once, to build the OpenTelemetry Collector (`node servers/collector/start.mjs --build`)',
    timeoutMs: 400_000,
  });
}, 420_000);
afterAll(async () => {
  await collector?.stop();
  await behind?.[Symbol.asyncDispose]();
});

// All that is said to SDK and exporters comes from the environment, as people set it.
beforeEach(() => {
  behind.forget();
  vi.stubEnv('OTEL_SERVICE_NAME', 'store-front');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', String(collector.ready.http));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

interface Exporters {
  readonly spans: SpanExporter;
  readonly metrics: PushMetricExporter;
}

/** Asks a question that is answered and one that fails. */
async function ask(given: Pick<TracingOptions, 'tracer' | 'meter'>): Promise<void> {
  const prices = { 'gpt-test': { input: 10, output: 100, cachedInput: 1 } };
  const traced = tracing({ ...given, genAi: true, prices });
  const failing = obligingModel(() => new AskemaError('MODEL_AUTHENTICATION', `No key ${CANARY.literal}.`));
  for (const [model, outcome] of [
    [obligingModel(), 'answered'],
    [failing, 'failed'],
  ] as const) {
    const options = { adapter: traced.adapter(shop()), model: traced.model(model), onEvent: traced.onEvent };
    await using store = createText2Sql({ ...options, flow: plain() });
    expect((await store.ask(`Who is called ${CANARY.question}?`)).type).toBe(outcome);
  }
}

/** Asks, and waits until the collector has all that was told. */
async function askWith({ spans, metrics }: Exporters): Promise<void> {
  const resource = detectResources({ detectors: [envDetector] });
  const traces = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter: spans })] });
  const meters = new MeterProvider({
    resource,
    readers: [new PeriodicExportingMetricReader({ exporter: metrics })],
  });
  try {
    await ask({ tracer: traces.getTracer('@askema/otel'), meter: meters.getMeter('@askema/otel') });
  } finally {
    await Promise.all([traces.shutdown(), meters.shutdown()]);
  }
}

/** The same with nothing but what the environment says, as most programs have it. */
async function askWithNodeSdk(): Promise<void> {
  const { NodeSDK } = requireJudge<{
    readonly NodeSDK: new () => { start(): void; shutdown(): Promise<void> };
  }>('@opentelemetry/sdk-node');
  const sdk = new NodeSDK();
  sdk.start();
  try {
    await ask({});
  } finally {
    await sdk.shutdown();
    for (const api of [trace, metrics, context, propagation]) api.disable();
  }
}

function expectSpans({ spans, text }: OtlpReceiver): void {
  const failed = (code: string) => [{ code: 2, message: '' }, code] as const;
  const told = spans.map((span) => [pathOf(span, spans), span.status, span.attributes['error.type']]);
  const well = [{ code: 0, message: '' }, undefined];
  const run = 'invoke_workflow plain';
  expect(told).toEqual(
    expect.arrayContaining([
      [run, ...well],
      [`${run} > step generate-sql > chat gpt-test`, ...well],
      [`${run} > step execute-sql > SELECT customer`, ...well],
      [run, ...failed('MODEL_AUTHENTICATION')],
      [`${run} > step generate-sql > chat gpt-test`, ...failed('MODEL_AUTHENTICATION')],
    ]),
  );
  const one = (path: string) => spans.find((span) => pathOf(span, spans) === path);
  expect(one(`${run} > step execute-sql > SELECT customer`)).toMatchObject({
    // A client's: SPAN_KIND_CLIENT of the protocol.
    kind: 3,
    attributes: {
      'db.system.name': 'sqlite',
      'db.query.summary': 'SELECT customer',
      'db.query.text': 'SELECT name FROM customer WHERE name <> ? AND id > ?',
    },
  });
  expect(one(`${run} > step generate-sql > chat gpt-test`)).toMatchObject({
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-test',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 100,
    },
  });
  for (const span of spans) {
    expect(span.resource).toMatchObject({ 'service.name': 'store-front', 'deployment.environment.name': 'test' });
    expect(span.scope).toBe('@askema/otel');
  }
  expect(text).not.toMatch(/canary|4711/);
}

function expectMetrics({ metrics }: OtlpReceiver): void {
  const units = Object.entries(metrics).map(([name, { unit }]) => [name, unit]);
  expect(Object.fromEntries(units)).toEqual({
    'askema.runs': '{run}',
    'askema.model.cost': '{USD}',
    'gen_ai.client.token.usage': '{token}',
    'gen_ai.client.operation.duration': 's',
    'db.client.operation.duration': 's',
  });
  for (const { resource } of Object.values(metrics)) expect(resource).toMatchObject({ 'service.name': 'store-front' });
  const model = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-test',
  };
  expect(metrics['gen_ai.client.token.usage']?.points).toEqual([
    { attributes: { ...model, 'gen_ai.token.type': 'input' }, value: 100 },
    { attributes: { ...model, 'gen_ai.token.type': 'output' }, value: 7 },
  ]);
  expect(metrics['askema.runs']?.points).toMatchObject([
    { attributes: { 'askema.flow': 'plain', 'askema.run.outcome': 'finished' }, value: 1 },
    { attributes: { 'askema.flow': 'plain', 'error.type': 'MODEL_AUTHENTICATION' }, value: 1 },
  ]);
}

it.each([
  ['HTTP, protobuf', () => ({ spans: new ProtobufTraceExporter(), metrics: new ProtobufMetricExporter() })],
  ['HTTP, JSON', () => ({ spans: new JsonTraceExporter(), metrics: new JsonMetricExporter() })],
] as const)('9: a real collector takes spans and metrics over %s', async (_protocol, exporters) => {
  await askWith(exporters());
  expectSpans(behind);
  expectMetrics(behind);
});

it.each([
  ['http/protobuf', 'http'],
  ['grpc', 'grpc'],
] as const)('9: a real collector takes spans and metrics of NodeSDK over %s', async (protocol, port) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', protocol);
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', String(collector.ready[port]));
  vi.stubEnv('OTEL_METRICS_EXPORTER', 'otlp');
  vi.stubEnv('OTEL_LOGS_EXPORTER', 'none');
  await askWithNodeSdk();
  expectSpans(behind);
  expectMetrics(behind);
});

it('9: a real collector takes what the program of the guide sends', async () => {
  expect((await runGuide({})).stdout).toBe(`answered ${GUIDE_SQL}\n`);
  const paths = behind.spans.map((span) => pathOf(span, behind.spans));
  expect(paths).toEqual(
    expect.arrayContaining([
      'run auto > step generate-sql > chat gpt-6-luna',
      'run auto > step execute-sql > SELECT customers',
    ]),
  );
  expect(behind.text).not.toMatch(/Norway|canary|How many/);
});
