// The OpenTelemetry Collector: takes OTLP on two free ports of the loopback and sends all of it, as JSON, to the URL
// that is given, before it says that it has it. Prints {"http": url, "grpc": url, "pid": …}; ends when stdin does.
// `--build` only builds it, from Go modules (needs Go 1.26).
import { spawn } from 'node:child_process';
import { freePort } from '../local-server.mjs';
import { buildCollector } from './build.mjs';

const program = await buildCollector();
if (!process.argv.includes('--build')) await serve(process.argv[2]);

async function serve(endpoint) {
  const [http, grpc] = [await freePort(), await freePort()];
  const exporter = {
    endpoint,
    encoding: 'json',
    compression: 'none',
    // What a sender waits for is then done: a test need not look again and again.
    sending_queue: { enabled: false },
    retry_on_failure: { enabled: false },
  };
  const pipeline = { receivers: ['otlp'], exporters: ['otlp_http'] };
  const config = {
    receivers: {
      otlp: { protocols: { http: { endpoint: `127.0.0.1:${http}` }, grpc: { endpoint: `127.0.0.1:${grpc}` } } },
    },
    exporters: { otlp_http: exporter },
    service: {
      pipelines: { traces: pipeline, metrics: pipeline },
      telemetry: { metrics: { level: 'none' } },
    },
  };
  // JSON is YAML.
  const child = spawn(program, [`--config=yaml:${JSON.stringify(config)}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  // Not with this process by itself: a collector knows nothing of stdin.
  process.once('exit', () => child.kill('SIGKILL'));
  child.once('close', (code) => process.exit(code === null || code === 0 ? 0 : 1));
  process.stdin.resume();
  process.stdin.once('close', () => child.kill('SIGTERM'));
  let log = '';
  child.stderr.on('data', (chunk) => {
    process.stderr.write(chunk);
    if (log === undefined) return;
    log += String(chunk);
    if (!log.includes('Everything is ready.')) return;
    log = undefined;
    const ready = { http: `http://127.0.0.1:${http}`, grpc: `http://127.0.0.1:${grpc}`, pid: child.pid };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  });
}
