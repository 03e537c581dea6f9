import { createCallContext, resolveAdapter } from '@askema/core';
import { expect, test } from 'vitest';
import { bigquery } from './index.ts';
import { startWireStub } from './wire-stub/wire-stub.ts';

test('the same call made twice at once is one job; it is cancelled when nobody waits for it any more', async () => {
  await using stub = await startWireStub({ slow: true });
  await using adapter = resolveAdapter(bigquery({ projectId: 'p', apiEndpoint: stub.url }));
  const first = new AbortController();
  const second = new AbortController();
  const calls = [first, second].map(({ signal }) =>
    adapter.query('SELECT 1', { context: createCallContext({ runId: 'one', signal }) }).then(
      () => 'answered',
      (error: { readonly code: string }) => error.code,
    ),
  );
  const polls = (): number => stub.requests.filter(({ path }) => path.includes('/queries/')).length;
  const inserts = (): number => stub.requests.filter(({ body }) => body.jobReference?.jobId !== undefined).length;
  await expect.poll(() => inserts() === 2 && polls() > 2, { timeout: 4_000 }).toBe(true);
  first.abort();
  expect(await calls[0]).toBe('ABORTED');
  expect(stub.jobs.size).toBe(1);
  expect(stub.count('POST', '/cancel')).toBe(0);
  second.abort();
  expect(await calls[1]).toBe('ABORTED');
  expect(stub.count('POST', '/cancel')).toBe(1);
});
