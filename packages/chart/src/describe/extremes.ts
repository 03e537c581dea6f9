import type { Numeric } from '../facts/numeric.ts';

export interface Named {
  readonly name: string;
  readonly value: Numeric;
}

/** The highest and the lowest; of equal ones the first. */
export function extremesOf(named: readonly Named[]): {
  readonly highest: Named | undefined;
  readonly lowest: Named | undefined;
} {
  let [highest, lowest]: (Named | undefined)[] = [named[0], named[0]];
  for (const each of named) {
    if (highest === undefined || isGreater(each.value, highest.value)) highest = each;
    if (lowest === undefined || isGreater(lowest.value, each.value)) lowest = each;
  }
  return { highest, lowest };
}

const WHOLE = /^-?\d+$/;

/** Big integers that fall on the same float are told apart by their digits. */
function isGreater(first: Numeric, second: Numeric): boolean {
  if (first.approximate !== second.approximate) return first.approximate > second.approximate;
  if (first.digits === second.digits || !WHOLE.test(first.digits) || !WHOLE.test(second.digits)) return false;
  return BigInt(first.digits) > BigInt(second.digits);
}
