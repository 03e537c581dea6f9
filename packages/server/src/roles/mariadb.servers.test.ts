import { resolveAdapter } from '@askema/core';
import { mysql } from '@askema/mysql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { CANARY, otherOf, ROLES, roleServer, shuffled } from './role-server.ts';

const PASSWORD = 'only-for-tests';
const SETUP = [
  'CREATE DATABASE shop',
  `CREATE USER app IDENTIFIED BY '${PASSWORD}'`,
  'CREATE ROLE boss',
  'CREATE TABLE shop.secrets (word TEXT)',
  'GRANT SELECT ON shop.secrets TO boss',
  // Whoever logs in without a role would see all.
  'GRANT SELECT ON shop.* TO app',
  ...ROLES.flatMap((role) => [
    `CREATE DATABASE ${role}`,
    `CREATE TABLE ${role}.orders (note TEXT)`,
    `INSERT INTO ${role}.orders VALUES ('${CANARY[role]} 1'), ('${CANARY[role]} 2')`,
    `CREATE ROLE of_${role}`,
    `GRANT SELECT ON ${role}.* TO of_${role}`,
    `GRANT of_${role} TO app`,
    `CREATE USER ${role} IDENTIFIED BY '${PASSWORD}'`,
    `GRANT SELECT ON ${role}.* TO ${role}`,
  ]),
];

let started: StartedServer;
let place: { readonly host: string; readonly port: number };
beforeAll(async () => {
  started = await startServer('mariadb/start.mjs', [], {
    needs: 'a MariaDB server (Debian: apt-get install mariadb-server)',
  });
  const { host, port, user, password } = started.ready;
  place = { host: String(host), port: Number(port) };
  await using maker = resolveAdapter(
    mysql({ ...place, user: String(user), password: String(password), access: 'write' }),
  );
  for (const sql of SETUP) await maker.query(sql, { access: 'write' });
});
afterAll(() => started?.stop());

describe('roles of MariaDB', () => {
  it('hold for each statement over the same connections, in random order', async () => {
    await using shared = resolveAdapter(mysql({ ...place, user: 'app', password: PASSWORD, poolSize: 2 }));
    const callers = ROLES.map((role) => ({ subject: `in-${role}`, role: `of_${role}`, scopes: ['*'] }));
    const open = () => ({ ...shared, close: async () => undefined });
    const { server, json } = roleServer({ open, callers });
    const tries = shuffled(
      Array.from({ length: 100 }, (_, at) => ({ role: ROLES[at % 2] ?? 'north', kind: (at >> 1) % 4 })),
    );
    for (let from = 0; from < tries.length; from += 8)
      await Promise.all(
        tries.slice(from, from + 8).map(async ({ role, kind }) => {
          const other = role === 'north' ? 'south' : 'north';
          const run = (sql: string) => json(`in-${role}`, 'POST', '/v1/sql', { sql });
          if (kind === 0) expect((await run(`SELECT note FROM ${role}.orders`)).rows).toHaveLength(2);
          else if (kind === 1) expect([403, 422]).toContain((await run(`SELECT note FROM ${other}.orders`)).status);
          else if (kind === 2) expect((await run(`SELECT (SELECT note FROM ${role}.orders) AS one`)).status).toBe(422);
          else expect((await run('SELECT CURRENT_ROLE()')).rows).toEqual([[`of_${role}`]]);
        }),
      );
    for (const role of ROLES)
      for (const sql of ['SET ROLE NONE', `SET ROLE of_${role}`, 'SET DEFAULT ROLE NONE'])
        expect([sql, (await json(`in-${role}`, 'POST', '/v1/sql', { sql })).status]).toEqual([sql, 403]);
    expect((await shared.query('SELECT CURRENT_ROLE()')).rows).toEqual([[null]]);
    await server.close();
  });

  it.each(['boss', 'nobody', 'NONE', 'none'])(
    '%s, which may not be taken on, is refused, and nothing runs',
    async (role) => {
      await using shared = resolveAdapter(mysql({ ...place, user: 'app', password: PASSWORD }));
      const callers = [{ subject: 'other', role, scopes: ['*'] }];
      const { server, json, prompts } = roleServer({
        open: () => ({ ...shared, close: async () => undefined }),
        callers,
      });
      for (const [path, body] of [
        ['/v1/sql', { sql: 'SELECT word FROM shop.secrets' }],
        ['/v1/ask', { question: 'How many orders are there?' }],
      ] as const)
        expect(await json('other', 'POST', path, body)).toMatchObject({
          status: 403,
          error: { code: 'CALLER_REFUSED' },
        });
      expect(prompts).toEqual([]);
      await server.close();
    },
  );
});

it('a login for each tenant sees its own rows alone', async () => {
  const { server, json, told } = roleServer({
    opensRole: true,
    open: ({ role = '' }) => mysql({ ...place, user: role, password: PASSWORD, database: role }),
  });
  await Promise.all(
    ROLES.flatMap((role) =>
      Array.from({ length: 10 }, async (_, at) => {
        const outcome = await json(role, 'POST', '/v1/ask', { question: `How many orders are there, ${at}?` });
        expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[2]] } });
        const { rows } = await json(role, 'POST', '/v1/sql', { sql: 'SELECT note FROM orders' });
        expect(rows).toEqual([[`${CANARY[role]} 1`], [`${CANARY[role]} 2`]]);
        await json(role, 'GET', '/v1/databases/shop/catalog');
      }),
    ),
  );
  for (const { role, text } of told) expect(text).not.toContain(otherOf(role));
  await server.close();
});
