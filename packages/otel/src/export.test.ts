import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createText2Sql, plain } from '@askema/text2sql';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { obligingModel, shop } from './test-support/shop.ts';
import { tracing } from './tracing.ts';

const SPAN = z.object({
  name: z.string(),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
});
const EXPORT = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(SPAN) })) })),
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

it('9: a collector gets the spans by OTLP over HTTP', async () => {
  const spans: z.infer<typeof SPAN>[] = [];
  const collector = createServer(async (request, response) => {
    const { resourceSpans } = EXPORT.parse(await bodyOf(request));
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const exporter = new OTLPTraceExporter({ url: `http://127.0.0.1:${port}/v1/traces` });
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  try {
    const traced = tracing({ tracer: provider.getTracer('askema') });
    const options = { adapter: traced.adapter(shop()), model: traced.model(obligingModel()), onEvent: traced.onEvent };
    await using store = createText2Sql({ ...options, flow: plain(), linkValues: false });
    await store.ask('Who?');
    await provider.forceFlush();
  } finally {
    await provider.shutdown();
    collector.closeAllConnections();
    collector.close();
  }
  const run = spans.find(({ name }) => name === 'run plain');
  const steps = spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).map(({ name }) => name);
  expect(steps).toEqual(['step get-schema', 'step generate-sql', 'step execute-sql', 'step weigh-readings']);
  const texts = spans.flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'db.query.text'));
  expect(texts.map(({ value }) => value)).toContainEqual({
    stringValue: 'SELECT name FROM customer WHERE name <> ? AND id > ?',
  });
});
