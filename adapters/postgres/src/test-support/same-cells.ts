import type { Value } from '@askema/core';

/**
 * Two rows of cells by their meaning: what the adapter gives, and what `pg` gives with its own parsers. Undefined when
 * they are the same.
 */
export function differenceOf(
  ours: readonly (readonly Value[])[],
  theirs: readonly (readonly unknown[])[],
): string | undefined {
  if (ours.length !== theirs.length) return `${ours.length} rows, the driver has ${theirs.length}`;
  const left = ours.map((row) => row.map(ourCell).join(' | ')).sort();
  const right = theirs
    .map((row, index) => row.map((cell, place) => theirCell(cell, ours[index]?.[place])).join(' | '))
    .sort();
  const at = left.findIndex((row, index) => row !== right[index]);
  return at < 0 ? undefined : `${left[at]} <> ${right[at]}`;
}

function ourCell(value: Value): string {
  if (typeof value === 'string') return text(value);
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'bigint' ? number(String(value)) : String(value);
}

/** The driver gives 64-bit integers and decimals as text, dates as `Date` of the local zone, intervals as objects. */
function theirCell(value: unknown, ours: Value | undefined): string {
  if (value instanceof Date) return `instant:${value.getTime()}`;
  if (Buffer.isBuffer(value)) return `bytes:${value.toString('hex')}`;
  if (typeof value === 'number') return number(String(value));
  if (typeof value === 'string') return typeof ours === 'string' ? text(value) : maybeNumber(value);
  if (typeof value === 'object' && value !== null && 'toISOString' in value)
    return duration((value as { toISOString(): string }).toISOString());
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

function text(value: string): string {
  if (/^[+-]?\d{4,6}-\d\d-\d\d$/.test(value)) return `instant:${new Date(`${value}T00:00:00`).getTime()}`;
  if (/^[+-]?\d{4,6}-\d\d-\d\dT\d\d:/.test(value)) return `instant:${new Date(value).getTime()}`;
  if (/^P[-\dT]/.test(value)) return duration(value);
  return maybeNumber(value);
}

function maybeNumber(value: string): string {
  return /^-?\d+(\.\d+)?$/.test(value) ? number(value) : `text:${value}`;
}

/** `1.50` and `1.5` are one number. */
function number(digits: string): string {
  return `number:${digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits}`;
}

/** Without the parts that are zero; `T` keeps months and minutes apart. */
function duration(iso: string): string {
  const parts = [...iso.matchAll(/T|(-?[\d.]+)([YMWDHS])/g)].map(([part, count, unit]) =>
    part === 'T' ? 'T' : Number(count) === 0 ? '' : `${Number(count)}${unit}`,
  );
  return `duration:${parts.join('').replace(/T$/, '')}`;
}
