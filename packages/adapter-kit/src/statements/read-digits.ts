/** More digits than any integer type has are a decimal all the same. */
const INTEGER_DIGITS = 38;

/** A number as the engine wrote its digits: an integer, a bigint beyond 2^53; with a fraction the digits that came. */
export function readDigits(digits: string): number | bigint | string {
  if (digits.length > INTEGER_DIGITS || !/^-?\d+$/.test(digits)) return digits;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
