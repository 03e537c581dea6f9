import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type ServedInProcess, serveInProcess } from '../../testing/serve-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { checkServerConfig } from './check-server-config.ts';
import { serverAuth } from './server-auth.ts';

let project: TemporaryProject;
let served: ServedInProcess | undefined;
beforeEach(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
});
afterEach(async () => {
  await served?.stop();
  served = undefined;
  project.remove();
});

const env = () => ({ XDG_STATE_HOME: project.path('state'), ASKEMA_CATALOGS: 'off' });
const hash = (key: string): string => createHash('sha256').update(key).digest('hex');
const ASKED = { question: 'How many customers are there?' };

/** A configuration whose model always answers with this statement. */
function configure(sql: string, server: object, more = ''): void {
  const reply = { json: { outcome: 'sql', sql, explanation: 'Scripted.', not_understood: [] } };
  project.write(
    'askema.config.mjs',
    `import { scriptedModel } from '@askema/testkit';
    export default {
      models: { scripted: () => scriptedModel(() => (${JSON.stringify(reply)})) },
      defaults: { model: 'scripted', flow: 'plain' },
      server: ${JSON.stringify(server)},
      ${more}
    };`,
  );
}

async function serve(...parameters: readonly string[]): Promise<ServedInProcess> {
  served = await serveInProcess(parameters, { cwd: project.folder, env: env() });
  return served;
}

describe('askema serve', { timeout: 60_000 }, () => {
  it('answers on loopback without a configuration, and keeps runs and audit for this user alone', async () => {
    const server = await serve('store=shop.sqlite');
    expect(await server.ask('/v1/ask', { body: ASKED })).toMatchObject({
      status: 200,
      type: 'answered',
      result: { rows: [[5]] },
    });
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    const accept = { accept: 'application/json, text/event-stream' };
    const agent = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...accept },
      body: JSON.stringify(initialize),
    });
    expect([agent.status, await agent.text()]).toEqual([200, expect.stringContaining('"tools"')]);
    expect((await server.ask('/v1/databases', { headers: { 'x-forwarded-for': '10.0.0.7' } })).status).toBe(401);
    const { code, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stderr).toMatch(/Databases +store\n.*lexical, flow plain\nWho may ask +everybody on this machine/s);
    const folder = project.path('state/askema/server');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(`${folder}/runs`).some((name) => name.endsWith('.jsonl'))).toBe(true);
    expect(readFileSync(`${folder}/audit.jsonl`, 'utf8')).toContain('SELECT COUNT(*) FROM customer');
  });

  it('designs with its model where `server.design` says so', async () => {
    configure('SELECT 1', { design: { dialect: 'mysql' } });
    const server = await serve('store=shop.sqlite');
    const body = { requirement: 'Books have a number and a title.' };
    // The script answers no role: it is heard, and cannot be read.
    expect(await server.ask('/v1/designs', { body })).toMatchObject({
      ...{ status: 200, type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' } },
    });
    expect((await server.stop()).stderr).toMatch(/Designed by +scripted/);
  });

  it('shows runs of `askema eval run` from the folder of the configuration', async () => {
    const run = { schemaVersion: 1, runId: 'r', dataset: { name: 'shop', fingerprint: 'f' }, configuration: {} };
    project.write('results/first/run.json', JSON.stringify({ ...run, startedAt: '2026-11-01T00:00:00.000Z' }));
    configure('SELECT 1', { evaluations: 'results' });
    const server = await serve('store=shop.sqlite');
    expect(await server.ask('/v1/evaluations')).toMatchObject({ evaluations: [{ id: 'first', dataset: 'shop' }] });
  });

  it('gives each tenant the file of theirs, to who has a key alone', async () => {
    project.database('acme.sqlite', "CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('of acme')");
    project.database('zeta.sqlite', "CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('of zeta')");
    const keys = ['acme', 'zeta', 'none', '../acme'].map((tenant) => ({
      sha256: hash(`key-of-${tenant}`),
      caller: { subject: 'ann', tenant, scopes: ['*'] },
    }));
    configure('SELECT x FROM t', { auth: { keys }, tenants: { own: '{tenant}.sqlite' } });
    const server = await serve();
    const asked = (tenant: string) => server.ask('/v1/ask', { key: `key-of-${tenant}`, body: ASKED });
    expect(await Promise.all(['acme', 'zeta', 'acme'].map(asked))).toMatchObject(
      ['of acme', 'of zeta', 'of acme'].map((cell) => ({ status: 200, result: { rows: [[cell]] } })),
    );
    for (const tenant of ['none', '../acme']) {
      const refused = await asked(tenant);
      expect(refused).toMatchObject({ status: 403, error: { code: 'CALLER_REFUSED' } });
      expect(JSON.stringify(refused)).not.toContain(project.folder);
    }
    expect((await server.ask('/v1/ask', { key: 'another', body: ASKED })).status).toBe(401);
  });

  it('hides, masks and limits by role, and refuses roles that it does not know', async () => {
    const keys = ['clerk', 'boss', 'thief'].map((role) => ({
      sha256: hash(role),
      caller: { subject: role, role, scopes: ['catalog'] },
    }));
    const clerk = { database: false, scopes: ['sql'], hide: ['order'], mask: ['customer.name'] };
    const roles = {
      clerk: { ...clerk, limits: { statementsPerMinute: 50 } },
      boss: { database: false, scopes: ['*'] },
    };
    configure('SELECT 1', { auth: { keys }, roles }, "databases: { shop: './shop.sqlite' },");
    const server = await serve();
    const run = (key: string, sql: string) => server.ask('/v1/sql', { key, body: { sql } });
    expect(await run('boss', 'SELECT name FROM customer WHERE id = 1')).toMatchObject({ status: 200, rows: [['Ada']] });
    expect(JSON.stringify(await run('clerk', 'SELECT name FROM customer WHERE id = 1'))).not.toContain('Ada');
    expect(await run('boss', 'SELECT COUNT(*) FROM "order"')).toMatchObject({ status: 200, rows: [[3]] });
    expect((await run('clerk', 'SELECT COUNT(*) FROM "order"')).status).not.toBe(200);
    expect((await server.ask('/v1/ask', { key: 'clerk', body: ASKED })).status).toBe(403);
    expect(await run('thief', 'SELECT 1')).toMatchObject({ status: 403, error: { code: 'CALLER_REFUSED' } });
  });

  it('hides from a role beside what is hidden from all, also behind a view that was replaced meanwhile', async () => {
    const change = (sql: string) => project.database('shop.sqlite', sql);
    change('CREATE VIEW shown AS SELECT city AS x FROM customer; CREATE TABLE pay (x TEXT)');
    project.database('acme.sqlite', "CREATE TABLE pay (x TEXT); INSERT INTO pay VALUES ('of acme')");
    const clerk = { database: false, scopes: ['sql'], hide: ['order@shop'] };
    const caller = { subject: 'cleo', tenant: 'acme', role: 'clerk', scopes: ['sql'] };
    const keys = [{ sha256: hash('clerk'), caller }];
    const kept = "{ shop: { hide: ['pay'] }, own: { mask: ['pay.x'] } }";
    configure(
      'SELECT 1',
      { auth: { keys }, roles: { clerk }, tenants: { own: '{tenant}.sqlite' } },
      `databases: { shop: './shop.sqlite' }, restrict: ${kept},`,
    );
    const server = await serve();
    const run = (sql: string, database = 'shop') => server.ask('/v1/sql', { key: 'clerk', body: { sql, database } });
    expect(await run('SELECT COUNT(x) AS n FROM shown')).toMatchObject({ status: 200 });
    change('DROP VIEW shown; CREATE VIEW shown AS SELECT total AS x FROM "order"');
    for (const sql of ['SELECT x FROM shown', 'SELECT total FROM "order"', 'SELECT x FROM pay'])
      expect(await run(sql), sql).toMatchObject({ status: 403, error: { code: 'QUERY_REFUSED' } });
    const masked = await run('SELECT x FROM pay', 'own');
    expect([masked.status, JSON.stringify(masked).includes('of acme')]).toEqual([403, false]);
    const audit = readFileSync(project.path('state/askema/server/audit.jsonl'), 'utf8');
    expect(audit.match(/"outcome":"refused"/g)?.length).toBe(4);
  });

  it('keeps an adapter of the configuration open, and what people of one name propose apart by tenant', async () => {
    const keys = ['acme', 'zeta'].map((tenant) => ({
      sha256: hash(tenant),
      caller: { subject: 'ann', tenant, scopes: ['*'] },
    }));
    project.write('knowledge/rules/money.md', 'Money is in euros.\n');
    configure(
      'SELECT COUNT(*) AS n FROM customer',
      { auth: { keys } },
      "databases: { shop: sqlite({ file: 'shop.sqlite' }) }, knowledge: { folder: 'knowledge' },",
    );
    const text = readFileSync(project.path('askema.config.mjs'), 'utf8');
    const file = JSON.stringify(project.path('shop.sqlite'));
    project.write(
      'askema.config.mjs',
      `import { sqlite } from '@askema/sqlite';\n${text.replace("'shop.sqlite'", file)}`,
    );
    const server = await serve();
    const { runId } = await server.ask('/v1/ask', { key: 'acme', body: ASKED });
    const path = '/v1/databases/shop/knowledge';
    const proposed = await server.ask(`${path}/proposals`, { key: 'acme', body: { run: runId } });
    expect(proposed).toMatchObject({ status: 200, kind: 'proposed' });
    const idsFor = async (key: string) => (await server.ask(path, { key })).entries.map(({ id }: { id: string }) => id);
    expect(await idsFor('acme')).toContain(proposed.id);
    expect(await idsFor('zeta')).not.toContain(proposed.id);
    expect(await server.ask('/v1/ask', { key: 'zeta', body: ASKED })).toMatchObject({ result: { rows: [[5]] } });
  });

  it('lets a question end that runs when SIGTERM comes, and takes no other', async () => {
    const answer = { outcome: 'sql', sql: 'SELECT 7 AS n', explanation: '', not_understood: [] };
    project.write(
      'askema.config.mjs',
      `import { existsSync, writeFileSync } from 'node:fs';
      import { setTimeout as delay } from 'node:timers/promises';
      import { scriptedModel } from '@askema/testkit';
      const reply = async () => {
        writeFileSync('asked', '');
        while (!existsSync('go')) await delay(10);
        return { json: ${JSON.stringify(answer)} };
      };
      export default { models: { slow: () => scriptedModel(reply) }, defaults: { model: 'slow', flow: 'plain' } };`,
    );
    const { child, finished } = startAskema(['serve', 'shop.sqlite', '--port', '0'], {
      cwd: project.folder,
      env: env(),
    });
    let told = '';
    child.stderr?.on('data', (chunk: string) => {
      told += chunk;
    });
    const until = async (found: () => boolean): Promise<void> => {
      while (!found() && child.exitCode === null) await delay(10);
    };
    await until(() => told.includes('/mcp'));
    const [, origin = ''] = /Listening at +(\S+)/.exec(told) ?? [];
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ASKED) };
    const asking = fetch(`${origin}/v1/ask`, init);
    await until(() => existsSync(project.path('asked')));
    child.kill('SIGTERM');
    await until(() => told.includes('Stopping'));
    expect((await fetch(`${origin}/v1/ask`, init)).status).toBe(503);
    writeFileSync(project.path('go'), '');
    expect(await (await asking).json()).toMatchObject({ type: 'answered', result: { rows: [[7]] } });
    expect((await finished).code).toBe(0);
  });

  it.each([
    [['--host', '0.0.0.0'], {}, /ask nobody who they are/],
    [
      [],
      { limits: { questionPerMinute: 1 } },
      /no `server\.limits\.questionPerMinute`\. Did you mean `questionsPerMinute`/,
    ],
    [[], { auth: {} }, /names nobody/],
    [
      [],
      { auth: { keys: [{ sha256: 'the key itself', caller: { subject: 'a', scopes: [] } }] } },
      /never the key itself/,
    ],
    [[], { auth: { keys: [{ sha256: hash('a'), caller: { subject: 'a' } }] } }, /caller\.scopes` is missing/],
    [[], { tenants: { own: 'data/{tenant}/x.sqlite' } }, /data\/\{tenant\}\.sqlite/],
    [[], { audit: { sql: 'all' } }, /text, redacted or hash/],
    [[], { design: { dialect: 'mysqk' } }, /`server\.design\.dialect` must be/],
    [[], { keep: { runs: '30 days' } }, /`server\.keep\.runs` must be a time of at least 1h/],
    [
      ['--host', '0.0.0.0'],
      { auth: { keys: [{ sha256: hash('a'), caller: { subject: 'a', scopes: [] } }] } },
      /by which names/,
    ],
    [['--port', '70000'], {}, /is no port/],
    [['--concurrency', '4'], {}, /--concurrency needs --queue/],
    [['--queue', 'redis://host'], {}, /must be the address of a PostgreSQL database/],
    [['--queue', 'postgres://me:secret@host/runs'], {}, /has a password in its address/],
    [['gone.sqlite'], {}, /no database gone\.sqlite/],
    [['--hide', 'custmer.*'], {}, /`hide` has "custmer\.\*"/],
  ])('does not start with %j %j', async (parameters, server, message) => {
    configure('SELECT 1', server, "databases: { shop: './shop.sqlite' },");
    const { code, stderr } = await runInProcess(['serve', ...parameters], { cwd: project.folder, env: env() });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('takes the configuration of the guide', async () => {
    const guide = readFileSync(new URL('../../../../../docs/guide/for-a-company.md', import.meta.url), 'utf8');
    project.write('askema.config.ts', /^```ts\n([\s\S]*?)^```/m.exec(guide)?.[1] ?? '');
    const config = checkServerConfig(await loadConfig(project.folder, 'askema.config.ts', { atEnd: () => {} }));
    const { told } = serverAuth(config);
    expect(told).toBe('who has the one key, or who has a token of https://login.example.com/; roles analyst, clerk');
  });

  it('forgets old runs and writes the audit by months where the configuration says how long to keep them', async () => {
    configure(
      'SELECT COUNT(*) FROM customer',
      { keep: { runs: '30d', audit: '365d' } },
      "databases: { shop: './shop.sqlite' },",
    );
    const runs = project.path('state/askema/server/runs');
    const old = `${'a'.repeat(24)}.key.1`;
    const header = { schemaVersion: 1, at: 1, path: 'f', kind: 'run', runId: old, flow: 'f', version: 1, graph: 'g' };
    project.write(`state/askema/server/runs/${old}.jsonl`, `${JSON.stringify({ ...header, state: {}, tags: {} })}\n`);
    const server = await serve();
    expect((await server.ask('/v1/ask', { body: ASKED })).type).toBe('answered');
    await expect.poll(() => existsSync(`${runs}/${old}.jsonl`), { timeout: 10_000 }).toBe(false);
    expect((await server.stop()).stderr).toContain('audit.jsonl, a file for each month\n');
    expect(readdirSync(runs).filter((name) => name.endsWith('.jsonl'))).not.toEqual([]);
    const month = new Date().toISOString().slice(0, 7);
    expect(existsSync(project.path(`state/askema/server/audit.${month}.jsonl`))).toBe(true);
    const { stdout } = await runInProcess(['audit', '--format', 'jsonl'], { cwd: project.folder, env: env() });
    expect(stdout).toContain('SELECT COUNT(*) FROM customer');
  });

  it.each([
    ['folder of runs that cannot be made', ['shop'], { journal: 'shop.sqlite/runs' }],
    ['database that is not there', ['shop', 'gone.sqlite'], {}],
  ])('closes what it has opened where it does not start because of a %s', async (_what, parameters, server) => {
    const file = JSON.stringify(project.path('shop.sqlite'));
    const noted = JSON.stringify(project.path('closed'));
    const close = `async () => { await opened.close(); appendFileSync(${noted}, 'once '); }`;
    configure('SELECT 1', server, `databases: { shop: { ...opened, close: ${close} } },`);
    const text = readFileSync(project.path('askema.config.mjs'), 'utf8');
    const opened = `import { appendFileSync } from 'node:fs';\nimport { sqlite } from '@askema/sqlite';\nconst opened = sqlite({ file: ${file} });`;
    project.write('askema.config.mjs', `${opened}\n${text}`);
    const { code } = await runInProcess(['serve', '--port', '0', ...parameters], { cwd: project.folder, env: env() });
    expect([code, readFileSync(project.path('closed'), 'utf8')]).toEqual([2, 'once ']);
  });

  it('starts without a database that cannot be reached, and says so', async () => {
    const server = await serve('shop.sqlite', 'far=postgres://ann@127.0.0.1:1/far');
    expect(await server.ask('/v1/sql', { body: { sql: 'SELECT 1', database: 'shop' } })).toMatchObject({ status: 200 });
    const { stderr } = await server.stop();
    expect(stderr).toMatch(/^note: far cannot be asked now\. .*127\.0\.0\.1:1.* \[DATABASE_UNAVAILABLE\]$/m);
  });

  it('says when the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const parameters = ['serve', 'shop.sqlite', '--port', String(port)];
    const { code, stderr } = await runInProcess(parameters, { cwd: project.folder, env: env() });
    taken.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Take another port: --port ${port + 1}`)]);
  });

  it('makes a key that its hash lets in', async () => {
    const { code, stdout, stderr } = await runInProcess(['serve', '--new-key', 'reports'], { cwd: project.folder });
    expect([code, stderr]).toEqual([0, expect.stringContaining(hash(stdout.trim()))]);
    expect(stderr).not.toContain(stdout.trim());
    expect((await runInProcess(['serve', '--new-key', "o'hara"], { cwd: project.folder })).code).toBe(2);
  });
});
