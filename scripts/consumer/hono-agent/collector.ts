import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from '../../../packages/testkit/src/model/loopback/listen-on-loopback.ts';
import { startServer } from '../../../servers/start-server.ts';
import { ROOT } from '../../workspace.ts';

const BUILD = 'node servers/collector/start.mjs --build';

/** A span as OTLP over HTTP has it in JSON. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

export interface Collector {
  close(): Promise<void>;
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly origin: string;
  /** What the spans went through, for people. */
  readonly through: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was sent. */
  readonly text: () => string;
  /** The first span that holds, as soon as it is there; rejects after 10 s. */
  span(holds: (span: CollectedSpan) => boolean, what: string): Promise<CollectedSpan>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[];
  }[];
}

/**
 * Takes spans by OTLP over HTTP, on the loopback interface: through the collector of OpenTelemetry where it has been
 * built, and in CI always.
 */
export async function collector(): Promise<Collector> {
  const received = await receiver();
  if (process.env.CI !== 'true' && !existsSync(join(ROOT, 'servers', 'collector', '.build', 'collector')))
    return { ...received, through: `a stand-in, NOT the collector of OpenTelemetry, which \`${BUILD}\` builds` };
  try {
    const real = await startServer('collector/start.mjs', [received.origin], {
      needs: `Go 1.26 or newer, once, to build the OpenTelemetry Collector (\`${BUILD}\`)`,
      timeoutMs: 400_000,
    });
    const close = async (): Promise<void> => {
      await real.stop();
      await received.close();
    };
    return { ...received, close, origin: String(real.ready.http), through: 'the collector of OpenTelemetry' };
  } catch (error) {
    await received.close();
    throw error;
  }
}

async function receiver(): Promise<Omit<Collector, 'through'>> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  let changed = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as Export;
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    changed.resolve();
    changed = Promise.withResolvers();
  });
  return {
    ...(await listenOnLoopback(server)),
    spans,
    text: () => bodies.join('\n'),
    async span(holds, what) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => late.reject(new Error(`no span within 10 s: ${what}`)), 10_000);
      try {
        for (;;) {
          const found = spans.find(holds);
          if (found !== undefined) return found;
          await Promise.race([changed.promise, late.promise]);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The text of an attribute. */
export const attributeOf = ({ attributes = [] }: CollectedSpan, key: string): string | undefined =>
  attributes.find((attribute) => attribute.key === key)?.value.stringValue;
