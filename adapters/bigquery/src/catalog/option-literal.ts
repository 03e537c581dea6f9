/** https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#escape_sequences */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * The text of a string literal, as TABLE_OPTIONS gives the value of an option (`"orders fact table"`). What is no literal is given back
 * as it is.
 */
export function textOfLiteral(literal: string): string {
  const quote = ['"""', "'''", '"', "'"].find(
    (mark) => literal.startsWith(mark) && literal.endsWith(mark) && literal.length >= mark.length * 2,
  );
  if (quote === undefined) return literal;
  return literal
    .slice(quote.length, literal.length - quote.length)
    .replace(
      /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/gu,
      (_all, x?: string, u?: string, long?: string, octal?: string, plain?: string) => {
        if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
        const hex = x ?? u ?? long;
        if (hex === undefined) return ESCAPES[plain ?? ''] ?? plain ?? '';
        const code = Number.parseInt(hex, 16);
        return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
      },
    );
}
