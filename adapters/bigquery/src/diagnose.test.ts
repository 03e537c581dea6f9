import { resolveAdapter } from '@askema/core';
import { expect, test } from 'vitest';
import { type BigQueryOptions, bigquery } from './index.ts';
import { apiError, type StubBehaviour, startWireStub } from './wire-stub/wire-stub.ts';

const TABLE = { tableReference: { projectId: 'p', datasetId: 'd', tableId: 't' } };

/** A project with one dataset `d` of one table; `permissions` is what the account has on it. */
function project(permissions: readonly string[], own?: StubBehaviour): StubBehaviour {
  return (request, nth) => {
    const answer = own?.(request, nth);
    if (answer !== undefined) return answer;
    if (request.path.endsWith('/datasets'))
      return { body: { datasets: [{ datasetReference: { projectId: 'p', datasetId: 'd' } }] } };
    if (request.path.endsWith('/datasets/d'))
      return { body: { datasetReference: { projectId: 'p', datasetId: 'd' }, location: 'EU' } };
    if (request.path.endsWith('/tables')) return { body: { tables: [TABLE] } };
    return request.path.endsWith(':testIamPermissions') ? { body: { permissions } } : undefined;
  };
}

async function diagnose(behaviour: StubBehaviour, options: BigQueryOptions = {}) {
  await using stub = await startWireStub({ behaviour });
  await using adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url, maxRetries: 0, ...options }));
  const diagnosis = await adapter.diagnose({ timeoutMs: 5_000 });
  expect(stub.jobs.size).toBe(0);
  return diagnosis;
}

test('a reader: who, where, and that the grants keep it from writing', async () => {
  expect(await diagnose(project(['bigquery.tables.getData']))).toEqual({
    server: 'BigQuery',
    user: 'reader@example.com',
    place: { project: 'p', datasets: 'p.d', location: 'EU' },
    readOnly: { by: 'grants', explanation: expect.stringContaining('no permission to change') },
    findings: [],
  });
});

test('an account that can write is warned of', async () => {
  const { readOnly, findings } = await diagnose(project(['bigquery.tables.getData', 'bigquery.tables.updateData']));
  // The stub is not BigQuery itself: nothing but the text is left.
  expect(readOnly.by).toBe('text');
  expect(findings).toMatchObject([
    { severity: 'warning', code: 'account-can-write', fix: expect.stringContaining('roles/bigquery.dataViewer') },
  ]);
  const writing = await diagnose(project(['bigquery.tables.getData']), {
    access: 'write',
    maximumBytesBilled: Number.POSITIVE_INFINITY,
  });
  expect(writing.readOnly.by).toBe('nothing');
  expect(writing.findings).toMatchObject([{ code: 'no-cost-ceiling' }]);
});

test('what is denied is a finding with what to run', async () => {
  const noJobs = await diagnose(
    project(['bigquery.tables.getData'], ({ path }) =>
      path.endsWith('/jobs')
        ? apiError(403, 'accessDenied', 'User does not have bigquery.jobs.create permission in project p.')
        : undefined,
    ),
  );
  expect(noJobs.findings).toMatchObject([
    { severity: 'error', code: 'no-permission-for-jobs', fix: expect.stringContaining('roles/bigquery.jobUser') },
  ]);
  const noData = await diagnose(project([]));
  expect(noData.findings).toMatchObject([
    { severity: 'error', code: 'no-permission-for-data', fix: expect.stringContaining('GRANT') },
  ]);
  const missing = await diagnose(
    project([], ({ path }) =>
      path.includes('/datasets/e') ? apiError(404, 'notFound', 'Not found: Dataset p:e') : undefined,
    ),
    { datasets: ['e'] },
  );
  expect(missing.findings).toMatchObject([{ code: 'no-permission-for-data', message: expect.stringContaining('p.e') }]);
});

test('a login that has expired ends the diagnosis', async () => {
  await expect(diagnose(() => apiError(401, 'authError', 'expired'))).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  });
});
