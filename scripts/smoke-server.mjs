/**
 * Asks a running server for what every server must hold, and says what it saw. Plain JavaScript without
 * packages: it runs wherever there is a Node.
 *
 *   node scripts/smoke-server.mjs ORIGIN [--audit FILE] [-- COMMAND…]
 *
 * SMOKE_KEY is a key of the server, with the scopes `ask`, `sql` and `catalog`; the server has one database, a copy of
 * examples/store.sqlite. FILE is its audit log, as this machine sees it. COMMAND starts the server, and has to end with
 * 0 on SIGTERM; `docker run` passes it on.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { audit: { type: 'string' } } });
const [origin, ...command] = positionals;
if (origin === undefined) throw new Error('Usage: node scripts/smoke-server.mjs ORIGIN [--audit FILE] [-- COMMAND…]');
const QUESTION = { question: 'How many customers are there?' };
const key = { authorization: `Bearer ${process.env.SMOKE_KEY}` };
const child = command.length === 0 ? undefined : spawn(command[0], command.slice(1), { stdio: 'inherit' });
const ended = child && once(child, 'exit');

/** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] */
function send(path, body, headers = {}) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return fetch(`${origin}${path}`, { ...init, headers: { 'content-type': 'application/json', ...headers } });
}

async function health() {
  const end = Date.now() + 60_000;
  for (;;) {
    const response = await send('/health').catch(() => undefined);
    if (response !== undefined) return assert.equal(response.status, 200);
    if (child?.exitCode != null) throw new Error(`the server ended with ${child.exitCode}`);
    if (Date.now() > end) throw new Error(`nothing answers at ${origin}`);
    await delay(100);
  }
}

async function stranger() {
  for (const path of ['/v1/ask', '/mcp', '/v1/sql']) assert.equal((await send(path, QUESTION)).status, 401, path);
}

async function ask() {
  const outcome = await (await send('/v1/ask', QUESTION, key)).json();
  assert.equal(outcome.type, 'answered', JSON.stringify(outcome));
  assert.equal(outcome.result.rows.length, 1);
}

async function events() {
  const response = await send('/v1/ask', QUESTION, { ...key, accept: 'text/event-stream' });
  const names = [...(await response.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual([names[0], names.at(-1)], ['started', 'outcome']);
}

async function tools() {
  const accept = { accept: 'application/json, text/event-stream' };
  const response = await send(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    { ...key, ...accept },
  );
  const names = [...(await response.text()).matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
  assert.deepEqual(names.slice(0, 4), ['ask', 'search_catalog', 'run_sql', 'check_sql']);
}

async function writes() {
  const count = async () => (await send('/v1/sql', { sql: 'SELECT count(*) FROM customers' }, key)).json();
  const { rows } = await count();
  for (const sql of ['DELETE FROM customers', 'PRAGMA user_version = 7', "ATTACH '/state/x.sqlite' AS x"]) {
    const refused = await send('/v1/sql', { sql }, key);
    assert.ok(refused.status >= 400 && refused.status < 500, `${sql}: ${refused.status} ${await refused.text()}`);
  }
  assert.deepEqual((await count()).rows, rows);
}

function audit() {
  const lines = readFileSync(values.audit ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const idsOf = (phase) => new Set(lines.filter((line) => line.phase === phase).map(({ id }) => id));
  assert.ok(lines.some(({ kind, subject }) => kind === 'statement' && subject !== undefined));
  assert.ok(lines.some(({ outcome }) => outcome === 'refused'));
  assert.deepEqual(idsOf('after'), idsOf('before'));
}

async function stop() {
  child?.kill('SIGTERM');
  const late = delay(30_000, ['nothing within 30 s'], { ref: false });
  assert.deepEqual(await Promise.race([ended, late]), [0, null]);
}

const steps = { health, stranger, ask, events, tools, writes };
if (values.audit !== undefined) steps.audit = audit;
if (child !== undefined) steps.stop = stop;
try {
  for (const [name, step] of Object.entries(steps)) {
    const started = performance.now();
    await step();
    console.log(`ok ${name} (${Math.round(performance.now() - started)} ms)`);
  }
} finally {
  if (child?.exitCode === null) child.kill('SIGKILL');
}
