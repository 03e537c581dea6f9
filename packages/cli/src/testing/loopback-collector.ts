import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  /** Of an error, the code is 2. */
  readonly status?: { readonly code?: number };
}

/** What takes spans and metrics by OTLP over HTTP, as JSON. */
export interface LoopbackCollector extends AsyncDisposable {
  readonly url: string;
  /** All that have come, in the order of their arrival. */
  readonly spans: readonly LoopbackSpan[];
  /** By the name of a metric, how much was counted or how often a time was taken, as the last export says it. */
  readonly counts: Readonly<Record<string, number>>;
}

export async function loopbackCollector(): Promise<LoopbackCollector> {
  const spans: LoopbackSpan[] = [];
  const counts: Record<string, number> = {};
  const server = createServer(async (request, response) => {
    const { resourceSpans = [], resourceMetrics = [] } = await exportOf(request);
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    for (const { scopeMetrics } of resourceMetrics)
      for (const { metrics } of scopeMetrics) for (const metric of metrics) counts[metric.name] = countOf(metric);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Export {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly LoopbackSpan[] }[] }[];
  readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[];
}

interface Metric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly { readonly asInt?: number; readonly asDouble?: number }[] };
  readonly histogram?: { readonly dataPoints: readonly { readonly count: number }[] };
}

function countOf({ sum, histogram }: Metric): number {
  const counted = sum?.dataPoints.map(({ asInt, asDouble }) => Number(asInt ?? asDouble)) ?? [];
  const taken = histogram?.dataPoints.map(({ count }) => Number(count)) ?? [];
  return [...counted, ...taken].reduce((total, count) => total + count, 0);
}

async function exportOf(request: IncomingMessage): Promise<Export> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
