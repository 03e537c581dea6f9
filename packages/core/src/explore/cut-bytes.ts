/** What fits of a text into so many bytes of UTF-8, cut between characters. */
export function cutBytes(text: string, maxBytes: number): string {
  if (maxBytes === Number.POSITIVE_INFINITY || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, Math.max(0, maxBytes));
  return new TextDecoder('utf-8').decode(bytes, { stream: true });
}
