import { expect, test } from 'vitest';
import { bindParameters } from '../connection/bindings.ts';
import { resolveOptions } from '../options.ts';
import { connectionError, loginError } from './connection-error.ts';
import { isSessionGone, readFailure } from './driver-error.ts';
import { offsetOf } from './query-error.ts';

const options = resolveOptions({ account: 'org-acc', user: 'ANNA', password: 'pass-word-1', role: 'READER' }, {});

/** What the driver makes of an answer that refuses. */
const refused = (code: string, message: string): object => ({ name: 'OperationFailedError', code, message });

test.each([
  ['390100', /User ANNA or password is wrong/],
  ['390114', /The login has expired/],
  ['390144', /RSA_PUBLIC_KEY/],
  ['390189', /The role READER does not exist or is not granted/],
  ['390201', /does not exist, or the role may not use it/],
  ['390318', /get a new one/],
  ['390420', /network policy/],
  ['394400', /programmatic access token/],
  ['399999', /Check the user and the password/],
])('a login that is refused with %s says what to do', (code, advice) => {
  const error = loginError(
    readFailure(refused(code, 'No: pass-word-1.'), { status: 503, attempts: 1 }, ['pass-word-1']),
    options,
  );
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', retryable: false, details: { vendorCode: code } });
  expect(error.message).toMatch(advice);
  expect(error.message).toContain('[redacted]');
});

test('a login that fails before it is sent is about the credentials', () => {
  const error = loginError(readFailure(new Error('bad decrypt'), undefined, []), options);
  expect(error).toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('could not be prepared (bad decrypt)'),
  });
});

test.each([
  [{ status: 404, attempts: 1 }, 'DATABASE_NOT_FOUND', false],
  [{ status: 401, attempts: 1 }, 'DATABASE_UNAVAILABLE', false],
  [{ status: 429, attempts: 6 }, 'DATABASE_UNAVAILABLE', true],
  [{ status: 503, attempts: 6 }, 'DATABASE_UNAVAILABLE', true],
  [{ network: 'ENOTFOUND', attempts: 1 }, 'DATABASE_UNAVAILABLE', false],
  [{ network: 'ECONNRESET', attempts: 6 }, 'DATABASE_UNAVAILABLE', true],
] as const)('%j is %s', (failure, code, retryable) => {
  expect(connectionError(failure, options, 'The statement')).toMatchObject({ code, retryable });
});

test('a session that is gone is told from a statement that fails', () => {
  const failure = (error: object): boolean => isSessionGone(readFailure(error, undefined, []));
  expect(failure({ name: 'ClientError', code: 407002, message: 'terminated' })).toBe(true);
  expect(failure(refused('002003', 'no table'))).toBe(false);
  expect(failure({})).toBe(false);
});

test('positions count lines from 1 and characters from 0', () => {
  expect(offsetOf('SELECT\n  x', 'error line 2 at position 2\ninvalid')).toBe(9);
  expect(offsetOf('SELECT', 'syntax error line 1 at position 99 unexpected')).toBe(6);
  expect(offsetOf('SELECT', 'syntax error line 7 at position 1')).toBeUndefined();
  expect(offsetOf('SELECT', 'no place')).toBeUndefined();
});

test('a named parameter without a value is an error; names in texts, comments and paths are none', () => {
  expect(() => bindParameters('SELECT :a, :b', { a: 1 })).toThrow('There is no value for the parameter `:b`');
  expect(() => bindParameters('SELECT :toString', {})).toThrow('toString');
  const bound = bindParameters("SELECT v:field, ':a', x::INT -- :a\n WHERE y = :a", { a: 1 });
  expect(bound.sql).toBe("SELECT v:field, ':a', x::INT -- :a\n WHERE y = :1");
});
