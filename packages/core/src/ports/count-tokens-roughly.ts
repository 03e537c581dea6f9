/** What a character is a part of; anything beyond ASCII is looked at by itself. */
const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
const OTHER = 0;

const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return LETTER;
  if (/[0-9]/.test(character)) return DIGIT;
  return /\s/.test(character) ? BLANK : OTHER;
});

const BLANK_BEYOND_ASCII = /\s/;

/**
 * About how many tokens a text has, without a vendor's tokenizer. On DDL, rows, code and English prose it is within
 * about 10 % of OpenAI's o200k_base; other scripts are counted too high rather than too low. Use the vendor's own
 * counter where a limit is hard.
 */
export function countTokensRoughly(text: string): number {
  // The weights were fitted to o200k_base on schemas, dumps, questions, source code and prose. In hundredths, so that
  // the sum is exact.
  let hundredths = 0;
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    let end = at + 1;
    if (kind === OTHER) {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) end += 1;
      hundredths += code < 0x80 ? 65 : code < 0x2000 ? 60 : 100;
    } else {
      while (end < text.length && kindAt(text, end) === kind) end += 1;
      if (kind === LETTER) hundredths += 100 * Math.ceil((end - at) / 7);
      else if (kind === DIGIT) hundredths += 100 * Math.ceil((end - at) / 3);
      // A single blank belongs to the word behind it.
      else if (end > at + 1 || text[at] !== ' ') hundredths += 50;
    }
    at = end;
  }
  return Math.ceil(hundredths / 100);
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x80 ? (KINDS[code] ?? OTHER) : BLANK_BEYOND_ASCII.test(text[at] ?? '') ? BLANK : OTHER;
}
