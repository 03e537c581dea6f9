import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, test, vi } from 'vitest';
import type { Caller } from '../contract.ts';
import { keyAuth } from './key-auth.ts';

const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
const keyOf = (key: string, caller: Partial<Caller> = {}) => ({
  sha256: sha256(key),
  caller: { subject: key, scopes: ['ask'], ...caller },
});
const auth = keyAuth(['first', '__proto__', 'constructor', 'last'].map((key) => keyOf(key)));
const withKey = (key: string) => new Request('http://localhost/', { headers: { authorization: `Bearer ${key}` } });

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test.each(['first', '__proto__', 'constructor', 'last'])('the key %s is its own caller', async (key) => {
  expect(await auth.authenticate(withKey(key))).toMatchObject({ subject: key });
});

test.each(['other', 'toString', sha256('first'), ''])('%j is no key', async (key) => {
  await expect(auth.authenticate(withKey(key))).rejects.toMatchObject({
    code: 'CALLER_UNKNOWN',
    message: expect.not.stringContaining('toString'),
  });
});

test.each(['first', 'last', 'other'])('%s is held against every key, in constant time', async (key) => {
  const compared = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  await auth.authenticate(withKey(key)).catch(() => undefined);
  expect(compared).toHaveBeenCalledTimes(4);
});

test.each([
  ['a key that is not hashed', [{ ...keyOf('a'), sha256: 'my-secret-key' }]],
  ['one key for two callers', [keyOf('a'), { ...keyOf('b'), sha256: sha256('a').toUpperCase() }]],
  ['an unknown scope', [keyOf('a', { scopes: ['sqll@shop'] })]],
  ['a caller without a name', [keyOf('a', { subject: ' ' })]],
  ['a limit that is none', [keyOf('a', { limits: { questionsPerMinute: 0 } })]],
  ['no key', []],
])('%s is refused, and not shown', (_what, keys) => {
  expect(() => keyAuth(keys)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('my-secret-key') }),
  );
});
