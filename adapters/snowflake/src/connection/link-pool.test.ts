import { startLimits } from '@askema/core';
import { expect, test } from 'vitest';
import type { Link } from './link.ts';
import { createLinkPool } from './link-pool.ts';

test('a call whose time is over when it is its turn passes the turn on', async () => {
  const pool = createLinkPool(1, async () => ({}) as Link);
  const unlimited = () => startLimits({ what: 'The query' });
  const link = await pool.take(unlimited());
  const controller = new AbortController();
  const late = pool
    .take(startLimits({ what: 'The query', signal: controller.signal }))
    .catch((error: unknown) => error);
  const next = pool.take(unlimited());
  pool.give(link, 'healthy');
  controller.abort();
  expect(await late).toMatchObject({ code: 'ABORTED' });
  expect(await next).toBe(link);
});
