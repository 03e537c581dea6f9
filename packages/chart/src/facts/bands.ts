/** `2-5`, `€20 – €50`, `0 to 9 kg`. */
const RANGE = /^[^\d]{0,3}(\d+(?:\.\d+)?)[^\d-]{0,6}(?:-|–|to)[^\d-]{0,3}\d+(?:\.\d+)?\D{0,6}$/i;
/** `11+`, `65 and over`. */
const OPEN = /^\D{0,3}(\d+(?:\.\d+)?)\s?(?:\+|(?:and|or) (?:more|over|above|older))$/i;
/** `<18`, `up to 100 kg`. */
const BELOW = /^(?:<|≤|under|below|up to|less than)[^\d]{0,3}\d+(?:\.\d+)?\D{0,6}$/i;
const NUMBER = /^\d+(?:\.\d+)?$/;

/** Where a band of numbers begins: `2-5`, `11+`, `under 18`. A number by itself is a band of one. */
export function bandStart(text: string): number | undefined {
  if (text.length > 40) return undefined;
  if (NUMBER.test(text)) return Number(text);
  const [, start] = RANGE.exec(text) ?? OPEN.exec(text) ?? [];
  if (start !== undefined) return Number(start);
  return BELOW.test(text) ? Number.NEGATIVE_INFINITY : undefined;
}

/** Whether all of these texts are bands, and not only numbers. */
export function areBands(texts: Iterable<string>): boolean {
  let [count, ranges] = [0, 0];
  for (const text of texts) {
    if (bandStart(text) === undefined) return false;
    count += 1;
    ranges += Number(!NUMBER.test(text));
  }
  return count > 1 && ranges > 0;
}
