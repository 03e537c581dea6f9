import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test.each([
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
  [{ 'retry-after-ms': '250', 'retry-after': '2' }, 250],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-3' }, undefined],
  [{ 'retry-after-ms': 'x', 'retry-after': '1' }, 1000],
  [{}, undefined],
])('%o asks for %s', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});
