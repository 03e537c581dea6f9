/**
 * One name for each text, made by `plain` and numbered where two would be equal, in the order given: the same schema
 * has the same names. `taken` are names that must not come out, compared as they are.
 */
export function stableNames(
  texts: readonly string[],
  plain: (text: string) => string,
  taken: Iterable<string> = [],
): string[] {
  const used = new Set(taken);
  const counters = new Map<string, number>();
  return texts.map((text) => {
    const base = plain(text);
    let name = base;
    for (let number = (counters.get(base) ?? 1) + 1; used.has(name); number += 1) {
      name = `${base}_${number}`;
      counters.set(base, number);
    }
    used.add(name);
    return name;
  });
}

/**
 * Letters, the digits 0 to 9 and underscores of a text; everything else becomes an underscore. So does U+2E2F, the only
 * letter that no identifier may have (https://www.unicode.org/reports/tr31/, Pattern_Syntax).
 */
export function plainLetters(text: string): string {
  return text.replace(/[^\p{L}0-9_]|\u2e2f/gu, '_');
}

/** `customerId` of `CustomerId`, for the names of relation fields. */
export function lowerFirst(name: string): string {
  const [first = '', ...rest] = name;
  return first.toLowerCase() + rest.join('');
}
