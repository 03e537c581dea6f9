const BAND =
  /^(?:[^\d]{0,3}(\d+(?:\.\d+)?)\D{0,3}(?:\s*(?:-|–|to)\s*\D{0,3}(\d+(?:\.\d+)?)\D{0,6}|\+|\s+(?:and|or) (?:more|over|above|older))|(?:<|under |below |up to |less than )\D{0,3}\d+\D{0,6})$/i;

/** Where a band of numbers begins: `2-5`, `11+`, `under 18`. A number by itself is a band of one. */
export function bandStart(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const found = text.length > 40 ? null : BAND.exec(text);
  return found === null ? undefined : Number(found[1] ?? Number.NEGATIVE_INFINITY);
}

/** Whether all of these texts are bands, and not only numbers. */
export function areBands(texts: Iterable<string>): boolean {
  let [count, ranges] = [0, 0];
  for (const text of texts) {
    if (bandStart(text) === undefined) return false;
    count += 1;
    ranges += Number(BAND.test(text));
  }
  return count > 1 && ranges > 0;
}
