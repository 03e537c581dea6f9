/** Microseconds of the years 1 to 9999. */
const LEAST_MICROSECONDS = -62_135_596_800_000_000n;
const MOST_MICROSECONDS = 253_402_300_800_000_000n;

/**
 * A TIMESTAMP as ISO 8601 in UTC, with as many digits of the second as it has (six, or twelve where the column has picoseconds). On the wire it is a count of
 * microseconds (`formatOptions.useInt64Timestamp`), seconds with a fraction (`1.7040672E9`: what servers send that do not know the option), or ISO text.
 */
export function timestampText(text: string): string {
  if (/^-?\d{1,19}$/.test(text)) return ofMicroseconds(BigInt(text)) ?? text;
  if (/^-?\d{1,19}(?:\.\d{0,20})?(?:[eE][+-]?\d{1,3})?$/.test(text))
    return ofMicroseconds(microsecondsOf(text)) ?? text;
  const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?(?:Z| ?UTC|\+00(?::?00)?)?$/.exec(text);
  if (iso === null) return text;
  const [, date = '', time = '', fraction = ''] = iso;
  return `${date}T${time}${fractionText(fraction)}Z`;
}

/** Digits are moved as text: a double has too few of them. */
function microsecondsOf(text: string): bigint {
  const negative = text.startsWith('-');
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) + 6;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const moved = point <= 0 ? '0' : digits.padEnd(point, '0').slice(0, point);
  const microseconds = BigInt(moved === '' ? '0' : moved);
  return negative ? -microseconds : microseconds;
}

function ofMicroseconds(microseconds: bigint): string | undefined {
  if (microseconds < LEAST_MICROSECONDS || microseconds >= MOST_MICROSECONDS) return undefined;
  const rest = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((microseconds - rest) / 1_000_000n);
  const iso = new Date(seconds * 1_000).toISOString();
  return `${iso.slice(0, 19)}${fractionText(rest.toString().padStart(6, '0'))}Z`;
}

function fractionText(digits: string): string {
  const significant = digits.replace(/0{1,12}$/, '');
  return significant === '' ? '' : `.${significant}`;
}
