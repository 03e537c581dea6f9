import { type Adapter, createCallContext, isAskemaError } from '@askema/core';
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../connection/driver.ts';
import { drop, hang, httpStatus, ONE_COLUMN, openOn, PASSWORD, running } from './open-on.ts';
import { done, QUERY_ID, refusal, result, type StubHandler, startWireStub, type WireStub } from './wire-stub.ts';

// The driver takes its time to load, the first time.
beforeAll(async () => void (await loadDriver()), 30_000);

/** Each test ends within this time, or what it waits for does not come. */
const BOUND_MS = 20_000;

const one = result({ columns: ONE_COLUMN, rows: [['1']] });

let seen: WireStub | undefined;

afterEach(() => {
  // Nobody is sent another one's secrets: not in headers of chunks, not in query strings.
  for (const request of seen?.requests ?? []) expect(JSON.stringify(request.query)).not.toContain(PASSWORD);
});

async function start(...handlers: readonly StubHandler[]): Promise<WireStub> {
  const stub = await startWireStub(...handlers);
  seen = stub;
  onTestFinished(() => stub.kill());
  return stub;
}

function open(stub: WireStub, options: Parameters<typeof openOn>[1] = {}): Adapter {
  const adapter = openOn(stub, options);
  onTestFinished(() => adapter.close());
  return adapter;
}

/** What a promise rejects with, as text too: no secret may stand anywhere in it. */
async function failureOf(
  promise: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly ms: number }> {
  const started = performance.now();
  const error = await promise.then(
    () => expect.unreachable('it went well'),
    (thrown: unknown) => thrown,
  );
  if (!isAskemaError(error)) throw error;
  const whole = `${JSON.stringify(error)} ${error.stack} ${error.cause instanceof Error ? error.cause.stack : ''}`;
  for (const secret of [PASSWORD, 'session-token-', 'master-token-']) expect(whole).not.toContain(secret);
  return { code: error.code, message: error.message, ms: performance.now() - started };
}

test('a killed server ends the statement, and closing is bounded', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => hang));
  const adapter = open(stub);
  const failure = failureOf(adapter.query('SELECT 1', { timeoutMs: 5_000 }));
  await stub.waitFor('query-request', 2);
  await stub.kill();
  expect(await failure).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringMatching(
      /the connection to the Snowflake account org-stub .* broke \(ECONNREFUSED, \d times\)/,
    ),
  });
  const started = performance.now();
  await adapter.close();
  expect(performance.now() - started).toBeLessThan(4_500);
});

test('a dropped connection: the statement is sent again under its id, and runs once', {
  timeout: BOUND_MS,
}, async () => {
  let drops = 0;
  const stub = await start(running(() => (drops++ === 0 ? drop : one)));
  const { rows } = await open(stub).query('SELECT 1');
  expect(rows).toEqual([[1]]);
  const [, first, second] = stub.seen('query-request');
  expect(second?.query).toMatchObject({ requestId: first?.query.requestId, retryCount: '1', retryReason: '0' });
});

test('connections that are dropped again and again are an error', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => drop));
  expect(await failureOf(open(stub).query('SELECT 1'))).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining('ECONNRESET, 6 times'),
  });
});

test('an expired session token is renewed', { timeout: BOUND_MS }, async () => {
  const expired = {
    data: null,
    code: '390112',
    message: 'Your session has expired. Please login again.',
    success: false,
  };
  const stub = await start(
    ({ path, headers }) =>
      path.endsWith('/query-request') && headers.authorization !== 'Snowflake Token="renewed"' ? expired : undefined,
    running(() => one),
    ({ path }) =>
      path === '/session/token-request'
        ? done({ sessionToken: 'renewed', validityInSecondsST: 3600, masterToken: 'm', validityInSecondsMT: 14400 })
        : undefined,
  );
  expect((await open(stub).query('SELECT 1')).rows).toEqual([[1]]);
  expect(stub.seen('token-request')).toHaveLength(1);
  expect(stub.seen('login-request')).toHaveLength(1);
});

test('an expired login is made again, once and unseen', { timeout: BOUND_MS }, async () => {
  const stub = await start(
    running(() => one),
    expireOnce(),
  );
  const adapter = open(stub);
  await adapter.query('SELECT 1');
  stub.on(expireOnce());
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  expect(stub.seen('login-request')).toHaveLength(2);
});

test('an expired login that cannot be made again is an error that says what to do', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => one));
  const adapter = open(stub);
  await adapter.query('SELECT 1');
  stub.on(expireOnce());
  stub.on(({ path }) =>
    path.endsWith('/login-request')
      ? refusal('390100', `Incorrect username or password was specified: ${PASSWORD}.`)
      : undefined,
  );
  expect(await failureOf(adapter.query('SELECT 1'))).toMatchObject({
    code: 'CONFIG_INVALID',
    message:
      'Snowflake refused the login to the account org-stub (390100: Incorrect username or password was specified: [redacted].). User ANNA or password is wrong.',
  });
});

/** The next statement finds its session gone, and the renewal refused. */
function expireOnce(): StubHandler {
  let left = 2;
  return ({ path }) => {
    if (left === 2 && path.endsWith('/query-request')) {
      left -= 1;
      return { data: null, code: '390112', message: 'Your session has expired.', success: false };
    }
    if (left === 1 && path === '/session/token-request') {
      left -= 1;
      return { data: null, code: '390114', message: 'Authentication token has expired.', success: false };
    }
    return undefined;
  };
}

test('a 503 storm is told apart from a slow statement, and nothing is left running', {
  timeout: BOUND_MS,
}, async () => {
  const stub = await start(running(() => httpStatus(503)));
  const adapter = open(stub, { retryDelayMs: 60 });
  const failure = await failureOf(adapter.query('SELECT 1', { timeoutMs: 1_000 }));
  expect(failure).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringMatching(
      /^The query \(until its time was over\) failed: HTTP 503 .*, \d times\. Try again later/,
    ),
  });
  expect(failure.ms).toBeLessThan(3_500);
  await stub.waitFor('abort-request');
  const sent = stub.seen('query-request').length;
  await adapter.close();
  expect(stub.seen('query-request')).toHaveLength(sent);
  expect(stub.seen('/session')).toHaveLength(1);
});

test('a 503 storm ends after some tries, long before the deadline', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => httpStatus(503)));
  expect(await failureOf(open(stub).query('SELECT 1'))).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining('HTTP 503'),
  });
  expect(stub.seen('query-request')).toHaveLength(7);
});

test('a 503 storm that passes is not noticed', { timeout: BOUND_MS }, async () => {
  let failures = 3;
  const stub = await start(
    ({ path }) => (path.endsWith('login-request') && failures-- > 0 ? httpStatus(503) : undefined),
    running(() => one),
  );
  expect((await open(stub).query('SELECT 1')).rows).toEqual([[1]]);
});

test('a login into a storm, or into silence, ends at the deadline', { timeout: BOUND_MS }, async () => {
  const storm = await start(({ path }) => (path.endsWith('login-request') ? httpStatus(503) : undefined));
  const stormy = await failureOf(open(storm, { retryDelayMs: 60 }).query('SELECT 1', { timeoutMs: 1_000 }));
  expect(stormy).toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('HTTP 503') });
  const silent = await start(({ path }) => (path.endsWith('login-request') ? hang : undefined));
  const silence = await failureOf(open(silent).query('SELECT 1', { timeoutMs: 200 }));
  expect(silence.code).toBe('QUERY_TIMEOUT');
  const own = await failureOf(open(silent, { loginTimeoutMs: 200 }).query('SELECT 1', { timeoutMs: 5_000 }));
  expect(own).toMatchObject({ message: expect.stringContaining('The login did not end within 200 ms') });
  for (const { ms } of [stormy, silence, own]) expect(ms).toBeLessThan(3_500);
});

test('a wrong account is told by what answers in its place', { timeout: BOUND_MS }, async () => {
  const stub = await start(({ path }) => (path.endsWith('login-request') ? httpStatus(403) : undefined));
  expect(await failureOf(open(stub).query('SELECT 1'))).toMatchObject({
    code: 'DATABASE_NOT_FOUND',
    message: expect.stringContaining('Check the account identifier'),
  });
});

test('a slow statement is cancelled on the server at its deadline', { timeout: BOUND_MS }, async () => {
  const running1 = done({ queryId: QUERY_ID, getResultUrl: `/queries/${QUERY_ID}/result` }, '333333');
  const stub = await start(
    running(() => running1),
    ({ path }) => (path.endsWith('/result') ? running1 : undefined),
  );
  const adapter = open(stub);
  const failure = await failureOf(adapter.query('SELECT 1', { timeoutMs: 600 }));
  expect(failure).toMatchObject({
    code: 'QUERY_TIMEOUT',
    message: expect.stringContaining('did not end within 600 ms'),
  });
  expect(failure.ms).toBeLessThan(3_500);
  await stub.waitFor('abort-request');
  expect(stub.seen('abort-request').map(({ path }) => path)).toEqual([`/queries/${QUERY_ID}/abort-request`]);
  // It is asked ever more slowly: 20, 40, 60, … ms.
  expect(stub.seen('/result').length).toBeLessThan(9);
  await adapter.close();
  expect(stub.seen('/session')).toHaveLength(1);
});

test('a statement whose first answer does not come is cancelled by the id of its request', {
  timeout: BOUND_MS,
}, async () => {
  const stub = await start(running(() => hang));
  const adapter = open(stub);
  expect(await failureOf(adapter.query('SELECT 1', { timeoutMs: 200 }))).toMatchObject({ code: 'QUERY_TIMEOUT' });
  await stub.waitFor('abort-request');
  const [, sent] = stub.seen('query-request');
  expect(stub.seen('abort-request')[0]?.body).toEqual({ requestId: sent?.query.requestId });
});

test('an abort cancels on the server; the next statement gets a session of its own', {
  timeout: BOUND_MS,
}, async () => {
  let slow = true;
  const stub = await start(running(() => (slow ? hang : one)));
  const adapter = open(stub, { poolSize: 1 });
  const controller = new AbortController();
  const context = createCallContext({ signal: controller.signal });
  const failure = failureOf(adapter.query('SELECT 1', { context }));
  await stub.waitFor('query-request', 2);
  controller.abort();
  expect(await failure).toMatchObject({ code: 'ABORTED' });
  slow = false;
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  expect(stub.seen('abort-request')).toHaveLength(1);
  expect(stub.seen('login-request')).toHaveLength(2);
  expect(stub.seen('/session')).toHaveLength(1);
});

test('closing cancels what runs', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => hang));
  const adapter = open(stub);
  const failures = [failureOf(adapter.query('SELECT 1')), failureOf(adapter.query('SELECT 2'))];
  await stub.waitFor('query-request', 4);
  await adapter.close();
  for (const failure of failures) expect(await failure).toMatchObject({ code: 'DATABASE_CLOSED' });
  expect(stub.seen('abort-request')).toHaveLength(2);
  expect(stub.seen('/session')).toHaveLength(2);
  await adapter.close();
});

test('a chunk that hangs ends at the deadline', { timeout: BOUND_MS }, async () => {
  const stub = await start(
    running(() => result({ columns: ONE_COLUMN, chunks: [{ url: `${stub.url}/chunks/1`, rowCount: 10 }] })),
    ({ path }) => (path === '/chunks/1' ? (response) => void response.write('["1"],') : undefined),
  );
  const failure = await failureOf(open(stub).query('SELECT 1', { timeoutMs: 300 }));
  expect(failure).toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect(failure.ms).toBeLessThan(3_500);
});

test('statements wait for a session within their own deadline', { timeout: BOUND_MS }, async () => {
  const stub = await start(running(() => hang));
  const adapter = open(stub, { poolSize: 1 });
  const first = failureOf(adapter.query('SELECT 1', { timeoutMs: 600 }));
  await stub.waitFor('query-request', 2);
  const second = await failureOf(adapter.query('SELECT 2', { timeoutMs: 100 }));
  expect(second).toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect(second.ms).toBeLessThan(500);
  expect(await first).toMatchObject({ code: 'QUERY_TIMEOUT' });
});
