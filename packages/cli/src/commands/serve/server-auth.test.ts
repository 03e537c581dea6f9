import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../config/server-config.ts';
import { serverAuth } from './server-auth.ts';

const ISSUER = 'https://login.example.com/';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const http = createServer((_, response) => {
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }));
});
beforeAll(() => new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve)));
afterAll(() => http.close());

function token(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 60;
  const signed = `${part({ alg: 'RS256', kid: 'one' })}.${part({ iss: ISSUER, aud: 'askema', exp, ...claims })}`;
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

const asking = (bearer: string): Request =>
  new Request('http://localhost/', { headers: { authorization: `Bearer ${bearer}` } });
const sha256 = createHash('sha256').update('a-key').digest('hex');

function config(roles?: ServerConfig['roles']): ServerConfig {
  const jwksUri = `http://127.0.0.1:${(http.address() as AddressInfo).port}/keys`;
  return {
    auth: {
      keys: [{ sha256, caller: { subject: 'reports', scopes: ['ask'] } }],
      jwt: { issuer: ISSUER, audience: 'askema', jwksUri, claims: { role: 'job' } },
    },
    roles,
  };
}

describe('who may ask', () => {
  it('is who has a key or a token, and nobody else', async () => {
    const { auth } = serverAuth(config());
    expect(auth.isOpen).toBe(false);
    expect(await auth.authenticate(asking('a-key'))).toMatchObject({ subject: 'reports', scopes: ['ask'] });
    const ann = token({ sub: 'ann', job: 'clerk', scope: 'ask' });
    expect(await auth.authenticate(asking(ann))).toMatchObject({ subject: 'ann', role: 'clerk', scopes: ['ask'] });
    for (const other of ['another-key', `${ann}x`, token({ sub: 'ann', job: 'clerk', aud: 'other' })])
      await expect(auth.authenticate(asking(other))).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
  });

  it('is given what the role has, beside their own', async () => {
    const clerk = { scopes: ['catalog'], hide: ['salaries'], mask: ['*.email'], limits: { questionsPerMinute: 5 } };
    const { auth } = serverAuth(config({ clerk, boss: { database: 'owner' }, guest: { database: false } }));
    const as = (job: string) => auth.authenticate(asking(token({ sub: 'ann', job, scope: 'ask' })));
    expect(await as('clerk')).toMatchObject({ ...clerk, role: 'clerk', scopes: ['ask', 'catalog'] });
    expect(await as('boss')).toMatchObject({ role: 'owner', scopes: ['ask'], hide: [] });
    expect(await as('guest')).not.toHaveProperty('role', expect.anything());
    await expect(as('clerc')).rejects.toMatchObject({
      code: 'CALLER_REFUSED',
      message: expect.stringContaining('Did you mean `clerk`'),
    });
    await expect(as('constructor')).rejects.toMatchObject({ code: 'CALLER_REFUSED' });
  });

  it('hides for a role what is hidden from the caller as well', async () => {
    const caller = { subject: 'ann', role: 'clerk', scopes: [], hide: ['a'], limits: { questionsPerMinute: 1 } };
    const own = { isOpen: false, authenticate: async () => caller };
    const roles = { clerk: { hide: ['b'], limits: { questionsPerMinute: 9 } } };
    expect(await serverAuth({ auth: own, roles }).auth.authenticate(asking('any'))).toMatchObject({
      hide: ['a', 'b'],
      limits: { questionsPerMinute: 1 },
    });
  });
});
