/** Powers of ten as the nearest doubles. */
const POWERS = Array.from({ length: 309 }, (_, exponent) => Number(`1e${exponent}`));

/** Digits that count; the rest only move the point. */
const MAX_DIGITS = 17;

const INTEGER = /^[ \t\n\v\f\r]*([+-]?\d+)[ \t\n\v\f\r]*$/;
const FLOAT = /^[ \t\n\v\f\r]*([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d+))?[ \t\n\v\f\r]*$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** A whole number as pandas reads one: blanks around it and a sign are allowed. */
export function parsePandasInteger(text: string): bigint | undefined {
  const digits = INTEGER.exec(text)?.[1];
  return digits === undefined ? undefined : BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
}

/**
 * A number as pandas' reader makes it: at most 17 digits are taken, leading zeros among them, and scaled by one power
 * of ten. The last bit can differ from the nearest double, which matters because columns are sorted by the text of
 * their cells. Undefined for what is no number, or too large for one.
 */
export function parsePandasFloat(text: string): number | undefined {
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const parts = FLOAT.exec(text);
  if (parts === null) return undefined;
  const whole = parts[2] ?? '';
  const decimals = parts[3] ?? parts[4] ?? '';
  const used = (whole + decimals).slice(0, MAX_DIGITS);
  let value = 0;
  for (const digit of used) value = value * 10 + (digit.charCodeAt(0) - 48);
  const droppedWhole = Math.max(0, whole.length - MAX_DIGITS);
  const usedDecimals = Math.max(0, used.length - whole.length);
  const exponent = Number(parts[5] ?? 0) + droppedWhole - usedDecimals;
  if (exponent > 308) return undefined;
  else if (exponent >= 0) value *= POWERS[exponent] ?? 1;
  else if (exponent < -616) value = 0;
  else if (exponent < -308) value = value / (POWERS[-308 - exponent] ?? 1) / 1e308;
  else value /= POWERS[-exponent] ?? 1;
  if (!Number.isFinite(value)) return undefined;
  return parts[1] === '-' ? -value : value;
}

/** A double as Python writes it: the shortest digits, a point always, an exponent from 1e16 up and below 1e-4. */
export function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= 16 || (exponent < -4 && value !== 0)) {
    const sign = exponent < 0 ? '-' : '+';
    return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const digits = mantissa.replace(/[-.]/g, '');
  const sign = value < 0 ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}
