/** Names as part of a sentence: `a`, `a and b`, `a, b and c`. */
export function listOf(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (names.length <= 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
