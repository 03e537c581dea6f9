import { AskemaError, startLimits } from '@askema/core';
import { afterEach, expect, test, vi } from 'vitest';
import { fakePool } from './test-support/fake-session.ts';

afterEach(() => vi.useRealTimers());

const unlimited = () => startLimits({ what: 'The query' });

test('a session is used again, and no more are opened than there is room for', async () => {
  const { pool, opened } = fakePool();
  const limits = unlimited();
  const first = await pool.acquire(limits);
  expect([first.reused, pool.size]).toEqual([false, 1]);
  await pool.release(first.session);
  const again = await pool.acquire(limits);
  expect([again.reused, again.session]).toEqual([true, first.session]);
  const second = await pool.acquire(limits);
  const third = pool.acquire(limits);
  expect(opened).toHaveLength(2);
  await pool.release(second.session);
  expect((await third).session).toBe(second.session);
  expect(first.session.done).toEqual(['hold', 'let go', 'hold']);
});

test('one that was lying idle is closed for a fresh one when there is no room', async () => {
  const { pool, opened } = fakePool({ poolSize: 1 });
  const { session } = await pool.acquire(unlimited());
  await pool.release(session);
  expect((await pool.acquire(unlimited(), true)).session).not.toBe(session);
  expect([session.done.at(-1), opened.length, pool.size]).toEqual(['cut', 2, 1]);
});

test('an idle session is closed after its time; one that has gone is not handed out', async () => {
  vi.useFakeTimers();
  const { pool } = fakePool({ idleTimeoutMs: 500 });
  const first = await pool.acquire(unlimited());
  await pool.release(first.session);
  await vi.advanceTimersByTimeAsync(500);
  expect([first.session.done.slice(-2), pool.size]).toEqual([['end', 'cut'], 0]);
  const second = await pool.acquire(unlimited());
  await pool.release(second.session);
  second.session.connection.lost();
  const third = await pool.acquire(unlimited());
  expect(third.session).not.toBe(second.session);
  // Nobody takes leave of what is gone.
  expect(second.session.done).not.toContain('end');
});

test('who gives up waiting leaves the line, also when it was his turn already', async () => {
  const { pool } = fakePool({ poolSize: 1 });
  const { session } = await pool.acquire(unlimited());
  const controller = new AbortController();
  const impatient = startLimits({ what: 'The query', signal: controller.signal });
  const left = pool.acquire(impatient).catch((error: unknown) => error);
  const next = pool.acquire(unlimited());
  const released = pool.release(session);
  controller.abort();
  await released;
  expect(await left).toMatchObject({ code: 'ABORTED' });
  expect((await next).session).toBe(session);
});

test('a connection that cannot be opened costs no place; one that comes too late is closed', async () => {
  const refused = new AskemaError('DATABASE_UNAVAILABLE', 'Nothing answers there.');
  const { pool } = fakePool({ poolSize: 1, connect: () => Promise.reject(refused) });
  for (let round = 0; round < 3; round += 1) await expect(pool.acquire(unlimited())).rejects.toBe(refused);
  expect(pool.size).toBe(0);

  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const late = fakePool();
  const { pool: other } = fakePool({
    connect: async () => {
      await reached;
      return (await late.pool.acquire(unlimited())).session;
    },
  });
  const controller = new AbortController();
  const waiting = other.acquire(startLimits({ what: 'The query', signal: controller.signal }));
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  reach();
  await vi.waitFor(() => expect(late.opened[0]?.done).toContain('cut'));
  expect(other.size).toBe(0);
});

test('closing stops what runs, tells who waits, and ends what rests; twice is allowed', async () => {
  const { pool, opened } = fakePool({ poolSize: 2 });
  const [busy, resting] = [await pool.acquire(unlimited()), await pool.acquire(unlimited())];
  const waiting = pool.acquire(unlimited()).catch((error: unknown) => error);
  await Promise.all([pool.close(), pool.close()]);
  for (const { session } of [busy, resting]) expect(session.done).toEqual(['hold', 'cancel', 'hold', 'cut']);
  expect(opened).toHaveLength(2);
  for (const error of [await waiting, await pool.acquire(unlimited()).catch((thrown: unknown) => thrown)])
    expect(error).toMatchObject({ code: 'DATABASE_CLOSED', message: expect.stringContaining('"shop"') });

  const { pool: idle } = fakePool();
  const { session } = await idle.acquire(unlimited());
  await idle.release(session);
  await idle.close();
  expect([session.done.slice(-2), idle.size]).toEqual([['end', 'cut'], 0]);
});

test('a connection that does not come to rest is stopped, and not used again', async () => {
  vi.useFakeTimers();
  const { pool } = fakePool({}, { end: () => new Promise(() => undefined) });
  const { session } = await pool.acquire(unlimited());
  void session.connection.track(new Promise(() => undefined));
  const settled = session.connection.settle();
  await vi.advanceTimersByTimeAsync(1_000);
  await settled;
  expect([session.connection.usable, session.done.includes('cancel')]).toEqual([false, true]);
  await pool.release(session);
  expect(session.done.at(-1)).toBe('cut');
  // One that rests, and whose server does not answer to a farewell, is cut off as well.
  const other = (await pool.acquire(unlimited())).session;
  const closing = other.connection.close();
  await vi.advanceTimersByTimeAsync(1_000);
  await closing;
  expect(other.done.at(-1)).toBe('cut');
});
