import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['500ms', 500],
    ['2s', 2_000],
    ['1.5s', 1_500],
    ['1m', 60_000],
    ['24h', 86_400_000],
    [' 3 s ', 3_000],
  ])('reads %j', (text, milliseconds) => {
    expect(parseDuration(text, '--timeout')).toBe(milliseconds);
  });

  it.each(['', '2', 's', '2 years', '-1s', '0s', '0.1ms', '25h', '1e3s', 'Infinitys', '1s2'])('refuses %j', (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(/--timeout .* is no time.*2s/);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [430.4, '430 ms'],
    [2_140, '2.1 s'],
    [59_900, '59.9 s'],
    [185_000, '3 min 05 s'],
  ])('writes %d as %j', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});
