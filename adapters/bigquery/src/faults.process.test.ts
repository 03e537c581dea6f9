import { type AskemaError, createCallContext, type QueryOptions, resolveAdapter } from '@askema/core';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BigQueryOptions, bigquery } from './index.ts';
import { apiError, type StubScript, startWireStub, type WireStub } from './wire-stub/wire-stub.ts';

// Loading the client library is part of the first call; here deadlines are short.
beforeAll(() => import('@google-cloud/bigquery'));

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

/** The real client over the stub. */
async function open(script: StubScript = {}, options: BigQueryOptions = {}) {
  const stub = await startWireStub(script);
  const adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url, maxRetries: 2, ...options }));
  opened.push(stub, adapter);
  return { stub, adapter };
}

type Failing = Promise<{ readonly error: AskemaError; readonly elapsedMs: number }>;

async function failing(adapter: Awaited<ReturnType<typeof open>>['adapter'], options: QueryOptions = {}): Failing {
  const started = performance.now();
  const error = await adapter.query('SELECT 1', { timeoutMs: 5_000, ...options }).then(
    () => {
      throw new Error('The query was answered.');
    },
    (thrown: AskemaError) => thrown,
  );
  return { error, elapsedMs: performance.now() - started };
}

const ONE = { schema: { fields: [{ name: 'x', type: 'INTEGER' }] }, rows: [['1']] };
const cancels = (stub: WireStub): number => stub.count('POST', '/cancel');

describe('nothing hangs, and nothing is left running', () => {
  test('a slow query ends at its deadline, and its job is cancelled on the wire', async () => {
    const { stub, adapter } = await open({ slow: true });
    const { error, elapsedMs } = await failing(adapter, { timeoutMs: 1_000 });
    expect(error.code).toBe('QUERY_TIMEOUT');
    expect(elapsedMs).toBeLessThan(2_500);
    expect(stub.jobs.size).toBe(1);
    expect([...stub.jobs.values()].every(({ cancelled }) => cancelled)).toBe(true);
    expect(Number([...stub.jobs.values()][0]?.body.configuration?.jobTimeoutMs)).toBeLessThanOrEqual(1_000);
  });

  test('an abort cancels the job', async () => {
    const controller = new AbortController();
    const { stub, adapter } = await open({
      slow: true,
      behaviour: ({ path }) => {
        if (path.includes('/queries/')) setImmediate(() => controller.abort());
        return undefined;
      },
    });
    const { error, elapsedMs } = await failing(adapter, { context: createCallContext({ signal: controller.signal }) });
    expect(error.code).toBe('ABORTED');
    expect(elapsedMs).toBeLessThan(2_000);
    expect(cancels(stub)).toBe(1);
  });

  test('a deadline in the middle of starting the job cancels it all the same', async () => {
    const { stub, adapter } = await open({
      behaviour: ({ method, path, body }) =>
        method === 'POST' && path.endsWith('/jobs') && body.configuration?.dryRun !== true ? 'hang' : undefined,
    });
    const { error, elapsedMs } = await failing(adapter, { timeoutMs: 1_000 });
    expect(error.code).toBe('QUERY_TIMEOUT');
    expect(elapsedMs).toBeLessThan(2_500);
    // It is not known there yet: the cancel is sent again.
    expect(cancels(stub)).toBe(2);
    expect(stub.requests.at(-1)?.path).toContain(
      stub.requests.find(({ body }) => body.jobReference?.jobId)?.body.jobReference?.jobId,
    );
  });

  test('a server that hangs: the deadline holds, and no connection stays open', async () => {
    const { stub, adapter } = await open({ behaviour: () => 'hang' });
    const { error, elapsedMs } = await failing(adapter, { timeoutMs: 1_000 });
    expect(error.code).toBe('QUERY_TIMEOUT');
    expect(elapsedMs).toBeLessThan(2_500);
    await expect.poll(() => stub.connections(), { timeout: 2_000 }).toBe(0);
  });

  test('a killed server', async () => {
    const { stub, adapter } = await open({ slow: true });
    const running = failing(adapter);
    await expect
      .poll(() => stub.count('GET', [...stub.jobs.keys()][0] ?? 'none yet'), { timeout: 3_000 })
      .toBeGreaterThan(0);
    await stub.kill();
    const { error, elapsedMs } = await running;
    expect(error).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      retryable: true,
      details: { vendorCode: 'ECONNREFUSED' },
    });
    expect(elapsedMs).toBeLessThan(5_000);
  });

  test('a connection that is dropped once is made again; one that is dropped always is an error', async () => {
    const once = await open({
      ...ONE,
      behaviour: ({ path }, nth) => (path.includes('/queries/') && nth === 1 ? 'drop' : undefined),
    });
    expect((await once.adapter.query('SELECT 1')).rows).toEqual([[1]]);
    const half = await open({
      ...ONE,
      behaviour: ({ path }, nth) => (path.includes('/queries/') && nth === 1 ? 'half' : undefined),
    });
    expect((await half.adapter.query('SELECT 1')).rows).toEqual([[1]]);
    const always = await open({ behaviour: ({ path }) => (path.includes('/queries/') ? 'drop' : undefined) });
    const { error } = await failing(always.adapter);
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    expect(error.message).toContain('tried 3 times');
    expect(cancels(always.stub)).toBe(1);
  });

  test('a 503 storm ends within the deadline with the words of the server', async () => {
    const { stub, adapter } = await open(
      { behaviour: () => apiError(503, 'backendError', 'Visibility check was unavailable.') },
      { maxRetries: 100 },
    );
    const { error, elapsedMs } = await failing(adapter, { timeoutMs: 1_500 });
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true, details: { status: 503 } });
    expect(error.message).toContain('Visibility check was unavailable');
    expect(elapsedMs).toBeLessThan(2_000);
    expect(stub.requests.length).toBeLessThan(8);
  });

  test('a 503 that passes is not seen', async () => {
    const { adapter } = await open({
      ...ONE,
      behaviour: (_request, nth) => (nth === 1 ? apiError(503, 'backendError', 'x') : undefined),
    });
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  });

  test('Retry-After beyond the deadline is not waited for', async () => {
    const { adapter } = await open({
      behaviour: () => ({
        ...(apiError(429, 'rateLimitExceeded', 'Slow down') as object),
        headers: { 'retry-after': '60' },
      }),
    });
    const { error, elapsedMs } = await failing(adapter);
    expect(error).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      retryable: true,
      details: { status: 429, retryAfterMs: 60_000 },
    });
    expect(elapsedMs).toBeLessThan(2_500);
  });

  test('close() cancels what runs, and says so to its caller', async () => {
    const { stub, adapter } = await open({ slow: true });
    const running = failing(adapter);
    await expect.poll(() => stub.jobs.size, { timeout: 3_000 }).toBe(1);
    await adapter.close();
    expect(cancels(stub)).toBe(1);
    expect((await running).error.code).toBe('DATABASE_CLOSED');
    await adapter.close();
  });

  test('close() ends its callers where the server ignores the cancel, hangs, or has answered already', async () => {
    const { stub, adapter } = await open({
      ...ONE,
      behaviour: ({ path }) => {
        if (path.endsWith('/cancel')) return 'hang';
        return path.includes('/queries/') || path.includes('/datasets') ? 'hang' : undefined;
      },
    });
    const running = failing(adapter, { timeoutMs: 30_000 });
    const reading = adapter.introspect().then(
      () => 'read',
      ({ code }: AskemaError) => code,
    );
    await expect.poll(() => stub.count('GET', '/datasets') > 0 && stub.jobs.size, { timeout: 3_000 }).toBe(1);
    const started = performance.now();
    await adapter.close();
    expect((await running).error.code).toBe('DATABASE_CLOSED');
    expect(await reading).toBe('DATABASE_CLOSED');
    expect(performance.now() - started).toBeLessThan(2_000);
    await expect.poll(() => stub.connections(), { timeout: 2_000 }).toBe(0);

    const answered = await open({ ...ONE, rows: [['1'], ['2']] }, { pageRows: 1 });
    const context = createCallContext();
    const caps = { maxRows: 10, maxBytes: 1_000, timeoutMs: 30_000, access: 'read', context } as const;
    const events = answered.adapter.executor.execute('SELECT 1', caps)[Symbol.asyncIterator]();
    await events.next();
    await answered.adapter.close();
    await expect(events.next()).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  });
});

describe('logins', () => {
  test('an expired login is one sentence that says what to do; the token is in no part of it', async () => {
    const { stub, adapter } = await open(
      { behaviour: () => apiError(401, 'authError', 'Request had invalid authentication credentials.') },
      { accessToken: 'ya29.secret-token-1234567890' },
    );
    const { error, elapsedMs } = await failing(adapter);
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: false, details: { status: 401 } });
    expect(error.message).toContain('The login has expired');
    expect(elapsedMs).toBeLessThan(2_500);
    expect(stub.requests[0]?.authorization).toBe('Bearer ya29.secret-token-1234567890');
    expect(JSON.stringify([error, error.stack, String(error.cause)])).not.toContain('secret-token');
  });

  test('a login that Google refuses (invalid_grant)', async () => {
    const tokens = await startWireStub({
      behaviour: () => ({
        status: 400,
        body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
      }),
    });
    opened.push(tokens);
    const authClient = {
      request: async () => {
        const answer = await fetch(tokens.url);
        throw Object.assign(new Error('invalid_grant'), {
          response: { status: answer.status, data: await answer.json(), headers: answer.headers },
        });
      },
    };
    const { error } = await failing((await open({}, { authClient })).adapter);
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE', details: { vendorCode: 'invalid_grant' } });
    expect(error.message).toContain('Token has been expired or revoked');
  });

  test('nothing is written to the console, and no warning is given', async () => {
    const written: unknown[] = [];
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...words) => void written.push(words)),
    );
    const onWarning = (warning: Error): void => void written.push(warning.message);
    process.on('warning', onWarning);
    for (const options of [{}, { accessToken: 'ya29.abcdefghij' }])
      await (await open(ONE, options)).adapter.query('SELECT 1');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    for (const spy of spies) spy.mockRestore();
    expect(written).toEqual([]);
  });

  test('a server without a login gets no Authorization header, and nothing is looked for', async () => {
    const { stub, adapter } = await open(ONE);
    await adapter.query('SELECT 1');
    expect(stub.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  });
});

describe('what the project does not allow', () => {
  test.each([
    [403, 'quotaExceeded', 'Quota exceeded: Your project exceeded quota', 'DATABASE_UNAVAILABLE', 'quota'],
    [403, 'accessDenied', 'Access Denied: Table p:d.t: User does not have permission', 'QUERY_FAILED', 'Access Denied'],
    [
      403,
      'accessDenied',
      'User does not have bigquery.jobs.create permission in project p',
      'QUERY_FAILED',
      'roles/bigquery.jobUser',
    ],
    [
      403,
      'billingNotEnabled',
      'Billing has not been enabled for this project',
      'DATABASE_UNAVAILABLE',
      'billing account',
    ],
    [
      403,
      'accessNotConfigured',
      'BigQuery API has not been used in project',
      'DATABASE_UNAVAILABLE',
      'gcloud services enable',
    ],
    [404, 'notFound', 'Not found: Project nowhere', 'DATABASE_NOT_FOUND', 'Check project'],
    [404, 'notFound', 'Not found: Dataset p:d was not found in location US', 'QUERY_FAILED', 'set `location`'],
    [400, 'bytesBilledLimitExceeded', 'Query exceeded limit for bytes billed: 1000', 'QUERY_REFUSED', 'ceiling'],
  ])('%d %s: %s', async (status, reason, message, code, advice) => {
    const { adapter } = await open({ behaviour: () => apiError(status, reason, message) });
    const { error } = await failing(adapter);
    expect(error).toMatchObject({ code, details: { vendorCode: reason } });
    expect(error.message).toContain(advice);
    expect(error.details.errorClass).toBe(
      reason === 'accessDenied' ? 'permission' : code === 'QUERY_FAILED' ? 'identifier' : undefined,
    );
  });
});
