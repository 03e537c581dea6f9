import { AskemaError } from '@askema/core';

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Reads a moment: `30m`, `12h`, `1d` or `2w` before now, or a date (`2026-11-30`, in UTC, or ISO 8601 with a time).
 *
 * @throws AskemaError `INPUT_INVALID` for anything else.
 */
export function parseSince(text: string, now: number): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  const at = count === undefined ? dateOf(text.trim()) : now - Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (!Number.isNaN(at)) return new Date(at);
  throw new AskemaError(
    'INPUT_INVALID',
    `--since ${JSON.stringify(text)} is no time; write 30m, 12h, 1d or 2w, or a date such as 2026-11-30.`,
  );
}

function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
}
