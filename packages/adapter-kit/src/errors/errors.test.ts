import { mysqlDialect, postgresDialect, sqliteDialect } from '@askema/dialects';
import { afterEach, expect, test, vi } from 'vitest';
import { brokenOffError, connectError, unavailable } from './connect-error.ts';
import { isAboutNames, rememberNames } from './known-names.ts';
import { offsetOfName } from './offset-of-name.ts';
import { offsetOfByte, offsetOfCharacter } from './offsets.ts';

afterEach(() => vi.useRealTimers());

test('characters and bytes are told apart from UTF-16 code units', () => {
  const sql = "SELECT '🦊é', x";
  const at = sql.indexOf('x');
  expect(offsetOfCharacter(sql, [...sql].indexOf('x'))).toBe(at);
  expect(offsetOfByte(sql, Buffer.byteLength(sql.slice(0, at)))).toBe(at);
  expect([offsetOfCharacter(sql, 999), offsetOfByte(sql, 999)]).toEqual([sql.length, sql.length]);
});

test('the place of an unknown name', () => {
  const at = (sql: string, name: string, isFunction?: boolean) => {
    const offset = offsetOfName(sql, name, mysqlDialect, isFunction);
    return offset === undefined ? undefined : sql.slice(offset);
  };
  expect(at('SELECT nam FROM t', 'nam')).toBe('nam FROM t');
  expect(at('SELECT o.`NAM` FROM t o', 'o.nam')).toBe('o.`NAM` FROM t o');
  expect(at('SELECT o.nam FROM t', 'nam')).toBeUndefined();
  expect(at("SELECT 'nam', nam /* nam */ FROM t", 'nam')).toBe('nam /* nam */ FROM t');
  expect(at('SELECT nam, nam FROM t', 'nam')).toBeUndefined();
  expect(at('SELECT lenght(lenght) FROM t', 'lenght', true)).toBe('lenght(lenght) FROM t');
  expect(at('SELECT lenght(lenght) FROM t', 'lenght')).toBe('lenght) FROM t');
  expect(at(`SELECT nam, ${'x'.repeat(100_000)}`, 'nam')).toBeUndefined();
  expect(offsetOfName('SELECT [a.b] FROM t', 'a.b', sqliteDialect)).toBeUndefined();
});

test('names are read once in half a minute, and who cannot read them says nothing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const known = rememberNames();
  const read = vi.fn(async () => ['orders']);
  expect(await known(() => Promise.reject(new Error('gone')))).toBeUndefined();
  for (let round = 0; round < 3; round += 1) expect(await known(read)).toEqual(['orders']);
  vi.advanceTimersByTime(30_000);
  await known(read);
  expect(read).toHaveBeenCalledTimes(2);
});

test('only some errors are about names', () => {
  const about = (vendorCode: string, message: string) => isAboutNames(postgresDialect, { vendorCode, message });
  expect(about('42P01', 'relation "ordres" does not exist')).toBe(true);
  expect(about('42883', 'function lenght(text) does not exist')).toBe(true);
  expect(about('42601', 'syntax error at or near "FORM"')).toBe(false);
});

const failure = {
  product: 'MariaDB',
  database: 'db/shop',
  place: 'db:3306 as reader',
  remedies: {
    ER_ACCESS_DENIED_ERROR: { code: 'CONFIG_INVALID', remedy: 'Check user and password.' },
    ER_CON_COUNT_ERROR: unavailable('Too many connections are open.'),
  },
  patterns: [[/does not support SSL/i, { code: 'CONFIG_INVALID', remedy: 'Leave out `ssl`.' }]],
} as const;

test.each([
  [{ code: 'ER_ACCESS_DENIED_ERROR', message: 'Access denied' }, 'CONFIG_INVALID', false, /Access denied\. Check user/],
  [
    { code: 'ER_CON_COUNT_ERROR', message: 'Too many.' },
    'DATABASE_UNAVAILABLE',
    true,
    /Too many\. Too many connections/,
  ],
  [{ code: 'X', message: 'Server does not support SSL' }, 'CONFIG_INVALID', false, /Leave out `ssl`/],
  [{ code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'no' }, 'CONFIG_INVALID', false, /certificate .* is not trusted/],
  [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, 'DATABASE_UNAVAILABLE', true, /Nothing answers there/],
  [new AggregateError([{ code: 'ENOTFOUND', message: '' }]), 'DATABASE_UNAVAILABLE', true, /ENOTFOUND\. The name/],
  ['odd', 'DATABASE_UNAVAILABLE', true, /^MariaDB at db:3306 as reader cannot be reached: odd\. Check that the server/],
] as const)('a connection that cannot be opened, %j', (thrown, code, retryable, message) => {
  expect(connectError(thrown, failure)).toMatchObject({ code, retryable, message: expect.stringMatching(message) });
});

test('a connection that breaks off is worth another try', () => {
  expect(brokenOffError(new Error('read ECONNRESET.'), 'MariaDB', 'db/shop')).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    message: expect.stringContaining('MariaDB at db/shop broke off: read ECONNRESET. Check'),
  });
});
