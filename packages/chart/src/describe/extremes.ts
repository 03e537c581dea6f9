import { digitsOf, type Numeric } from '../facts/numeric.ts';

/** The highest and the lowest; of equal ones the first. */
export function extremesOf<T extends { readonly value: Numeric }>(
  all: readonly T[],
): { readonly highest: T | undefined; readonly lowest: T | undefined } {
  let [highest, lowest]: (T | undefined)[] = [all[0], all[0]];
  for (const each of all) {
    if (highest === undefined || isGreater(each.value, highest.value)) highest = each;
    if (lowest === undefined || isGreater(lowest.value, each.value)) lowest = each;
  }
  return { highest, lowest };
}

const WHOLE = /^-?\d+$/;

/** Big integers that fall on the same float are told apart by their digits. */
function isGreater(first: Numeric, second: Numeric): boolean {
  if (first.approximate !== second.approximate) return first.approximate > second.approximate;
  if (typeof first.cell === 'number' && typeof second.cell === 'number') return false;
  const [one, two] = [digitsOf(first), digitsOf(second)];
  return one !== two && WHOLE.test(one) && WHOLE.test(two) && BigInt(one) > BigInt(two);
}
