const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `30m`, `12h`, `1d` or `2w` in milliseconds; NaN for anything else. */
export function parseAge(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  return Number(count) * (UNITS_MS[unit] ?? Number.NaN);
}
