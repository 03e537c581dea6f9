/**
 * Characters that show as nothing, or as a blank that is none, that break a line or reorder text
 * (https://www.unicode.org/reports/tr36/, `Default_Ignorable_Code_Point` of UAX 44), the empty pattern of Braille, and a
 * fifth mark over one letter: such piles cover the lines above.
 * Signs of Arabic and Syriac that are visible although they are format characters are none.
 */
const UNSEEN =
  /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{4})\p{M}/gu;

/** What nobody sees of a text on one line, such as `U+200B, U+FE0F`; empty where all of it is seen. */
export function unseenIn(text: string): string {
  const found = new Set(text.match(UNSEEN));
  return [...found]
    .slice(0, 5)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    .join(', ');
}
