/**
 * A float of four bytes that a driver gives as a double: the number with the shortest digits that mean it, 0.1 and not
 * 0.10000000149011612.
 */
export function shortFloat(double: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(double.toPrecision(digits));
    if (Math.fround(short) === double) return short;
  }
  return double;
}
