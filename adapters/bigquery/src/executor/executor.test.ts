import { createCallContext, resolveAdapter } from '@askema/core';
import { expect, test } from 'vitest';
import { bigquery } from '../index.ts';
import { errorOf, NUMBERS, openStub } from '../test-support/open-stub.ts';
import { apiError, type StubScript } from '../wire-stub/wire-stub.ts';

test('the same call finds its job again: one job, one bill; another statement or another run has its own', async () => {
  const { stub, adapter } = await openStub(NUMBERS);
  const context = createCallContext({ runId: 'run-1', path: 'flow/step#1' });
  const first = await adapter.query('SELECT n FROM t', { context });
  const again = await adapter.query('SELECT n FROM t', { context });
  expect(again.rows).toEqual(first.rows);
  expect(again.queryId).toBe(first.queryId);
  expect(stub.jobs.size).toBe(1);
  await adapter.query('SELECT n + 1 FROM t', { context });
  await adapter.query('SELECT n FROM t WHERE n = ?', { context, parameters: [1] });
  await adapter.query('SELECT n FROM t WHERE n = ?', { context, parameters: [2] });
  await adapter.query('SELECT n FROM t', { context: createCallContext({ runId: 'run-2', path: 'flow/step#1' }) });
  expect(stub.jobs.size).toBe(5);
});

test('another adapter, after a crash, takes the result of the job; one that was stopped is run anew', async () => {
  const { stub, adapter } = await openStub(NUMBERS);
  const context = createCallContext({ runId: 'run-1' });
  const { queryId } = await adapter.query('SELECT n FROM t', { context });
  await using other = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url }));
  expect((await other.query('SELECT n FROM t', { context })).queryId).toBe(queryId);
  const job = stub.jobs.get(queryId ?? '');
  if (job !== undefined) job.cancelled = true;
  const anew = await other.query('SELECT n FROM t', { context });
  expect(anew.queryId).toBe(`${queryId}_2`);
  expect(anew.rows).toHaveLength(25);
});

test('a job of that id that runs something else is not taken', async () => {
  const { adapter } = await openStub({
    behaviour: ({ method, path, body }) => {
      if (method === 'POST' && path.endsWith('/jobs') && body.configuration?.dryRun !== true)
        return apiError(409, 'duplicate', 'Already Exists');
      return method === 'GET' && path.includes('/jobs/')
        ? { body: { status: { state: 'DONE' }, configuration: { query: { query: 'SELECT secrets' } } } }
        : undefined;
    },
  });
  expect(await errorOf(adapter.query('SELECT 1'))).toMatchObject({ code: 'QUERY_FAILED' });
});

test('job id, labels, ceiling, dataset, time limit and place are on the wire', async () => {
  const { stub, adapter } = await openStub(NUMBERS, {
    datasets: ['other-project.Shop'],
    labels: { Team: 'Data & AI', 'askema-run': 'not this' },
  });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tags = { Tenant: 'ÄRZTE GmbH', '9 lives': 'x', empty: '', traceparent };
  const context = createCallContext({ runId: 'Run/7', tags, tenant: 'T1' });
  await adapter.query('SELECT n FROM t', { context, timeoutMs: 4_000 });
  const job = [...stub.jobs.values()][0];
  expect(job?.jobId).toMatch(/^askema_[0-9a-f]{48}$/);
  expect(job?.body.jobReference?.location).toBe('EU');
  expect(job?.body.configuration).toMatchObject({
    labels: {
      team: 'data___ai',
      'askema-run': 'run_7',
      'askema-tenant': 't1',
      tenant: 'ärzte_gmbh',
      lives: 'x',
      empty: '',
      traceparent,
    },
    query: {
      maximumBytesBilled: String(10 * 1024 ** 3),
      defaultDataset: { projectId: 'other-project', datasetId: 'Shop' },
    },
  });
  const jobTimeoutMs = Number(job?.body.configuration?.jobTimeoutMs);
  expect(jobTimeoutMs).toBeGreaterThan(2_000);
  expect(jobTimeoutMs).toBeLessThanOrEqual(4_000);
});

test('what would cost more than the ceiling is not started', async () => {
  const { stub, adapter } = await openStub({ ...NUMBERS, bytes: 2 * 1024 ** 4 });
  const error = await errorOf(adapter.query('SELECT n FROM t'));
  expect(error).toMatchObject({ code: 'QUERY_REFUSED', details: { estimatedBytes: 2 * 1024 ** 4 } });
  expect(error.message).toContain('12.50 US dollars');
  expect(stub.jobs.size).toBe(0);
  const without = await openStub(
    { ...NUMBERS, bytes: 2 * 1024 ** 4 },
    { maximumBytesBilled: Number.POSITIVE_INFINITY },
  );
  expect((await without.adapter.query('SELECT n FROM t')).bytesProcessed).toBe(2 * 1024 ** 4);
  expect([...without.stub.jobs.values()][0]?.body.configuration?.query).not.toHaveProperty('maximumBytesBilled');
});

test('pages are fetched as they are read; the second one not after an early stop', async () => {
  const { stub, adapter } = await openStub(NUMBERS, { pageRows: 10 });
  const options = {
    maxRows: 100,
    maxBytes: 1_000_000,
    timeoutMs: 5_000,
    access: 'read',
    context: createCallContext(),
  } as const;
  for await (const event of adapter.executor.execute('SELECT n FROM t', options)) if (event.type === 'rows') break;
  const pages = (): (string | null)[] =>
    stub.requests.filter(({ path }) => path.includes('/queries/')).map(({ query }) => query.get('pageToken'));
  expect(pages()).toEqual([null]);
  // The job has ended: there is nothing to cancel.
  expect(stub.count('POST', '/cancel')).toBe(0);
  const whole = await adapter.query('SELECT n FROM u', { maxRows: 100 });
  expect(whole.rows).toHaveLength(25);
  expect(whole.truncated).toBeUndefined();
  expect(pages()).toEqual([null, null, '10', '20']);
});

test('row and byte caps: no more rows are asked for than are needed to know that there are more', async () => {
  const { stub, adapter } = await openStub(NUMBERS);
  const cut = await adapter.query('SELECT n FROM t', { maxRows: 3 });
  expect(cut.rows).toEqual([[0], [1], [2]]);
  expect(cut.truncated).toBe('rows');
  expect(stub.requests.find(({ path }) => path.includes('/queries/'))?.query.get('maxResults')).toBe('4');
  expect((await adapter.query('SELECT n FROM u', { maxBytes: 20 })).truncated).toBe('bytes');
});

test('parameters are typed; the type of a NULL is the one that the statement expects', async () => {
  const { stub, adapter } = await openStub({
    ...NUMBERS,
    behaviour: ({ body }) =>
      body.configuration?.dryRun === true && body.configuration.query?.queryParameters?.length === 0
        ? {
            body: {
              statistics: {
                query: {
                  statementType: 'SELECT',
                  undeclaredQueryParameters: [
                    { parameterType: { type: 'INT64' } },
                    { parameterType: { type: 'DATE' } },
                  ],
                },
              },
            },
          }
        : undefined,
  });
  await adapter.query('SELECT n FROM t WHERE n > ? AND d = ?', { parameters: [1, null] });
  const sent = [...stub.jobs.values()][0]?.body.configuration?.query;
  expect(sent?.parameterMode).toBe('POSITIONAL');
  expect(sent?.queryParameters).toEqual([
    { parameterType: { type: 'INT64' }, parameterValue: { value: '1' } },
    { parameterType: { type: 'DATE' }, parameterValue: { value: null } },
  ]);
  await adapter.query('SELECT @a', { parameters: { '@a': 2n ** 62n } });
  expect([...stub.jobs.values()][1]?.body.configuration?.query?.queryParameters).toEqual([
    { name: 'a', parameterType: { type: 'INT64' }, parameterValue: { value: '4611686018427387904' } },
  ]);
});

test('statements wait for a free place, and their deadline counts while they wait', async () => {
  const { stub, adapter } = await openStub({ slow: true }, { concurrency: 1 });
  const first = errorOf(adapter.query('SELECT 1', { timeoutMs: 2_000 }));
  await expect.poll(() => stub.jobs.size, { timeout: 1_900 }).toBe(1);
  const second = errorOf(adapter.query('SELECT 2', { timeoutMs: 200 }));
  expect((await second).code).toBe('QUERY_TIMEOUT');
  expect(stub.jobs.size).toBe(1);
  expect((await first).code).toBe('QUERY_TIMEOUT');
});

test('writing is granted twice, one statement at a time, and tells how many rows it changed', async () => {
  const done = { body: { jobComplete: true, numDmlAffectedRows: '3', totalBytesProcessed: '10' } };
  const behaviour: StubScript['behaviour'] = ({ path }) => (path.includes('/queries/') ? done : undefined);
  const { adapter } = await openStub({ statementType: 'DELETE', behaviour }, { access: 'write' });
  const result = await adapter.query('DELETE FROM t WHERE TRUE', { access: 'write' });
  expect(result).toMatchObject({ columns: [], rows: [], affectedRows: 3, bytesProcessed: 10 });
  expect((await errorOf(adapter.query('DELETE FROM t WHERE TRUE'))).code).toBe('QUERY_NOT_READ_ONLY');
  const silent = await openStub(
    {
      behaviour: ({ method, path }) =>
        method === 'GET' && path.includes('/jobs/')
          ? { body: { statistics: { query: { numDmlAffectedRows: '4' } } } }
          : undefined,
    },
    { access: 'write' },
  );
  expect((await silent.adapter.query('DELETE FROM t WHERE TRUE', { access: 'write' })).affectedRows).toBe(4);
  expect((await errorOf(adapter.query('DELETE FROM t; DROP TABLE t', { access: 'write' }))).code).toBe('QUERY_REFUSED');
  const reading = await openStub({ statementType: 'DELETE' });
  expect((await errorOf(reading.adapter.query('DELETE FROM t', { access: 'write' }))).code).toBe('CONFIG_INVALID');
});

test('errors tell position and the nearest names that there are', async () => {
  const { adapter } = await openStub(
    {
      behaviour: ({ path, body }) => {
        const sql = body.configuration?.query?.query ?? '';
        if (sql.includes('nmae')) return apiError(400, 'invalidQuery', 'Unrecognized name: nmae at [2:3]');
        if (sql.includes('custmer'))
          return apiError(404, 'notFound', 'Not found: Table p:shop.custmer was not found in location EU');
        if (path.endsWith('/tables/customer'))
          return {
            body: {
              schema: {
                fields: [
                  { name: 'id', type: 'INTEGER' },
                  { name: 'name', type: 'STRING' },
                ],
              },
            },
          };
        if (path.endsWith('/datasets/shop/tables'))
          return { body: { tables: [{ tableReference: { projectId: 'p', datasetId: 'shop', tableId: 'customer' } }] } };
        return undefined;
      },
    },
    { datasets: ['shop'] },
  );
  const column = await errorOf(
    adapter.query('SELECT\n\u{1F600}, nmae FROM `p.shop.customer`'.replace('\u{1F600}, ', '  ')),
  );
  expect(column).toMatchObject({
    code: 'QUERY_FAILED',
    message: 'BigQuery refused the statement: Unrecognized name: nmae (line 2, column 3). Did you mean `name`?',
    details: {
      errorClass: 'identifier',
      vendorCode: 'invalidQuery',
      nearestNames: ['name'],
      position: { offset: 9, line: 2, column: 3 },
    },
  });
  const table = await errorOf(adapter.query('SELECT 1 FROM shop.custmer'));
  expect(table).toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'identifier', nearestNames: ['customer'] },
  });
});
