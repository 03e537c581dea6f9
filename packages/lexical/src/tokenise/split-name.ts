/** Where one word of a name ends and the next begins, and what stands between words. */
interface Bounds {
  readonly ends: readonly RegExp[];
  readonly gap: RegExp;
}

/** The same for ASCII alone, which most names are: patterns with `\p` take long to make. */
const ASCII: Bounds = {
  ends: [/([a-z\d])([A-Z])/g, /([A-Z])([A-Z][a-z])/g, /([A-Za-z])(\d)/g, /(\d)([A-Za-z])/g],
  gap: /[^A-Za-z\d]+/,
};
const any = (): Bounds => ({
  ends: [/(\p{Ll}|\p{N})(\p{Lu})/gu, /(\p{Lu})(\p{Lu}\p{Ll})/gu, /(\p{L})(\p{N})/gu, /(\p{N})(\p{L})/gu],
  gap: /[^\p{L}\p{N}]+/u,
});

/** Questions ask for the same names again and again. */
const KNOWN = new Map<string, readonly string[]>();
const MOST_KNOWN = 50_000;

/** Most names are words between underscores, where nothing else ends a word. */
const SNAKE_CASE = /^[a-z]+(?:_[a-z]+)*(?:_\d+)?$/;

/**
 * The words of a name, in lower case: snake_case, camelCase, kebab-case, blanks and digits are taken apart. `StuID` gives
 * "stu", "id"; `HTTPServer2` gives "http", "server", "2".
 */
export function splitName(name: string): readonly string[] {
  const known = KNOWN.get(name);
  if (known !== undefined) return known;
  if (KNOWN.size === MOST_KNOWN) KNOWN.clear();
  const words = split(name);
  KNOWN.set(name, words);
  return words;
}

function split(name: string): readonly string[] {
  if (SNAKE_CASE.test(name)) return name.split('_');
  const { ends, gap } = /^[ -~]*$/.test(name) ? ASCII : any();
  return ends
    .reduce((text, end) => text.replace(end, '$1 $2'), name)
    .toLowerCase()
    .split(gap)
    .filter((part) => part !== '');
}
