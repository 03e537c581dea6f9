import { afterEach, expect, test, vi } from 'vitest';
import { startCallDeadline } from './call-deadline.ts';

afterEach(() => vi.useRealTimers());

test('fires when the time is over, and says so', () => {
  vi.useFakeTimers();
  const deadline = startCallDeadline({ signal: undefined, timeoutMs: 1000 });
  vi.advanceTimersByTime(999);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
  expect(deadline.stoppedBy()).toBe('deadline');
});

test('fires when the caller aborts, before and after the start', () => {
  const controller = new AbortController();
  const running = startCallDeadline({ signal: controller.signal, timeoutMs: 1000 });
  controller.abort();
  const late = startCallDeadline({ signal: controller.signal, timeoutMs: 1000 });
  expect([running.stoppedBy(), late.stoppedBy()]).toEqual(['caller', 'caller']);
  expect(late.signal.aborted).toBe(true);
});

test('the end stops what still runs, and neither timer nor caller changes the reason afterwards', () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const deadline = startCallDeadline({ signal: controller.signal, timeoutMs: 1000 });
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
  controller.abort();
  expect(deadline.stoppedBy()).toBe('end');
  expect(deadline.signal.aborted).toBe(true);
});

test('an endless time limit is none', () => {
  vi.useFakeTimers();
  const deadline = startCallDeadline({ signal: undefined, timeoutMs: Number.POSITIVE_INFINITY });
  vi.advanceTimersByTime(10_000);
  expect(deadline.stoppedBy()).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
