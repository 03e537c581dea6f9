/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date
 * (RFC 9110, section 10.2.3). Undefined when it does not say.
 */
export function retryAfterMs(headers: Pick<Headers, 'get'> | undefined, now = Date.now()): number | undefined {
  const milliseconds = positive(headers?.get('retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const header = headers?.get('retry-after');
  const seconds = positive(header);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  // `Date.parse` takes bare numbers for years, so a date must look like one.
  const date = header && /^[a-z]{3,}, /i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function positive(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
