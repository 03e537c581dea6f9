/** Longer texts are prose: their shape tells nothing. */
const MAX_SHAPED_CHARACTERS = 40;

/**
 * How a value is written: digits become `9`, letters `a` or `A`, everything else stays; runs of letters longer than three and of
 * digits longer than eight are cut to `a+` and `9+`. `2024-03-09` is `9999-99-99`. Undefined for what holds no digit, or is prose.
 */
export function shapeOf(text: string): string | undefined {
  if (text.length > MAX_SHAPED_CHARACTERS || !/\p{Nd}/u.test(text)) return undefined;
  return text
    .replace(/\p{Nd}/gu, '9')
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/9{9,}/g, '9+')
    .replace(/[aA]{4,}/g, (run) => (run.includes('a') ? 'a+' : 'A+'));
}

/** The shapes of values with how many have each, most frequent first; those without one are not counted. */
export function shapesOf(texts: readonly string[]): readonly { readonly shape: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const shape = shapeOf(text);
    if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return [...counts]
    .map(([shape, count]) => ({ shape, count }))
    .sort((a, b) => b.count - a.count || (a.shape < b.shape ? -1 : 1));
}

/** Also with separators of thousands, a sign of a currency in front, or a percent sign behind: `$1,234.50`, `12 %`. */
const NUMBER = /^[-+]?\p{Sc}? ?(?:\d{1,3}(?:[,' ]\d{3})+|\d+)?(?:[.,]\d+)?(?:e[-+]?\d{1,3})? ?%?$/iu;

/** What all of these texts are: numbers, or JSON objects and arrays; undefined for neither, and for no text at all. */
export function contentOf(texts: readonly string[]): 'numbers' | 'JSON' | undefined {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (filled.length === 0) return undefined;
  if (filled.every((text) => text.length < 40 && /\d/.test(text) && NUMBER.test(text))) return 'numbers';
  return filled.every((text) => /^(?:\{\s*["}]|\[\s*["{[\]\d-])/.test(text)) ? 'JSON' : undefined;
}

const DECIMAL = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** True for a number as engines write it: `15.0`, `-0.5`, `1.0e+20`; not for `007` or `1,200`. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}
