/**
 * Characters that break a line or reorder, hide or restyle text: C0 and C1 controls, line and paragraph separators,
 * zero-width and bidirectional marks (Unicode TR 36; TR 9). Lone surrogates are no text at all.
 */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of a database on one line: unsafe characters become visible escapes, and what is too long is cut and ends in
 * `…`.
 */
export function oneLine(text: string, maxCharacters = Number.POSITIVE_INFINITY): string {
  const cut = text.length > maxCharacters;
  const kept = cut ? text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '') : text;
  const safe = kept.replace(
    UNSAFE,
    (character) => SHORT[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return cut ? `${safe}…` : safe;
}
