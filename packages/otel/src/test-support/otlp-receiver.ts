import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const VALUE = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  // 64 bits: the protocol writes them as text, JavaScript's exporter as numbers.
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) }).transform((list) => {
    return list.arrayValue.values.map(({ stringValue }) => stringValue);
  }),
]);
const ATTRIBUTES = z
  .array(z.object({ key: z.string(), value: VALUE }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const RESOURCE = z.object({ attributes: ATTRIBUTES });
const SCOPE = z.object({ name: z.string() });

const SPAN = z.object({
  name: z.string(),
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().default(''),
  kind: z.number(),
  attributes: ATTRIBUTES,
  status: z.object({ code: z.number().default(0), message: z.string().default('') }),
});
const TRACES = z.object({
  resourceSpans: z.array(
    z.object({
      resource: RESOURCE,
      scopeSpans: z.array(z.object({ scope: SCOPE, spans: z.array(SPAN) })),
    }),
  ),
});

const POINTS = z.object({
  dataPoints: z.array(
    z.object({
      attributes: ATTRIBUTES,
      asInt: z.coerce.number().optional(),
      asDouble: z.number().optional(),
      sum: z.number().optional(),
    }),
  ),
});
const METRIC = z.object({
  name: z.string(),
  unit: z.string(),
  sum: POINTS.optional(),
  histogram: POINTS.optional(),
});
const METRICS = z.object({
  resourceMetrics: z.array(
    z.object({ resource: RESOURCE, scopeMetrics: z.array(z.object({ metrics: z.array(METRIC) })) }),
  ),
});

type Attributes = z.infer<typeof ATTRIBUTES>;

export interface ReceivedSpan extends z.infer<typeof SPAN> {
  readonly resource: Attributes;
  readonly scope: string;
}

interface ReceivedMetric {
  readonly unit: string;
  readonly resource: Attributes;
  readonly points: readonly { readonly attributes: Attributes; readonly value: number }[];
}

/** Takes OTLP over HTTP in JSON, on the loopback. */
export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** As they were told last, by name. */
  readonly metrics: Readonly<Record<string, ReceivedMetric>>;
  /** All that came, as it came. */
  readonly text: string;
  /** Forgets what came until now. */
  forget(): void;
}

export async function otlpReceiver(): Promise<OtlpReceiver> {
  let spans: ReceivedSpan[] = [];
  let metrics: Record<string, ReceivedMetric> = {};
  let bodies: string[] = [];
  const take = (path: string | undefined, body: unknown): void => {
    if (path === '/v1/traces')
      for (const { resource, scopeSpans } of TRACES.parse(body).resourceSpans)
        for (const { scope, spans: some } of scopeSpans)
          spans.push(...some.map((span) => ({ ...span, resource: resource.attributes, scope: scope.name })));
    else
      for (const { resource, scopeMetrics } of METRICS.parse(body).resourceMetrics)
        for (const { name, unit, sum, histogram } of scopeMetrics.flatMap((scope) => scope.metrics)) {
          const points = (sum ?? histogram)?.dataPoints ?? [];
          metrics[name] = {
            unit,
            resource: resource.attributes,
            points: points.map((point) => ({
              attributes: point.attributes,
              value: point.asInt ?? point.asDouble ?? point.sum ?? Number.NaN,
            })),
          };
        }
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(body);
    try {
      take(request.url, JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    } catch (error) {
      // A sender does not try again after this one.
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get spans() {
      return spans;
    },
    get metrics() {
      return metrics;
    },
    get text() {
      return bodies.join('\n');
    },
    forget() {
      [spans, metrics, bodies] = [[], {}, []];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Names from the root of the trace down to the span. */
export function pathOf(span: ReceivedSpan, spans: readonly ReceivedSpan[]): string {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
  return parent === undefined ? span.name : `${pathOf(parent, spans)} > ${span.name}`;
}
