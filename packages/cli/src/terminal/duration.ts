import { AskemaError } from '@askema/core';

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LONGEST_MS = 24 * 3_600_000;

/**
 * Reads `500ms`, `2s`, `1.5m` or `1h` as milliseconds.
 *
 * @throws AskemaError `INPUT_INVALID` when there is no unit, or the time is not between 1 ms and 24 h.
 */
export function parseDuration(text: string, option: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const milliseconds = Math.round(Number(amount) * (UNITS_MS[unit ?? ''] ?? Number.NaN));
  if (!(milliseconds >= 1 && milliseconds <= LONGEST_MS)) {
    throw new AskemaError(
      'INPUT_INVALID',
      `${option} ${JSON.stringify(text)} is no time; write it with its unit, up to 24h: 500ms, 2s or 1m.`,
    );
  }
  return milliseconds;
}

/** Milliseconds for people: `430 ms`, `2.1 s`, `3 min 05 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}
