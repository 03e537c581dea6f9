import { expect, it } from 'vitest';
import { NUMBERS, openStub } from './test-support/open-stub.ts';
import { tokenClient } from './test-support/token-client.ts';
import { apiError, type StubBehaviour } from './wire-stub/wire-stub.ts';

const CLERK = 'clerk@p.iam.gserviceaccount.com';
const BOSS = 'boss@p.iam.gserviceaccount.com';

/** Gives tokens for the clerk alone. */
const tokens: StubBehaviour = ({ path }) => {
  const account = /serviceAccounts\/(.+):generateAccessToken$/.exec(path)?.[1];
  if (account === undefined) return undefined;
  if (account !== CLERK) return apiError(403, 'forbidden', "Permission 'iam.serviceAccounts.getAccessToken' denied");
  return { body: { accessToken: 'token-of-clerk', expireTime: new Date(Date.now() + 3_600_000).toISOString() } };
};

/** An adapter with credentials of its own, which asks the stub for tokens as well. */
async function open() {
  let url = '';
  const authClient = tokenClient(() => url);
  const opened = await openStub({ ...NUMBERS, behaviour: tokens }, { authClient });
  url = opened.stub.url;
  return opened;
}

it('a role of a scope is a service account that the credentials act for', async () => {
  const { stub, adapter } = await open();
  const clerk = adapter.scope({ role: CLERK, tags: { tenant: 'north' } });
  await Promise.all([clerk.query('SELECT 1'), clerk.query('SELECT 2')]);
  const asked = stub.requests.filter(({ path }) => path.endsWith(':generateAccessToken'));
  expect(asked).toMatchObject([{ authorization: 'Bearer token-of-app', body: { lifetime: '3600s' } }]);
  const others = stub.requests.filter((request) => !asked.includes(request));
  expect(new Set(others.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-of-clerk']));
  expect(JSON.stringify([...stub.jobs.values()].map(({ body }) => body.configuration?.labels))).toContain('north');
  await adapter.query('SELECT 3');
  expect(stub.requests.at(-1)?.authorization).toBe('Bearer token-of-app');
  await adapter.close();
  await expect(clerk.query('SELECT 4')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
});

it('an account that the credentials may not act for is refused, and nothing runs', async () => {
  const { stub, adapter } = await open();
  await expect(adapter.scope({ role: BOSS }).query('SELECT 1')).rejects.toMatchObject({
    code: 'CALLER_REFUSED',
    message: expect.stringContaining('getAccessToken'),
  });
  for (const role of ['clerk', `${CLERK}/../x`, `a:b@p.iam.gserviceaccount.com`, 'a@gmail.com'])
    expect(() => adapter.scope({ role })).toThrow(expect.objectContaining({ code: 'CALLER_REFUSED' }));
  expect(stub.count('POST', '/jobs')).toBe(0);
});
