/** Texts longer than this have enough trigrams to be found by what is left of them. */
export const MAX_NEAR_LENGTH = 9;

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/**
 * Every text that is one edit away from a short one: a letter too many, two letters swapped, one missing or another one. Short
 * words have so few trigrams that one edit leaves none. Letters of other scripts are only swapped and left out.
 */
export function nearSpellings(squashed: string): readonly string[] {
  const letters = [...squashed];
  if (letters.length < 3 || letters.length > MAX_NEAR_LENGTH) return [];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('');
    const [here = '', next = ''] = letters.slice(at, at + 2);
    const rest = letters.slice(at + 1).join('');
    for (const letter of LETTERS) {
      found.add(`${before}${letter}${here}${rest}`);
      if (here !== '') found.add(`${before}${letter}${rest}`);
    }
    if (here === '') continue;
    found.add(`${before}${rest}`);
    if (next !== '') found.add(`${before}${next}${here}${letters.slice(at + 2).join('')}`);
  }
  found.delete(squashed);
  return [...found];
}
