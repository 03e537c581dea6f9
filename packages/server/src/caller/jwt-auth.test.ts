import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type JwtAuthOptions, jwtAuth } from './jwt-auth.ts';

const keys = await generateKeyPair('ES256');
const foreign = await generateKeyPair('ES256');
const rsa = await generateKeyPair('RS256', { extractable: true });
const asked: string[] = [];
let fails = 0;
let claimsToBe: string | undefined;
const issuing = createServer(async (request, response) => {
  asked.push(request.url ?? '');
  if (fails > 0) {
    fails -= 1;
    response.writeHead(500).end();
    return;
  }
  const jwk = async (key: typeof keys.publicKey, alg: string) => ({
    ...(await exportJWK(key)),
    kid: alg,
    alg,
    use: 'sig',
  });
  const json = request.url?.includes('openid')
    ? { issuer: claimsToBe ?? issuer, jwks_uri: `${issuer}/keys` }
    : { keys: [await jwk(keys.publicKey, 'ES256'), await jwk(rsa.publicKey, 'RS256')] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
});
let issuer = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => issuing.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
});
afterAll(() => {
  issuing.close();
  issuing.closeAllConnections();
});

const CLAIMS = { org: 'acme', roles: 'reader', scope: 'ask sql@shop' };
interface Changes {
  readonly claims?: JWTPayload;
  readonly audience?: string;
  readonly from?: string;
  readonly expires?: string | number;
  readonly kid?: string;
}
const signed = (
  { claims = CLAIMS, audience = 'askema', from = issuer, expires = '1h', kid = 'ES256' }: Changes,
  key = keys.privateKey,
) =>
  new SignJWT({ sub: 'ada', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(from)
    .setAudience(audience)
    .setExpirationTime(expires)
    .sign(key);
const authOf = (options: Partial<JwtAuthOptions> = {}) =>
  jwtAuth({ issuer, audience: 'askema', claims: { tenant: 'org', role: 'roles' }, ...options });
const requestOf = (token?: string) =>
  new Request('http://localhost/', token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

test('a token of the issuer says who asks; its keys are found once, by discovery', async () => {
  const auth = authOf();
  asked.length = 0;
  const callers = await Promise.all([1, 2, 3].map(async () => auth.authenticate(requestOf(await signed({})))));
  expect(callers[0]).toEqual({ subject: 'ada', tenant: 'acme', role: 'reader', scopes: ['ask', 'sql@shop'] });
  expect(asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

describe('refused, all in the same words', () => {
  const hs256 = async () =>
    new SignJWT({ sub: 'ada', ...CLAIMS })
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .setIssuer(issuer)
      .setAudience('askema')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey)));
  const unsigned = async () =>
    new UnsecuredJWT({ sub: 'ada', ...CLAIMS })
      .setIssuer(issuer)
      .setAudience('askema')
      .setExpirationTime('1h')
      .encode();
  const endless = async () =>
    new SignJWT({ sub: 'ada', ...CLAIMS })
      .setProtectedHeader({ alg: 'ES256', kid: 'ES256' })
      .setIssuer(issuer)
      .setAudience('askema')
      .sign(keys.privateKey);

  test.each<[string, () => Promise<string>]>([
    ['another audience', () => signed({ audience: 'other' })],
    ['expired', () => signed({ expires: Math.floor(Date.now() / 1000) - 60 })],
    ['alg none', unsigned],
    ['HS256 with the public key as its secret', hs256],
    ['another issuer', () => signed({ from: 'https://evil.example' })],
    ['signed by another key', () => signed({}, foreign.privateKey)],
    ['without an end', endless],
    ['no token at all', async () => 'abc'],
  ])('%s', async (_what, token) => {
    const refused = authOf().authenticate(requestOf(await token()));
    await expect(refused).rejects.toMatchObject({
      code: 'CALLER_UNKNOWN',
      message: expect.stringMatching(/^The token is not accepted\. /),
    });
  });

  test('none', async () => {
    await expect(authOf().authenticate(requestOf())).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
  });
});

test.each([
  ['no tenant', { scope: 'ask', roles: 'reader' }],
  ['an empty tenant', { ...CLAIMS, org: ' ' }],
  ['a tenant that is no text', { ...CLAIMS, org: ['acme'] }],
  ['no role', { org: 'acme' }],
])('a token with %s is refused where the claim is read: it must not open the whole database', async (_what, claims) => {
  await expect(authOf().authenticate(requestOf(await signed({ claims })))).rejects.toMatchObject({
    code: 'CALLER_UNKNOWN',
  });
});

test('a claim that every object has is no claim', async () => {
  const auth = authOf({ claims: { tenant: 'constructor', role: '__proto__' } });
  await expect(auth.authenticate(requestOf(await signed({})))).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
});

describe('while the issuer does not answer', () => {
  const unchecked = { code: 'CALLER_UNCHECKED', retryable: true, details: { retryAfterMs: 5_000 } };
  afterEach(() => {
    fails = 0;
    vi.useRealTimers();
  });

  test('nobody is refused, and the next token tries again', async () => {
    const auth = authOf();
    fails = 1;
    await expect(auth.authenticate(requestOf(await signed({})))).rejects.toMatchObject(unchecked);
    await expect(auth.authenticate(requestOf(await signed({})))).resolves.toMatchObject({ subject: 'ada' });
  });

  test('what is no token at all is refused', async () => {
    fails = 1;
    await expect(authOf().authenticate(requestOf('abc'))).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
  });

  test.each([undefined, 'keys'])('keys that were read hold for an hour, and no other key does', async (path) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const auth = authOf(path === undefined ? {} : { jwksUri: `${issuer}/${path}` });
    const again = async (...given: Parameters<typeof signed>) => auth.authenticate(requestOf(await signed(...given)));
    await again({});
    fails = Number.POSITIVE_INFINITY;
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect(await again({})).toMatchObject({ subject: 'ada' });
    asked.length = 0;
    expect(await again({})).toMatchObject({ subject: 'ada' });
    // The one who may ask does not wait for an issuer that hangs.
    expect(asked).toEqual([]);
    await expect(again({}, foreign.privateKey)).rejects.toMatchObject({ code: 'CALLER_UNKNOWN' });
    await expect(again({ kid: 'new' }, foreign.privateKey)).rejects.toMatchObject(unchecked);
    vi.setSystemTime(Date.now() + 60 * 60_000);
    await expect(again({})).rejects.toMatchObject(unchecked);
    fails = 0;
    expect(await again({})).toMatchObject({ subject: 'ada' });
  });
});

test('a description of another issuer is not taken', async () => {
  claimsToBe = 'https://evil.example';
  try {
    await expect(authOf().authenticate(requestOf(await signed({})))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  } finally {
    claimsToBe = undefined;
  }
});

test.each<[string, Partial<JwtAuthOptions>]>([
  ['keys over http from elsewhere', { jwksUri: 'http://example.com/keys' }],
  ['an issuer over http from elsewhere', { issuer: 'http://example.com' }],
  ['a shared secret', { algorithms: ['HS256' as never] }],
  ['no audience', { audience: [] }],
  ['no signature', { algorithms: ['none' as never] }],
])('%s is refused when the server starts', (_what, options) => {
  expect(() => authOf(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
