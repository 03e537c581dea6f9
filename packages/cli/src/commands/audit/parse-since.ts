import { AskemaError } from '@askema/core';
import { parseAge } from '../../terminal/parse-age.ts';

/**
 * Reads a moment: `30m`, `12h`, `1d` or `2w` before now, or a date (`2026-11-30`, in UTC, or ISO 8601 with a time).
 *
 * @throws AskemaError `INPUT_INVALID` for anything else.
 */
export function parseSince(text: string, now: number): Date {
  const age = parseAge(text);
  const at = Number.isNaN(age) ? dateOf(text.trim()) : now - age;
  if (!Number.isNaN(at)) return new Date(at);
  throw new AskemaError(
    'INPUT_INVALID',
    `--since ${JSON.stringify(text)} is no time; write 30m, 12h, 1d or 2w, or a date such as 2026-11-30.`,
  );
}

function dateOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
}
