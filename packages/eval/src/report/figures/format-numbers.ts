import type { Estimate } from '../../statistics/wilson-interval.ts';

/** Numbers as people read them; every writer of reports uses these. A number that is not there is `-`. */

export function count(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-';
}

/** A share in [0, 1] as `30.8 %`. */
export function percent(share: number | undefined): string {
  return share === undefined || !Number.isFinite(share) ? '-' : `${(share * 100).toFixed(1)} %`;
}

/** `25.5 to 36.6 %`. */
export function percentRange({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  return Number.isFinite(low) ? `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %` : '-';
}

/** A difference of shares in percentage points: `+3.2`, `-0.4`, `0.0`. */
export function points(difference: number): string {
  return Number.isFinite(difference) ? signed((difference * 100).toFixed(1)) : '-';
}

/** `+0.5 to +5.8`. */
export function pointsRange({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  return Number.isFinite(low) ? `${points(low)} to ${points(high)}` : '-';
}

/** With two decimals, below a dollar with four, below a hundredth of a cent with two digits that count. */
export function usd(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  const text = size >= 1 ? value.toFixed(2) : size >= 0.0001 || size === 0 ? value.toFixed(4) : value.toPrecision(2);
  return `${text} USD`;
}

/** `312 ms`, `4.2 s`, `3 min 12 s`, `2 h 5 min`. */
export function duration(ms: number | undefined): string {
  if (ms === undefined || !Number.isFinite(ms)) return '-';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** A share or error in [0, 1] with three decimals. */
export function decimal(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '-' : value.toFixed(3);
}

/** Two digits that count, and no more precision than matters: `0.021`, `< 0.001`. */
export function pValue(value: number): string {
  if (value < 0.001) return '< 0.001';
  return value < 0.1 ? value.toFixed(3) : value.toFixed(2);
}

/** `1 question`, `2 questions`. */
export function counted(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `2026-11-22 08:03 UTC`; what is no time stays as it is. */
export function instant(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function signed(text: string): string {
  if (Number(text) === 0) return text.replace('-', '');
  return text.startsWith('-') ? text : `+${text}`;
}
