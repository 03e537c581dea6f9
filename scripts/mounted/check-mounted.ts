import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const QUESTION = { question: 'How many customers are there?' };
/** It counts until it is stopped. */
const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

/**
 * Asks an application of `examples/servers` as its readers do: its own routes answer, only people who are logged in may
 * ask, by JSON and by events, and a statement ends when its reader leaves. Throws for what does not hold.
 */
export async function checkMounted(origin: string, auditFile: string): Promise<void> {
  const hello = await fetch(`${origin}/hello`);
  assert.equal(await hello.text(), 'Hello from the application');

  const stranger = await post(`${origin}/api/askema/v1/ask`, QUESTION);
  assert.deepEqual([stranger.status, await codeOf(stranger)], [401, 'CALLER_UNKNOWN']);
  assert.equal((await post(`${origin}/login`, { name: 'ann', password: 'guessed' })).status, 403);
  const ann = await logIn(origin, 'ann', 'correct horse');
  const bob = await logIn(origin, 'bob', 'battery staple');
  assert.equal((await post(`${origin}/api/askema/v1/ask`, QUESTION, bob)).status, 403);
  const page = await post(`${origin}/api/askema/v1/ask`, QUESTION, { ...ann, origin: 'https://evil.example' });
  assert.equal(page.status, 403);

  const outcome = (await (await post(`${origin}/api/askema/v1/ask`, QUESTION, ann)).json()) as Answer;
  assert.deepEqual([outcome.type, outcome.result.rows.length], ['answered', 1]);
  const events = await post(`${origin}/api/askema/v1/ask`, QUESTION, { ...ann, accept: 'text/event-stream' });
  const names = [...(await events.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual([names[0], names.at(-2), names.at(-1)], ['started', 'rows', 'outcome']);
  const described = (await (await fetch(`${origin}/api/askema/openapi.json`)).json()) as { servers: object };
  assert.deepEqual(described.servers, [{ url: '/api/askema' }]);

  for (const accept of ['application/json', 'application/x-ndjson']) {
    const ended = cancelledIn(auditFile);
    const sent = sentIn(auditFile);
    const leaving = new AbortController();
    const left = post(`${origin}/api/askema/v1/sql`, { sql: ENDLESS }, { ...ann, accept }, leaving.signal);
    const gone = assert.rejects(left.then((response) => response.text()));
    await until(() => sentIn(auditFile) > sent, `a statement was sent (${accept})`);
    leaving.abort();
    await gone;
    await until(() => cancelledIn(auditFile) > ended, `the statement was stopped when its reader left (${accept})`);
  }
}

interface Answer {
  readonly type: string;
  readonly result: { readonly rows: readonly unknown[] };
}

async function logIn(origin: string, name: string, password: string): Promise<Readonly<Record<string, string>>> {
  const { status, headers } = await post(`${origin}/login`, { name, password });
  assert.equal(status, 204);
  return { cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
}

function post(
  address: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return fetch(address, { ...init, body: JSON.stringify(body), ...(signal === undefined ? {} : { signal }) });
}

async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { readonly error: { readonly code: string } }).error.code;
}

const linesWith = (file: string, text: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').split(text).length - 1 : 0;
const sentIn = (file: string): number => linesWith(file, '"kind":"statement"');
const cancelledIn = (file: string): number => linesWith(file, '"outcome":"cancelled"');

async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within 10 s: ${what}`);
    await delay(20);
  }
}
