import type { EnumValue } from '../model/semantic-model.ts';

/** `A = open`, `2: shipped`, `'C' - cancelled`. */
const PAIR =
  /(?:^|[\s,;(/|])['"]?([\p{L}\p{N}_+.-]{1,30}?)['"]?\s*(?:=>|->|[=:–])\s*([^,;/|()=:\n]{1,80})(?=$|[,;/|)\n])/gu;

/** Of a comment: what is behind it is not looked at. */
const MAX_CHARACTERS = 2_000;

/** What a comment says about single values: at least two, so that a lone `unit: kg` is none. */
export function meaningsIn(comment: string | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, value = '', meaning = ''] of (comment ?? '').slice(0, MAX_CHARACTERS).matchAll(PAIR)) {
    const text = meaning.trim().replace(/\.$/, '');
    if (text !== '' && !found.has(value)) found.set(value, text);
  }
  return found.size < 2 ? new Map() : found;
}

/**
 * Values with what a comment says about them. Where no value is known, those of the comment are the values, as long as
 * each is a code: words with a colon may be prose.
 */
export function valuesWithMeanings(
  values: readonly (string | number)[],
  comment: string | undefined,
  isNumeric: boolean,
): readonly EnumValue[] {
  const meanings = meaningsIn(comment);
  if (values.length > 0)
    return values.map((value) => ({ value, ...meaningOf(meanings.get(String(value))), synonyms: [] }));
  const codes = [...meanings.keys()];
  const areCodes = codes.every((code) => (isNumeric ? /^-?\d+$/ : /^[\p{Lu}\p{N}_]{1,12}$/u).test(code));
  if (!areCodes) return [];
  return codes.map((code) => ({
    value: isNumeric ? Number(code) : code,
    ...meaningOf(meanings.get(code)),
    synonyms: [],
  }));
}

function meaningOf(meaning: string | undefined): { readonly meaning?: string } {
  return meaning === undefined ? {} : { meaning };
}
