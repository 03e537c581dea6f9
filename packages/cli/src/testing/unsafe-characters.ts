/** Ranges of characters that a terminal obeys or that reorder or hide text, by code point. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

/** What of the text no output may hold; `allowed` names exceptions, such as line breaks. */
export function unsafeCharacters(text: string, allowed = ''): string[] {
  return [...text].filter((character) => {
    const code = character.codePointAt(0) ?? 0;
    return !allowed.includes(character) && RANGES.some(([first, last]) => code >= first && code <= last);
  });
}
