import { createText2Sql, plain } from '@askema/text2sql';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { otlpReceiver, pathOf } from './test-support/otlp-receiver.ts';
import { obligingModel, shop } from './test-support/shop.ts';
import { tracing } from './tracing.ts';

it('9: a collector gets the spans by OTLP over HTTP', async () => {
  await using collector = await otlpReceiver();
  const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  try {
    const traced = tracing({ tracer: provider.getTracer('askema') });
    const options = { adapter: traced.adapter(shop()), model: traced.model(obligingModel()), onEvent: traced.onEvent };
    await using store = createText2Sql({ ...options, flow: plain(), linkValues: false });
    await store.ask('Who?');
    await provider.forceFlush();
  } finally {
    await provider.shutdown();
  }
  const { spans } = collector;
  const run = spans.find(({ name }) => name === 'run plain');
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).map(({ name }) => name);
  expect(steps).toEqual(['step get-schema', 'step generate-sql', 'step execute-sql', 'step weigh-readings']);
  const texts = spans.filter((span) => pathOf(span, spans).includes('step execute-sql > '));
  expect(texts.map(({ attributes }) => attributes['db.query.text'])).toEqual([
    'SELECT name FROM customer WHERE name <> ? AND id > ?',
  ]);
});
