import { AskemaError, startLimits } from '@askema/core';
import { mysqlDialect, postgresDialect, sqliteDialect } from '@askema/dialects';
import { afterEach, expect, test, vi } from 'vitest';
import { fakePool } from '../sessions/test-support/fake-session.ts';
import { connectError, misconfigured, unavailable } from './connect-error.ts';
import { offsetOfName } from './offset-of-name.ts';
import { offsetOfByte, offsetOfCharacter } from './offsets.ts';
import { explainServerErrors, type ServerComplaint } from './server-errors.ts';

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

/** The explanation of complaints of a PostgreSQL whose names can be read, or not. */
async function explainer(readNames: () => Promise<readonly string[]>) {
  const complaintOf = (thrown: unknown) => (thrown instanceof Error ? undefined : (thrown as ServerComplaint));
  const explain = explainServerErrors({ name: 'db/shop', dialect: postgresDialect, complaintOf, readNames });
  const limits = startLimits({ what: 'The query' });
  const { session } = await fakePool().pool.acquire(limits);
  const open = { session, begun: undefined, limits };
  return (thrown: unknown, isOpen = true) =>
    explain({ what: 'The query', sql: 'SELECT 1 FROM ordres', timeoutMs: 5_000 })(thrown, isOpen ? open : undefined);
}

const unknownTable = { kind: undefined, vendorCode: '42P01', message: 'relation "ordres" does not exist' };

test('names are read once in half a minute, and who cannot read them says nothing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const read = vi.fn(async () => ['orders']);
  read.mockRejectedValueOnce(new Error('gone'));
  const explain = await explainer(read);
  expect((await explain(unknownTable)).details).not.toHaveProperty('nearestNames');
  for (let round = 0; round < 3; round += 1)
    expect(await explain(unknownTable)).toMatchObject({ details: { nearestNames: ['orders'] } });
  expect(read).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(30_000);
  await explain(unknownTable);
  expect(read).toHaveBeenCalledTimes(3);
});

test('names are read where they help alone', async () => {
  const read = vi.fn(async () => ['orders']);
  const explain = await explainer(read);
  await explain({ ...unknownTable, vendorCode: '42601', message: 'syntax error at or near "FORM"' });
  await explain({ ...unknownTable, kind: 'locked' });
  await explain(unknownTable, false);
  expect(read).not.toHaveBeenCalled();
  await explain({ ...unknownTable, vendorCode: '42883', message: 'function lenght(text) does not exist' });
  expect(read).toHaveBeenCalledTimes(1);
});

test.each([
  ['timed out', true, 'QUERY_TIMEOUT', /5000 ms|5,000 ms/],
  ['read-only', true, 'QUERY_NOT_READ_ONLY', /PostgreSQL refused the statement/],
  ['locked', true, 'DATABASE_LOCKED', /in the way/],
  ['role', false, 'CALLER_REFUSED', /role cannot be taken on: .*ordres/],
  ['busy', false, 'DATABASE_UNAVAILABLE', /cannot serve db\/shop now/],
  [undefined, false, 'CONFIG_INVALID', /The transaction could not be opened: .*ordres/],
] as const)('a complaint of the kind %s, with the call open: %s', async (kind, isOpen, code, message) => {
  const explain = await explainer(async () => []);
  const error = await explain({ ...unknownTable, kind }, isOpen);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
});

const failure = {
  product: 'MariaDB',
  options: { name: 'db/shop', host: 'db', port: 3306, database: undefined, user: 'reader' },
  remedies: {
    ER_ACCESS_DENIED_ERROR: misconfigured('Check user and password.'),
    ER_CON_COUNT_ERROR: unavailable('Too many connections are open.'),
  },
  patterns: [[/does not support SSL/i, misconfigured('Leave out `ssl`.')]],
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

test('an error that has its reason stays, and the place has what is known', () => {
  const closed = new AskemaError('DATABASE_CLOSED', 'Closed.');
  expect(connectError(closed, failure)).toBe(closed);
  const options = { ...failure.options, database: 'shop', user: undefined };
  expect(connectError('odd', { ...failure, options }).message).toMatch(/^MariaDB at db:3306\/shop cannot/);
});

test('a connection that breaks off is worth another try', async () => {
  const explain = await explainer(async () => []);
  expect(await explain(new Error('read ECONNRESET.'))).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    message: expect.stringContaining('PostgreSQL at db/shop broke off: read ECONNRESET. Check'),
  });
});
