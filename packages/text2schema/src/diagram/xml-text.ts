/** A text for XML: what XML 1.0 cannot hold, and line breaks, become visible marks; quotes and brackets become entities. */
export function xmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Control characters as their pictures, line breaks too; surrogates that stand alone and non-characters as U+FFFD. */
export function visible(text: string): string {
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (code < 0x20) return String.fromCodePoint(0x2400 + code);
      if (code === 0x7f) return '\u2421';
      const isOdd =
        (code >= 0x80 && code <= 0x9f) ||
        (code >= 0xd800 && code <= 0xdfff) ||
        (code & 0xfffe) === 0xfffe ||
        isDirection(code);
      return isOdd || code === 0x2028 || code === 0x2029 ? '\ufffd' : character;
    })
    .join('');
}

/** Marks that turn the direction of everything behind them. */
function isDirection(code: number): boolean {
  return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}
