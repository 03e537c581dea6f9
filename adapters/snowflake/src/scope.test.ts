import { createCallContext } from '@askema/core';
import { afterEach, expect, it } from 'vitest';
import { ONE_COLUMN, openOn, running } from './wire-stub/open-on.ts';
import { refusal, result, type StubHandler, startWireStub, type WireStub } from './wire-stub/wire-stub.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function stubOf(...handlers: readonly StubHandler[]): Promise<WireStub> {
  const stub = await startWireStub(...handlers);
  open.push({ [Symbol.asyncDispose]: () => stub.kill() });
  return stub;
}
const rows = running(() => result({ columns: ONE_COLUMN, rows: [['1']] }));
const rolesOf = (stub: WireStub) => stub.seen('login-request').map(({ query }) => query.roleName);
const textsOf = (stub: WireStub) =>
  stub.seen('query-request').flatMap(({ body }) => (body?.describeOnly === true ? [] : [body?.sqlText]));

it('a role of a scope logs in by itself, with that role alone', async () => {
  const stub = await stubOf(rows);
  const adapter = openOn(stub, { role: 'READER', poolSize: 2 });
  open.push(adapter);
  const [clerk, boss] = [adapter.scope({ role: 'CLERK', tags: { tenant: 'north' } }), adapter.scope({ role: 'BOSS' })];
  await Promise.all([clerk.query('SELECT 1'), boss.query('SELECT 2')]);
  expect(rolesOf(stub).sort()).toEqual(['BOSS', 'CLERK']);
  expect(textsOf(stub).filter((sql) => sql === 'USE SECONDARY ROLES NONE')).toHaveLength(2);
  const tags = stub.seen('query-request').filter(({ body }) => body?.sqlText === 'SELECT 1');
  expect(JSON.stringify(tags.map(({ body }) => body?.parameters))).toContain('north');
  await adapter.query('SELECT 3');
  expect(rolesOf(stub)).toEqual([expect.any(String), expect.any(String), 'READER']);
  await clerk.close();
  await expect(clerk.query('SELECT 4')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  await adapter.close();
  await expect(boss.query('SELECT 5')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  expect(() => adapter.scope({ role: 'X', namespace: ['S'] })).toThrow();
});

it('tags alone share the sessions', async () => {
  const stub = await stubOf(rows);
  const adapter = openOn(stub, { poolSize: 1 });
  open.push(adapter);
  await adapter.query('SELECT 1');
  await adapter.scope({ tags: { tenant: 'north' } }).query('SELECT 2');
  expect(stub.seen('login-request')).toHaveLength(1);
});

it('the tags of a call stand whole in its QUERY_TAG', async () => {
  const stub = await stubOf(rows);
  const adapter = openOn(stub);
  open.push(adapter);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tags = { endless: 'x'.repeat(3_000), traceparent };
  await adapter.query('SELECT 1', { context: createCallContext({ runId: 'r', tags }) });
  const sent = stub.seen('query-request').find(({ body }) => body?.sqlText === 'SELECT 1');
  expect(JSON.parse(String(sent?.body?.parameters?.QUERY_TAG))).toMatchObject({
    app: 'askema',
    run: 'r',
    tags: { traceparent },
  });
});

it('a role that the user has not is refused, and nothing runs', async () => {
  const stub = await stubOf(rows, ({ path }) =>
    path.endsWith('login-request')
      ? refusal('390189', "Role 'BOSS' specified in the connect string does not exist or not authorized.")
      : undefined,
  );
  const adapter = openOn(stub);
  open.push(adapter);
  await expect(adapter.scope({ role: 'BOSS' }).query('SELECT 1')).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  await expect(adapter.query('SELECT 1')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(stub.seen('query-request')).toEqual([]);
});

it('a session that keeps its secondary roles is not used', async () => {
  const stub = await stubOf(rows);
  stub.on(({ body }) =>
    body?.sqlText === 'USE SECONDARY ROLES NONE' ? refusal('003001', 'SQL access control error') : undefined,
  );
  const adapter = openOn(stub);
  open.push(adapter);
  await expect(adapter.scope({ role: 'CLERK' }).query('SELECT 1')).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  expect(textsOf(stub)).toEqual(['USE SECONDARY ROLES NONE']);
});
