import { expect, test, vi } from 'vitest';
import { rememberEach } from './remember.ts';

test('each key is read once, also by those who ask at the same time, and again when it is old or asked for now', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const kept = rememberEach<number>();
    let reads = 0;
    const read = async (): Promise<number> => ++reads;
    expect(await Promise.all([kept('a', read), kept('a', read), kept('b', read)])).toEqual([1, 1, 2]);
    expect(await kept('a', read, true)).toBe(3);
    vi.advanceTimersByTime(29_000);
    expect(await kept('a', read)).toBe(3);
    vi.advanceTimersByTime(2_000);
    expect(await kept('a', read)).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});

test('a reading that fails is not kept', async () => {
  const kept = rememberEach<number>();
  await expect(kept('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await kept('a', async () => 7)).toBe(7);
});
