import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyoneOnLoopback } from '../caller/anyone-on-loopback.ts';
import type { Route } from '../routes/route.ts';
import { createServer, serveRoutes } from '../server.ts';
import { fakeDatabase } from '../testing/fake-database.ts';
import { conformanceServer } from './fixtures/conformance-server.ts';
import { type Listening, listen } from './fixtures/listen.ts';
import { mcpEndpoint } from './mcp-endpoint.ts';

const SUITE = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);
const options = { databases: { shop: fakeDatabase() }, auth: anyoneOnLoopback() };
const folder = mkdtempSync(join(tmpdir(), 'askema-conformance-'));

/** The exit code of the suite, and what it printed. */
function conformance(
  url: string,
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [SUITE, 'server', '--url', url, '-o', folder, ...words], { cwd: folder });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('test 1: the official scenarios against our own tools', () => {
  let listening: Listening;
  beforeAll(async () => {
    listening = await listen(createServer(options));
  });
  afterAll(() => listening.close());

  it.each([
    'tools-list',
    'resources-list',
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'prompts-list',
  ])('%s', async (scenario) => {
    const { code, said } = await conformance(listening.url, ['--scenario', scenario, '--spec-version', '2026-07-28']);
    expect(code, said).toBe(0);
  });

  it('server-initialize, of the revision before', async () => {
    const words = ['--scenario', 'server-initialize', '--spec-version', '2025-11-25'];
    const { code, said } = await conformance(listening.url, words);
    expect(code, said).toBe(0);
  });
});

describe('test 2: all that 2026-07-28 requires, with the tools of the suite on the same endpoint', () => {
  it('passes', { timeout: 180_000 }, async () => {
    const endpoint = mcpEndpoint({ factory: conformanceServer });
    const routes = (['POST', 'GET', 'DELETE'] as const).map(
      (method): Route => ({
        ...{ method, path: '/mcp', scope: 'any' },
        handle: ({ request, signal }) => endpoint.fetch(request, undefined, signal),
      }),
    );
    const listening = await listen(serveRoutes(options, routes));
    try {
      const { code, said } = await conformance(listening.url, ['--requirements', '2026-07-28']);
      expect(code, said).toBe(0);
    } finally {
      await listening.close();
    }
  });
});
