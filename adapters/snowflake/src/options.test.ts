import { expect, test } from 'vitest';
import { resolveOptions } from './options.ts';
import type { SnowflakeOptions } from './snowflake-options.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----';
const base = { account: 'org-acc', user: 'ANNA', password: 'pass-word-1' };

test.each<[string, SnowflakeOptions, RegExp]>([
  ['no account', { user: 'u', password: 'p' }, /`account` is missing/],
  ['an account that is none', { ...base, account: 'a b' }, /organization-account/],
  ['no user', { account: 'a', password: 'p' }, /needs `user`/],
  ['nothing to log in with', { account: 'a', user: 'u' }, /needs `password`\. Other ways/],
  [
    'an unknown option',
    { ...base, pasword: 'x' } as SnowflakeOptions,
    /`pasword` is no option .* Did you mean `password`/,
  ],
  ['an unknown authenticator', { ...base, authenticator: 'external_browser' }, /Did you mean `EXTERNALBROWSER`/],
  ['OAuth without a token', { ...base, authenticator: 'oauth' }, /OAUTH needs `token`/],
  ['a key that is none', { ...base, privateKey: 'abc' }, /PEM/],
  ['two keys', { ...base, privateKey: KEY, privateKeyPath: 'k.pem' }, /not both/],
  ['a schema without its database', { ...base, schema: 'S' }, /no `database`/],
  ['a URL with a password', { ...base, accessUrl: 'https://u:geheim@x.com' }, /a user or a password in it/],
  ['no URL', { ...base, accessUrl: 'x.com' }, /makes no URL/],
  ['URL and host', { ...base, accessUrl: 'https://x.com', host: 'y' }, /not both/],
  ['a port alone', { ...base, port: 1 }, /belong to a `host`/],
  ['no pool', { ...base, poolSize: 0 }, /from 1 to 64/],
  ['no such access', { ...base, access: 'all' as 'read' }, /'read' or 'write'/],
  ['a long tag', { ...base, queryTag: 'x'.repeat(1_001) }, /1,000/],
  [
    'an option that would make values inexact',
    { ...base, driverOptions: { rowMode: 'object' } },
    /`driverOptions.rowMode`/,
  ],
  ['no names', { ...base, schemas: [] }, /`schemas`/],
])('%s is refused', (_what, options, message) => {
  expect(() => resolveOptions(options, {})).toThrow(message);
  try {
    resolveOptions(options, {});
  } catch (error) {
    expect(JSON.stringify(error)).not.toMatch(/pass-word-1|geheim/);
  }
});

test.each<[SnowflakeOptions, string, boolean]>([
  [base, 'SNOWFLAKE', false],
  [{ ...base, passcode: '123456' }, 'SNOWFLAKE', true],
  [{ account: 'a', user: 'u', privateKey: KEY }, 'SNOWFLAKE_JWT', false],
  [{ account: 'a', user: 'u', privateKeyPath: 'k.p8', privateKeyPassphrase: 'x' }, 'SNOWFLAKE_JWT', false],
  [{ account: 'a', token: 't' }, 'PROGRAMMATIC_ACCESS_TOKEN', false],
  [{ account: 'a', token: 't', authenticator: 'oauth' }, 'OAUTH', false],
  [{ account: 'a', authenticator: 'externalbrowser' }, 'EXTERNALBROWSER', true],
  [{ ...base, authenticator: 'https://firm.okta.com' }, 'https://firm.okta.com', false],
])('what is given decides how to log in: %j', (options, authenticator, needsPerson) => {
  const resolved = resolveOptions(options, {});
  expect(resolved.authentication).toMatchObject({ authenticator, needsPerson });
  expect(resolved.poolSize).toBe(needsPerson ? 1 : 4);
});

test('the name shows the place and no secret; hosts make a URL', () => {
  const { name, accessUrl } = resolveOptions(
    { ...base, database: 'DB', schema: 'S', host: 'localhost', port: 8080, protocol: 'http' },
    {},
  );
  expect({ name, accessUrl }).toEqual({ name: 'org-acc/DB/S', accessUrl: 'http://localhost:8080' });
  expect(resolveOptions({ ...base, account: 'https://org-acc.snowflakecomputing.com' }, {}).account).toBe('org-acc');
});
