import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { type LoopbackCollector, type LoopbackSpan, loopbackCollector } from '../testing/loopback-collector.ts';
import { startAskema } from '../testing/run-askema.ts';
import type { TemporaryProject } from '../testing/temporary-project.ts';
import { tracingConfig, tracingProject } from '../testing/tracing-project.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Answers once two processes were asked: of two servers that work on one question at a time, neither does all. */
const MODEL = `async () => {
  const here = new URL('asked/', import.meta.url);
  mkdirSync(new URL(String(process.pid), here), { recursive: true });
  while (readdirSync(here).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  return { json: { outcome: 'sql', sql: 'SELECT name FROM customer', explanation: '', not_understood: [] } };
}`;

/** Metrics beside the traces of the guide. */
const METERS = `
import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';

const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() });
const meters = new MeterProvider({ readers: [reader] });
metrics.setGlobalMeterProvider(meters);
`;

let queue: StartedServer;
let project: TemporaryProject;
beforeAll(async () => {
  project = tracingProject();
  const config = tracingConfig([])
    .replace('scriptedModel([])', `scriptedModel(${MODEL})`)
    .replace('provider.shutdown()', 'Promise.all([provider.shutdown(), meters.shutdown()])');
  project.write(
    'askema.config.ts',
    `import { mkdirSync, readdirSync } from 'node:fs';
${METERS}${config}`,
  );
  queue = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
});
afterAll(async () => {
  await queue?.stop();
  project?.remove();
});

async function serve({ url }: LoopbackCollector) {
  const { host, port, password } = queue.ready;
  const parameters = ['--port', '0', '--flow', 'plain', '--concurrency', '1'];
  const address = `postgres://postgres@${host}:${port}/postgres`;
  const { child, finished } = startAskema(['serve', 'shop.sqlite', ...parameters, '--queue', address], {
    cwd: project.folder,
    env: { PGPASSWORD: String(password), XDG_STATE_HOME: project.path('state'), OTEL_EXPORTER_OTLP_ENDPOINT: url },
  });
  let told = '';
  const origin = await new Promise<string>((found, failed) => {
    child.stderr?.on('data', (text: string) => {
      told += text;
      const [, address] = /^Listening at +(http:\S+)$/m.exec(told) ?? [];
      if (address !== undefined) found(address);
    });
    finished.then(({ stderr }) => failed(new Error(stderr)), failed);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({ code: 0 });
  };
  return { origin, stop };
}

it('askema serve --queue: a question counts once; its trace has all calls, that of its request the steps', async () => {
  await using ofAsked = await loopbackCollector();
  await using ofOther = await loopbackCollector();
  const [asked, other] = await Promise.all([serve(ofAsked), serve(ofOther)]);
  const ask = async (name: string): Promise<string> => {
    const response = await fetch(`${asked.origin}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
      body: JSON.stringify({ database: 'shop', question: `Is ${name} there?` }),
    });
    const outcome = (await response.json()) as { readonly type: string; readonly runId: string };
    expect(outcome.type).toBe('answered');
    return outcome.runId;
  };
  const ids = await Promise.all(['Ada', 'Grace', 'Joan', 'Mary'].map(ask));
  await Promise.all([asked.stop(), other.stop()]);
  const spans = [...ofAsked.spans, ...ofOther.spans];
  const traceOf = (run: LoopbackSpan) => spans.filter(({ traceId }) => traceId === run.traceId).map(({ name }) => name);
  const runs = spans.filter(({ name, traceId }) => name === 'run plain' && traceId !== TRACE);
  expect(runs.map(runId).sort()).toEqual(ids.toSorted());
  for (const run of runs) {
    expect(run.parentSpanId).toBeUndefined();
    expect(traceOf(run)).toEqual(expect.arrayContaining(['chat scripted', 'step execute-sql', 'SELECT customer']));
    expect(traceOf(run).filter((name) => name === 'run plain')).toHaveLength(1);
  }
  for (const { spans: some } of [ofAsked, ofOther]) expect(runs.some((run) => some.includes(run))).toBe(true);
  const readBack = ofAsked.spans.filter(({ traceId }) => traceId === TRACE);
  const requested = readBack.filter(({ parentSpanId }) => parentSpanId === 'b7ad6b7169203331');
  expect(requested.map(runId).sort()).toEqual(ids.toSorted());
  expect(readBack.filter(({ name }) => !/^(run|step) /.test(name))).toEqual([]);
  for (const metric of ['askema.runs', 'askema.run.duration']) {
    const counted = [ofAsked, ofOther].map(({ counts }) => counts[metric] ?? 0);
    expect(counted.reduce((total, count) => total + count, 0)).toBe(ids.length);
  }
}, 60_000);

const runId = ({ attributes = [] }: LoopbackSpan): string | undefined =>
  attributes.find(({ key }) => key === 'askema.run.id')?.value.stringValue;
