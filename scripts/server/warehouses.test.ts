import { type AdapterSpec, buildCatalog } from '@askema/core';
import { afterEach, describe, expect, it } from 'vitest';
import { bigquery } from '../../adapters/bigquery/src/index.ts';
import { tokenClient } from '../../adapters/bigquery/src/test-support/token-client.ts';
import { apiError, startWireStub as startBigQuery } from '../../adapters/bigquery/src/wire-stub/wire-stub.ts';
import { snowflake } from '../../adapters/snowflake/src/index.ts';
import { ONE_COLUMN, PASSWORD, running } from '../../adapters/snowflake/src/wire-stub/open-on.ts';
import { refusal, result, startWireStub as startSnowflake } from '../../adapters/snowflake/src/wire-stub/wire-stub.ts';
import { roleServer } from '../../packages/server/src/roles/role-server.ts';
import { rpcOf } from '../../packages/server/src/testing/mcp-request.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Warehouse {
  readonly open: () => AdapterSpec;
  /** A role that the login may take on, and one that it may not. */
  readonly role: string;
  readonly other: string;
  /** What ran, and as whom, as the wire saw it. */
  readonly ran: () => readonly (readonly [who: unknown, sql: unknown])[];
}

/** The stand-ins have no catalog to read. */
function withCatalog(spec: AdapterSpec): AdapterSpec {
  const notes = {
    nameParts: { relation: 'notes' },
    kind: 'table' as const,
    attributes: [{ name: 'id', nativeType: 'INTEGER' }],
  };
  const catalog = buildCatalog({ dialect: spec.dialect, name: spec.name, relations: [notes] });
  const { scope } = spec;
  return {
    ...spec,
    introspector: { introspect: async () => catalog },
    ...(scope === undefined ? {} : { scope: (options) => withCatalog(scope(options)) }),
  };
}

async function openSnowflake(): Promise<Warehouse> {
  const tokens = new Map<string, string>();
  const stub = await startSnowflake(
    ({ path, query }) =>
      path.endsWith('login-request') && query.roleName === 'BOSS'
        ? refusal('390189', "Role 'BOSS' specified in the connect string does not exist or not authorized.")
        : undefined,
    running(({ headers, body }) => {
      ran.push([tokens.get(String(headers.authorization)), body?.sqlText]);
      return result({ columns: ONE_COLUMN, rows: [['7']] });
    }),
  );
  const ran: (readonly [unknown, unknown])[] = [];
  stub.on(({ path, query, headers }) => {
    // Sessions are used by one role: the first statement behind a login is of it.
    if (path.endsWith('login-request')) logins.push(String(query.roleName));
    const token = String(headers.authorization);
    if (path.endsWith('query-request') && !tokens.has(token)) tokens.set(token, logins.shift() ?? '-');
    return undefined;
  });
  const logins: string[] = [];
  closing.push(() => stub.kill());
  const open = () =>
    snowflake({ account: 'org-stub', user: 'APP', password: PASSWORD, accessUrl: stub.url, role: 'ALL', poolSize: 1 });
  return { open, role: 'CLERK', other: 'BOSS', ran: () => ran };
}

async function openBigQuery(): Promise<Warehouse> {
  const [role, other] = ['clerk@p.iam.gserviceaccount.com', 'boss@p.iam.gserviceaccount.com'];
  const stub = await startBigQuery({
    schema: { fields: [{ name: 'n', type: 'INTEGER' }] },
    rows: [['7']],
    behaviour({ path }) {
      const account = /serviceAccounts\/(.+):generateAccessToken$/.exec(path)?.[1];
      if (account === undefined) return undefined;
      if (account !== role) return apiError(403, 'forbidden', 'Permission iam.serviceAccounts.getAccessToken denied');
      return { body: { accessToken: role, expireTime: new Date(Date.now() + 3_600_000).toISOString() } };
    },
  });
  closing.push(() => stub.kill());
  const options = { projectId: 'p', apiEndpoint: stub.url, maxRetries: 0, authClient: tokenClient(() => stub.url) };
  const ran = () =>
    stub.requests.flatMap(({ method, path, body, authorization }) =>
      method === 'POST' && path.endsWith('/jobs') && body.configuration?.dryRun !== true
        ? [[authorization?.replace('Bearer ', ''), body.configuration?.query?.query] as const]
        : [],
    );
  return { open: () => bigquery(options), role, other, ran };
}

describe.each([
  ['Snowflake', openSnowflake],
  ['BigQuery', openBigQuery],
] as const)('%s behind the server, on its stand-in', (_, prepare) => {
  async function serve() {
    const { open, role, other, ran } = await prepare();
    const callers = [
      { subject: 'clerk', role, scopes: ['*'] },
      { subject: 'boss', role: other, scopes: ['*'] },
    ];
    const served = roleServer({ open: () => withCatalog(open()), callers });
    closing.push(() => served.server.close());
    return { ...served, role, ran };
  }

  it('the role of a caller is who runs on the wire', async () => {
    const { json, role, ran } = await serve();
    expect((await json('clerk', 'POST', '/v1/sql', { sql: 'SELECT 7 AS n' })).rows).toEqual([[7]]);
    expect(ran().at(-1)).toEqual([role, 'SELECT 7 AS n']);
    expect(new Set(ran().map(([who]) => who))).toEqual(new Set([role]));
  });

  it('a role that may not be taken on is 403, and nothing runs', async () => {
    const { json, ran } = await serve();
    for (const [path, body] of [
      ['/v1/sql', { sql: 'SELECT 7 AS n' }],
      ['/v1/ask', { question: 'How many orders are there?' }],
    ] as const)
      expect(await json('boss', 'POST', path, body)).toMatchObject({ status: 403, error: { code: 'CALLER_REFUSED' } });
    expect(ran()).toEqual([]);
  });

  it('test 9: nothing that writes reaches it over MCP', async () => {
    const { server, ran } = await serve();
    for (const sql of [
      ...['DELETE FROM notes WHERE TRUE', 'DROP TABLE notes', "INSERT INTO notes VALUES (1, 'x')"],
      ...['CREATE TABLE other (x INT64)', "CALL clean_up('notes')", 'SELECT 1; DELETE FROM notes'],
      "EXECUTE IMMEDIATE 'DROP TABLE notes'",
    ]) {
      const { headers, body } = rpcOf('tools/call', { name: 'run_sql', arguments: { sql } });
      const response = await server.fetch(
        new Request('http://localhost/mcp', {
          ...{ method: 'POST', body: JSON.stringify(body) },
          headers: { ...headers, authorization: 'Bearer clerk' },
        }),
      );
      const text = await response.text();
      expect([sql, text]).toEqual([sql, expect.stringMatching(/"isError":true/)]);
      expect(text).toMatch(/QUERY_(NOT_READ_ONLY|REFUSED)/);
    }
    // EXPLAIN runs nothing, and Snowflake is told to take one statement alone.
    const sent = ran().filter(([, sql]) => !String(sql).startsWith('EXPLAIN '));
    expect(sent.filter(([, sql]) => /DELETE|DROP|INSERT|CREATE|CALL|EXECUTE/.test(String(sql)))).toEqual([]);
  });
});
