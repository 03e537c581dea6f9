import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loopbackModelServer } from '@askema/testkit';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = join(ROOT, 'packages', 'otel', '.askema', 'guide');

test('9: the program of the guide sends its spans to a collector, none of them with what was asked', async () => {
  const text = readFileSync(join(ROOT, 'docs', 'guide', 'tracing.md'), 'utf8');
  const [, program = ''] = /^```ts check\n([\s\S]*?)^```/m.exec(text) ?? [];
  await using model = await loopbackModelServer();
  const sql = "SELECT count(*) FROM customers WHERE country = 'Norway'";
  const said = { outcome: 'sql', sql, explanation: '', not_understood: [], other_readings: [], would_agree: 'ten' };
  model.reply(
    ...Array.from({ length: 9 }, () => ({ kind: 'answer', answer: { text: JSON.stringify(said) } }) as const),
  );
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const file = join(FOLDER, 'program.ts');
  mkdirSync(FOLDER, { recursive: true });
  try {
    writeFileSync(file, program);
    const { port } = collector.address() as AddressInfo;
    const env = {
      ...process.env,
      OPENAI_API_KEY: 'sk-test-canary-77',
      OPENAI_BASE_URL: `${model.origin}/v1`,
      // ASKEMA_COLLECTOR names a real one, to look at by hand.
      OTEL_EXPORTER_OTLP_ENDPOINT: process.env.ASKEMA_COLLECTOR ?? `http://127.0.0.1:${port}`,
    };
    const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: ROOT, env });
    expect(stdout).toBe(`answered ${sql}\n`);
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
    collector.closeAllConnections();
    collector.close();
  }
  if (process.env.ASKEMA_COLLECTOR !== undefined) return;
  const told = bodies.join('\n');
  for (const name of ['run auto', 'step generate-sql', 'chat gpt-6-luna', 'SELECT customers'])
    expect(told).toContain(`"name":"${name}"`);
  expect(told).toContain('SELECT count(*) FROM customers WHERE country = ?');
  expect(told).not.toMatch(/Norway|canary|How many/);
});
