import { afterEach, expect, it, vi } from 'vitest';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { shopServer } from '../testing/shop-server.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('an answer that nobody reads any further is broken off, and gives back what it held', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const rows = Array.from({ length: 20_000 }, (_, at) => [at]);
  const { send, server } = shopServer({ shop: scriptedShop({ rows: () => rows }) });
  const response = await send('ann', 'POST', '/v1/sql', {
    headers: { accept: 'application/x-ndjson' },
    body: { sql: 'SELECT name FROM users' },
  });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await vi.advanceTimersByTimeAsync(119_000);
  expect((await reader?.read())?.done).toBe(false);
  await vi.advanceTimersByTimeAsync(120_000);
  await expect(reader?.read()).rejects.toMatchObject({ code: 'ABORTED' });
  vi.useRealTimers();
  // A server that drains waits for answers that are still being read; so long no test lasts.
  await server.drain(60_000);
  await server.close();
});
