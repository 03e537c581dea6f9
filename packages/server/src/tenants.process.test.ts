import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resolveAdapter, textOf } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { duckdb } from '@askema/duckdb';
import { createKnowledge, loadKnowledge } from '@askema/knowledge';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import { plain } from '@askema/text2sql';
import { buildValueIndex, openValueIndex, type SqliteValueIndex } from '@askema/value-index';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, expect, test } from 'vitest';
import { keyAuth } from './caller/key-auth.ts';
import type { AskemaServer, Caller, OpenedFor, ServedDatabase } from './contract.ts';
import { tenantFile } from './databases/tenant-file.ts';
import { folderKnowledge } from './knowledge/folder-knowledge.ts';
import { createServer } from './server.ts';
import { fakeServer } from './testing/fake-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-tenants-'));
const TENANTS = ['north', 'south', '__proto__', 'constructor'];
for (const tenant of TENANTS) {
  const database = new DatabaseSync(join(folder, `${tenant}.sqlite`));
  database.exec(
    `CREATE TABLE users (name TEXT, ssn TEXT); INSERT INTO users VALUES ('of ${tenant}', 'ssn of ${tenant}')`,
  );
  database.close();
}
const callerOf = (tenant: string, more: Partial<Caller> = {}): Caller => ({
  ...{ subject: `caller-${tenant}`, tenant, scopes: ['sql'] },
  ...more,
});
const { sql, server } = fakeServer(
  [
    ...TENANTS.map((tenant) => callerOf(tenant)),
    callerOf('../north', { subject: 'outside' }),
    callerOf('north', { subject: 'restricted', hide: ['users.ssn'] }),
    callerOf('north', { subject: 'in-role', role: 'admin' }),
  ],
  {
    databases: {
      shop: { open: ({ tenant }) => ({ adapter: sqlite({ file: tenantFile(folder, tenant, 'sqlite') }) }) },
    },
  },
);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test('tenants who ask the same at the same time see their own rows', async () => {
  const asked = Array.from({ length: 5 }, () => TENANTS).flat();
  const responses = await Promise.all(
    asked.map(async (tenant) => (await sql(`caller-${tenant}`, 'shop', 'SELECT name FROM users')).json()),
  );
  expect(responses).toEqual(asked.map((tenant) => ({ rows: [[`of ${tenant}`]] })));
});

test.each([
  ['another file', "ATTACH DATABASE 'south.sqlite' AS south"],
  ['a change', 'DELETE FROM users'],
])('no statement reaches %s', async (_what, text) => {
  expect((await sql('caller-north', 'shop', text)).status).toBe(403);
  expect(await (await sql('caller-north', 'shop', 'SELECT COUNT(*) FROM users')).json()).toEqual({ rows: [[1]] });
});

test('a tenant whose name leads out of the folder gets none, and does not learn where it is', async () => {
  const response = await sql('outside', 'shop', 'SELECT name FROM users');
  expect(response.status).toBe(403);
  expect(await response.text()).not.toContain(folder);
});

test('what is hidden from one caller of a tenant is not hidden from the next, and not the other way round', async () => {
  const text = 'SELECT ssn FROM users';
  const [all, restricted] = await Promise.all([sql('caller-north', 'shop', text), sql('restricted', 'shop', text)]);
  expect([all.status, restricted.status]).toEqual([200, 403]);
  expect(await restricted.text()).not.toContain('ssn of');
});

test('a role, which SQLite does not know, is not passed over', async () => {
  expect((await sql('in-role', 'shop', 'SELECT name FROM users')).status).toBe(501);
});

const CANARY = { north: 'aurora', south: 'pampas' } as const;
type Tenant = keyof typeof CANARY;
const BOTH = Object.keys(CANARY) as readonly Tenant[];
const otherOf = (tenant: Tenant): string => (tenant === 'north' ? CANARY.south : CANARY.north);

/** One structure, other cells: what is kept by the structure alone is the other's. */
function peopleOf(tenant: Tenant): string {
  const file = join(folder, `people-${tenant}.sqlite`);
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT)');
  const insert = database.prepare('INSERT INTO people (name, city) VALUES (?, ?)');
  for (let at = 0; at < 20; at += 1) insert.run(`Kim ${at} ${CANARY[tenant]}`, `${CANARY[tenant]} town ${at % 3}`);
  database.close();
  return file;
}

/** A model that looks its cell up in the prompt, as a real one does. */
function reader(prompts: { readonly tenant: string | undefined; readonly text: string }[]) {
  return scriptedModel(async ({ messages, context }) => {
    const text = messages.map(({ content }) => textOf(content)).join('\n');
    prompts.push({ tenant: context.tenant, text });
    await new Promise((resolve) => setImmediate(resolve));
    const [name = 'Kim 1'] = /Kim \d+/.exec(text) ?? [];
    const sql = `SELECT name, city FROM people WHERE name LIKE '${name} %'`;
    return { json: { outcome: 'sql', sql, explanation: 'as asked', not_understood: [] } };
  });
}

async function openPeople() {
  const kept = join(folder, 'kept');
  const terms = join(folder, 'terms');
  mkdirSync(join(terms, 'rules'), { recursive: true });
  writeFileSync(join(terms, 'rules', 'towns.md'), '---\nid: towns\n---\nA town is a city.\n');
  const knowledge = createKnowledge(await loadKnowledge(terms));
  const prompts: Parameters<typeof reader>[0] = [];
  const model = reader(prompts);
  const files = { north: peopleOf('north'), south: peopleOf('south') };
  const indexes = new Map<string, SqliteValueIndex>();
  for (const tenant of BOTH) {
    await using adapter = resolveAdapter(sqlite({ file: files[tenant] }));
    const path = join(folder, `${tenant}.values`);
    await buildValueIndex({ adapter, catalog: await adapter.introspect(), path });
    indexes.set(tenant, await openValueIndex(path));
  }
  const people: ServedDatabase = {
    open: ({ tenant = '' }) => ({
      adapter: sqlite({ file: files[tenant as Tenant] }),
      text2sql: {
        ...{ model, flow: plain(), knowledge, linkValues: true, alignValues: true },
        ...{ valueIndex: indexes.get(tenant), catalogCache: { folder: kept } },
      },
    }),
    knowledge: folderKnowledge({ folder: terms, dialect: sqliteDialect }),
  };
  const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
  // People of one name, in two tenants.
  const auth = keyAuth(
    BOTH.map((tenant) => ({ sha256: sha256(tenant), caller: { subject: 'kim', tenant, scopes: ['*'] } })),
  );
  const lines: { readonly tenant?: string | undefined; readonly line: string }[] = [];
  const logged: string[] = [];
  const log = (...told: readonly unknown[]) => void logged.push(JSON.stringify(told));
  const open = (): AskemaServer =>
    createServer({
      ...{ databases: { people }, auth, runtime: { logger: { debug: log, info: log, warn: log } } },
      audit: {
        keeps: { sql: 'text', question: 'text' },
        async before(entry) {
          lines.push({ tenant: entry.tenant, line: JSON.stringify(entry) });
          return entry.tenant ?? '';
        },
        async after(tenant, ended) {
          lines.push({ tenant, line: JSON.stringify(ended) });
        },
      },
    });
  const close = () => Promise.all([...indexes.values()].map((index) => index.close()));
  return { open, close, prompts, lines, logged, kept };
}

test('two tenants who ask the same at the same time share no cache: 100 pairs, and again after a restart', async () => {
  const people = await openPeople();
  for (const when of ['before the restart', 'after it']) {
    const serving = people.open();
    const told: { readonly tenant: Tenant; readonly what: string; readonly text: string }[] = [];
    const send = async (tenant: Tenant, what: string, body?: object): Promise<void> => {
      const headers = {
        authorization: `Bearer ${tenant}`,
        'content-type': 'application/json',
        'idempotency-key': JSON.stringify(body ?? null),
      };
      const [method = '', path = ''] = what.split(' ');
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await serving.fetch(new Request(`http://localhost${path}`, { method, headers, ...init }));
      expect([what, response.status]).toEqual([what, 200]);
      told.push({ tenant, what, text: JSON.stringify([...response.headers]) + (await response.text()) });
    };
    const kinds: readonly ((tenant: Tenant, at: number) => Promise<void>)[] = [
      (tenant, at) => send(tenant, 'POST /v1/ask', { question: `Where does Kim ${at % 7} live?` }),
      (tenant) => send(tenant, 'GET /v1/databases/people/values?text=town'),
      (tenant, at) => send(tenant, 'POST /v1/sql', { sql: `SELECT name FROM people LIMIT ${1 + (at % 4)}` }),
      (tenant) => send(tenant, 'GET /v1/databases/people/search?words=people&detail=full'),
      (tenant) => send(tenant, 'GET /v1/databases/people/catalog'),
    ];
    for (let batch = 0; batch < 10; batch += 1)
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          BOTH.map((tenant) => kinds[at < 6 ? 0 : at - 5]?.(tenant, batch * 10 + at)),
        ).flat(),
      );
    for (const tenant of BOTH) {
      await send(tenant, 'GET /v1/history');
      await send(tenant, 'GET /v1/databases/people/knowledge');
      await send(tenant, 'GET /metrics');
    }
    await serving.close();
    for (const { tenant, what, text } of told)
      expect([when, what, text.includes(otherOf(tenant))]).toEqual([when, what, false]);
    for (const tenant of BOTH)
      expect(told.filter((one) => one.tenant === tenant && one.text.includes(CANARY[tenant])).length).toBeGreaterThan(
        60,
      );
    expect(told.filter(({ what }) => what === 'GET /metrics').some(({ text }) => /aurora|pampas/.test(text))).toBe(
      false,
    );
  }
  for (const { tenant, text } of people.prompts) expect(text).not.toContain(otherOf(tenant as Tenant));
  for (const tenant of BOTH) {
    expect(people.prompts.some((one) => one.tenant === tenant && one.text.includes(CANARY[tenant]))).toBe(true);
    const own = people.lines
      .filter((one) => one.tenant === tenant)
      .map(({ line }) => line)
      .join('\n');
    expect(own).toContain('people');
    expect(own).not.toContain(otherOf(tenant));
  }
  expect(people.logged.join('\n')).not.toMatch(/aurora|pampas/);
  expect(readdirSync(people.kept).length).toBeGreaterThanOrEqual(2);
  await people.close();
});

test('a file of DuckDB for each tenant: their own rows at the same time, and no role', async () => {
  for (const tenant of BOTH) {
    const instance = await DuckDBInstance.create(join(folder, `${tenant}.duckdb`));
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE people AS SELECT '${CANARY[tenant]}' AS name`);
    connection.closeSync();
    instance.closeSync();
  }
  const callers = [...BOTH.map((tenant) => callerOf(tenant)), callerOf('north', { subject: 'in-role', role: 'admin' })];
  const open = ({ tenant }: OpenedFor) => ({ adapter: duckdb({ file: tenantFile(folder, tenant, 'duckdb') }) });
  const served = fakeServer(callers, { databases: { shop: { open } } });
  const asked = Array.from({ length: 5 }, () => BOTH).flat();
  const responses = await Promise.all(
    asked.map(async (tenant) => (await served.sql(`caller-${tenant}`, 'shop', 'SELECT name FROM people')).json()),
  );
  expect(responses).toEqual(asked.map((tenant) => ({ rows: [[CANARY[tenant]]] })));
  const other = `SELECT * FROM '${join(folder, 'south.duckdb')}'`;
  for (const sql of [other, `ATTACH '${join(folder, 'south.duckdb')}' AS s`])
    expect((await served.sql('caller-north', 'shop', sql)).status).toBeGreaterThanOrEqual(400);
  expect((await served.sql('in-role', 'shop', 'SELECT name FROM people')).status).toBe(501);
  await served.server.close();
});
