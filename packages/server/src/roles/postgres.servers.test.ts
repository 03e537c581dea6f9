import { resolveAdapter } from '@askema/core';
import { postgres } from '@askema/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import type { AuditEntry, AuditOutcome, Caller } from '../contract.ts';
import { CANARY, otherOf, ROLES, type Role, roleServer, shuffled } from './role-server.ts';

const PASSWORD = 'only-for-tests';
const SETUP = [
  `CREATE ROLE app LOGIN PASSWORD '${PASSWORD}'`,
  'CREATE ROLE boss',
  'CREATE TABLE orders (id INT PRIMARY KEY, owner NAME, note TEXT)',
  'CREATE TABLE secrets (word TEXT)',
  'GRANT SELECT ON secrets TO boss',
  'CREATE POLICY own ON orders USING (owner = current_user)',
  'ALTER TABLE orders ENABLE ROW LEVEL SECURITY',
  ...ROLES.flatMap((role, at) => [
    `CREATE ROLE ${role}`,
    `GRANT ${role} TO app`,
    `GRANT SELECT ON orders TO ${role}`,
    `INSERT INTO orders SELECT i * 2 + ${at}, '${role}', '${CANARY[role]} ' || i FROM generate_series(1, ${5 + at}) AS i`,
    `CREATE TABLE of_${CANARY[role]} (word TEXT)`,
    `GRANT SELECT ON of_${CANARY[role]} TO ${role}`,
  ]),
  // Whoever logs in without a role would see all.
  'GRANT SELECT ON orders, secrets TO app',
  "CREATE POLICY all_rows ON orders TO app USING (current_user = 'app')",
];

let started: StartedServer;
let place: { readonly host: string; readonly port: number; readonly database: string };
beforeAll(async () => {
  started = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, password } = started.ready;
  place = { host: String(host), port: Number(port), database: 'postgres' };
  await using maker = resolveAdapter(
    postgres({ ...place, user: 'postgres', password: String(password), access: 'write' }),
  );
  for (const sql of SETUP) await maker.query(sql, { access: 'write' });
});
afterAll(() => started?.stop());

/** All roles over the same two connections, as a configuration may have it. */
function open(callers: readonly Caller[] = []) {
  const shared = resolveAdapter(postgres({ ...place, user: 'app', password: PASSWORD, poolSize: 2 }));
  const lines: (AuditEntry | AuditOutcome)[] = [];
  const audit = {
    before: async (entry: AuditEntry) => `${lines.push(entry)}`,
    after: async (_: string, ended: AuditOutcome) => void lines.push(ended),
  };
  const served = roleServer({ open: () => ({ ...shared, close: async () => undefined }), callers, audit });
  const close = async (): Promise<void> => {
    await served.server.close();
    await shared.close();
  };
  return { ...served, shared, lines, [Symbol.asyncDispose]: close };
}

const COUNTS = { north: 5, south: 6 };
const BROKEN = 'SELECT CAST(note AS INT) FROM orders';

describe('two roles of PostgreSQL over the same connections', () => {
  it('see their own rows alone, 200 times in random order: rows, counts, values, samples, catalogs, plans, errors', async () => {
    await using served = open();
    const { send, json } = served;
    const kinds: readonly ((role: Role) => Promise<void>)[] = [
      async (role) => {
        const { rows } = await json(role, 'POST', '/v1/sql', { sql: 'SELECT note FROM orders ORDER BY id' });
        expect(rows).toHaveLength(COUNTS[role]);
      },
      async (role) => {
        const { rows } = await json(role, 'POST', '/v1/sql', { sql: 'SELECT COUNT(*), current_user FROM orders' });
        expect(rows).toEqual([[COUNTS[role], role]]);
      },
      async (role) => {
        const { values } = await json(role, 'GET', `/v1/databases/shop/values?text=${CANARY[role]}`);
        expect(values.length).toBeGreaterThan(0);
        const others = await json(role, 'GET', `/v1/databases/shop/values?text=${otherOf(role)}`);
        expect(others).toMatchObject({ values: [] });
      },
      async (role) => {
        const catalog = await json(role, 'GET', '/v1/databases/shop/catalog');
        expect(JSON.stringify(catalog)).not.toContain(otherOf(role));
        const names = catalog.schema.relations.map(({ name }: { name: string }) => name);
        expect(names.sort()).toEqual([`of_${CANARY[role]}`, 'orders']);
      },
      async (role) => {
        const outcome = await json(role, 'POST', '/v1/ask', { question: 'How many orders are there?' });
        expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[COUNTS[role]]] } });
      },
      async (role) => {
        const checked = await json(role, 'POST', '/v1/sql/check', { sql: `SELECT word FROM of_${otherOf(role)}` });
        expect(checked).toMatchObject({ plan: { verdict: 'invalid' } });
      },
      async (role) => {
        const failed = await json(role, 'POST', '/v1/sql', { sql: BROKEN });
        expect(failed).toMatchObject({ status: 422, error: { message: expect.stringContaining(CANARY[role]) } });
      },
      async (role) => {
        for (const sql of [
          'RESET ROLE',
          'SET ROLE app',
          "SELECT set_config('role', 'app', false)",
          'SET SESSION AUTHORIZATION app',
        ])
          expect([sql, (await send(role, 'POST', '/v1/sql', { sql })).status]).toEqual([sql, 403]);
      },
    ];
    const tries = shuffled(
      Array.from({ length: 200 }, (_, at) => ({ role: ROLES[at % 2] ?? 'north', kind: (at >> 1) % kinds.length })),
    );
    for (let from = 0; from < tries.length; from += 8)
      await Promise.all(tries.slice(from, from + 8).map(({ role, kind }) => kinds[kind]?.(role)));
    for (const { role, text } of served.told)
      expect(text.replaceAll(`of_${otherOf(role)}`, '')).not.toContain(otherOf(role));
    for (const { role, text } of served.prompts) expect(text).not.toContain(otherOf(role));
    for (const role of ROLES)
      expect(served.prompts.some((prompt) => prompt.role === role && prompt.text.includes(CANARY[role]))).toBe(true);
    expect(served.shared.name).not.toContain(PASSWORD);
    expect((await served.shared.query('SELECT current_user, COUNT(*) FROM orders')).rows).toEqual([['app', 11]]);
  });

  it.each(['boss', 'nobody', 'none', 'NONE', '"'])(
    'a role %j that may not be taken on is refused, and nothing runs',
    async (role) => {
      await using served = open([{ subject: 'other', role, scopes: ['*'] }]);
      for (const [method, path, body] of [
        ['POST', '/v1/sql', { sql: 'SELECT word FROM secrets' }],
        ['POST', '/v1/ask', { question: 'How many orders are there?' }],
        ['POST', '/v1/conversations', {}],
        ['GET', '/v1/databases/shop/catalog'],
        ['GET', '/v1/databases/shop/values?text=a'],
        ['POST', '/mcp', {}],
      ] as const) {
        const refused = await served.json('other', method, path, body);
        expect([path, refused]).toMatchObject([path, { status: 403, error: { code: 'CALLER_REFUSED' } }]);
        expect(JSON.stringify(refused)).not.toContain('app');
      }
      const sent = served.lines.filter(
        (line) => 'kind' in line && (line.kind !== 'statement' || line.sql !== 'SELECT ?'),
      );
      expect([sent, served.prompts]).toEqual([[], []]);
      expect(served.lines.some((line) => 'outcome' in line && line.outcome === 'done')).toBe(false);
      expect((await served.shared.query('SELECT current_user')).rows).toEqual([['app']]);
    },
  );
});
