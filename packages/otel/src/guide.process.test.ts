import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { otlpReceiver, pathOf } from './test-support/otlp-receiver.ts';
import { GUIDE_SQL, runGuide } from './test-support/run-guide.ts';

it('9: the program of the guide sends its spans to a collector, none of them with what was asked', async () => {
  await using collector = await otlpReceiver();
  const { stdout } = await runGuide({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  expect(stdout).toBe(`answered ${GUIDE_SQL}\n`);
  const { spans } = collector;
  const statements = spans.filter((span) => pathOf(span, spans).startsWith('run auto > step execute-sql > '));
  expect(statements.map(({ name, attributes }) => [name, attributes['db.query.text']])).toEqual([
    ['SELECT customers', 'SELECT count(*) FROM customers WHERE country = ?'],
  ]);
  expect(spans.map((span) => pathOf(span, spans))).toContain('run auto > step generate-sql > chat gpt-6-luna');
  expect(collector.text).not.toMatch(/Norway|canary|How many/);
});

/** An address where nobody listens, or where somebody takes everything and never answers. */
async function deadCollector(kind: 'absent' | 'silent'): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  if (kind === 'absent') await close();
  return { url, [Symbol.asyncDispose]: kind === 'absent' ? async () => undefined : close };
}

it.each([
  ['absent', /^No traces were sent: connect ECONNREFUSED \S+\n$/],
  ['silent', /^No traces were sent: Request timed out\n$/],
] as const)('9: with a collector that is %s a question is answered, and the program ends well', async (kind, said) => {
  await using collector = await deadCollector(kind);
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_TIMEOUT: '500' };
  const { stdout, stderr } = await runGuide(environment);
  expect(stdout).toBe(`answered ${GUIDE_SQL}\n`);
  expect(stderr).toMatch(said);
});
