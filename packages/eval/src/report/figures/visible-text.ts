/** Longer texts are cut in a report; they stand whole in `results.jsonl`. */
const LONGEST = 20_000;

/** Characters that steer a terminal or turn the direction of what follows, and those that no document may hold. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\ufffe\uffff]/gu;

/**
 * What a database or a model wrote, as everybody can see it: hidden characters by their code, and cut when it is very
 * long.
 */
export function visibleText(text: string): string {
  const short = text.length > LONGEST ? cut(text, LONGEST) : text;
  return short.replaceAll('\r\n', '\n').replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

function cut(text: string, length: number): string {
  // Never between the halves of a character.
  const last = text.charCodeAt(length - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
  return `${text.slice(0, end)} … (cut here; ${text.length.toLocaleString('en')} characters in all)`;
}
