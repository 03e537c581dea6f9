/**
 * The scheme in front of the colon, in lower case; undefined where there is none. A single letter is a drive of Windows, and no scheme.
 */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(address)?.[1]?.toLowerCase();
}

/** Schemes of files and of the web: what stands in front of an `@` is no secret of a database there. */
const OPEN_SCHEMES = /^(file|sqlite|duckdb|https?|npm|git|node|data|jsr|workspace)$/i;

/** A user alone, of letters: no password stands behind it, and a token has digits. */
const PLAIN_USER = /^[a-z_]{1,20}$/i;

/**
 * A text in which no address of a database holds a secret: whatever stands between `scheme://` and the last `@` of a word is replaced, unless it
 * is a plain word, and so are the values of parameters that are named like secrets. Bounded, for any text.
 */
export function withoutUserInfo(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]{1,30}):\/\/([^\s"'`<>]{1,2000})@/gi, (match, scheme: string, user: string) =>
      OPEN_SCHEMES.test(scheme) || PLAIN_USER.test(user) ? match : `${scheme}://[redacted]@`,
    )
    .replace(
      /([?&;][a-z_-]{0,30}(?:password|passwd|passphrase|pwd|secret|token|key)=)[^\s&;"'`<>]{1,2000}/gi,
      '$1[redacted]',
    );
}
