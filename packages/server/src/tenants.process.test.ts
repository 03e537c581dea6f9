import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from '@askema/sqlite';
import { afterAll, expect, test } from 'vitest';
import type { Caller } from './contract.ts';
import { tenantFile } from './databases/tenant-file.ts';
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
