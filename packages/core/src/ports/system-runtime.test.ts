import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemRuntime } from './system-runtime.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = async (promise: Promise<unknown>) => {
  let state = 'waiting';
  promise.then(
    () => {
      state = 'done';
    },
    () => {
      state = 'failed';
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  return () => state;
};

test('sleeps as long as asked', async () => {
  const state = await settled(systemRuntime().sleep(1000));
  await vi.advanceTimersByTimeAsync(999);
  expect(state()).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(state()).toBe('done');
});

test('a wait longer than a timer can hold does not end at once', async () => {
  const state = await settled(systemRuntime().sleep(2 ** 31 + 5));
  await vi.advanceTimersByTimeAsync(2 ** 31);
  expect(state()).toBe('waiting');
  await vi.advanceTimersByTimeAsync(5);
  expect(state()).toBe('done');
});

test('an abort ends the wait with ABORTED and leaves no timer', async () => {
  const controller = new AbortController();
  const slept = systemRuntime().sleep(60_000, controller.signal);
  controller.abort();
  await expect(slept).rejects.toMatchObject({ code: 'ABORTED' });
  expect(vi.getTimerCount()).toBe(0);
  await expect(systemRuntime().sleep(60_000, controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a wait that is over holds no listener on the signal', async () => {
  const controller = new AbortController();
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  const slept = systemRuntime().sleep(10, controller.signal);
  await vi.advanceTimersByTimeAsync(10);
  await slept;
  expect(remove).toHaveBeenCalledOnce();
});

test('parts can be replaced one by one', () => {
  const runtime = systemRuntime({ clock: { now: () => 42 }, random: () => 0.5 });
  expect([runtime.clock.now(), runtime.random()]).toEqual([42, 0.5]);
  expect(runtime.sleep).toBe(systemRuntime().sleep);
});
