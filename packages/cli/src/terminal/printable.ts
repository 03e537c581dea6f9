/**
 * Characters that a terminal obeys or that hide or reorder text: controls (C0, DEL, C1), format characters such as
 * bidirectional overrides (https://www.unicode.org/reports/tr36/, section 3.5), line separators and lone surrogates.
 * Joiners stay, because emoji and several scripts need them; so do the Arabic and Syriac signs that are visible
 * although Unicode calls them format characters. The block of tags, U+E0000 to U+E0FFF, is shown as nothing even where
 * it is unassigned. A variation selector stays behind what may have one (emoji, signs, ideographs).
 */
const unsafe = (): RegExp =>
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|(?<![\p{Emoji}\p{S}\p{Ideographic}\p{Script=Myanmar}\p{Script=Phags_Pa}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Most texts, on one line and on several: they need no look at {@link unsafe}, which takes long to make. */
const PLAIN_LINE = /^[ -~]*$/;
const PLAIN_LINES = /^[\n\t -~]*$/;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of text that no terminal obeys: what is unsafe stands there as `\n`, `\t` or `\u{1b}`. */
export function printable(text: string): string {
  return PLAIN_LINE.test(text) ? text : text.replace(unsafe(), escapeCharacter);
}

/** The same for text of several lines: line breaks and tabs stay. */
export function printableLines(text: string): string {
  if (PLAIN_LINES.test(text)) return text;
  return text
    .replace(/\r\n/g, '\n')
    .replace(unsafe(), (character) =>
      character === '\n' || character === '\t' ? character : escapeCharacter(character),
    );
}

function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Schemes of files and of the web: what stands in front of an `@` is no secret of a database there. */
const OPEN_SCHEMES = /^(file|sqlite|duckdb|https?|npm|git|node|data|jsr|workspace)$/i;

/** A user alone, of letters: no password stands behind it, and a token has digits. */
const PLAIN_USER = /^[a-z_]{1,20}$/i;

const BARE_PASSWORD =
  /(?<=^|[\s/\\"'`<>(])((?:[a-z][a-z0-9+.-]{1,30}:)?[^\s:/@\\"'`<>]{1,80}):(?![/\\]|\d{1,5}\/)[^\s"'`<>]{1,400}@/gi;

/**
 * A text in which no address of a database holds a secret: whatever stands between `scheme://` and the last `@` of a
 * word is replaced, unless it is a plain word, and so are the values of parameters that are named like secrets.
 * Bounded, for any text.
 */
export function withoutUserInfo(text: string): string {
  return (
    text
      .replace(/\b([a-z][a-z0-9+.-]{1,30}):\/\/([^\s"'`<>]{1,2000})@/gi, (match, scheme: string, user: string) =>
        OPEN_SCHEMES.test(scheme) || PLAIN_USER.test(user) ? match : `${scheme}://[redacted]@`,
      )
      // `user:password@host` where the scheme or its slashes are missing; `host:5432/…` is a port.
      .replace(BARE_PASSWORD, (match, before: string) => (OPEN_SCHEMES.test(before) ? match : `${before}:[redacted]@`))
      .replace(
        /([?&;][a-z_-]{0,30}(?:password|passwd|passphrase|pwd|secret|token|key)=)[^\s&;"'`<>]{1,2000}/gi,
        '$1[redacted]',
      )
  );
}
