/**
 * The scheme in front of the colon, in lower case; undefined where there is none. A single letter is a drive of
 * Windows, and no scheme.
 */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
}
