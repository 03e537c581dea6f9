/** Fewer may end in the right digits by chance: one number in ten does. */
const FEWEST = 4;
const GTIN_LENGTHS: readonly number[] = [8, 12, 13, 14];
const [SHORTEST_LUHN, LONGEST_LUHN] = [14, 19];

/**
 * Whether whole numbers of one length all end in the check digit of their others, as numbers that somebody types do and
 * amounts do not: GTIN, which ISBN-13, ISSN-13, EAN and UPC are (GS1 General Specifications, 7.9.1), of 8, 12, 13 or 14
 * digits; Luhn (ISO/IEC 7812-1, Annex B), as cards and IMEI have it, of 14 to 19. False for fewer than four.
 */
export function haveCheckDigits(numbers: ReadonlySet<string>): boolean {
  const [first = ''] = numbers;
  const { length } = first;
  if (numbers.size < FEWEST || !/^\d{8,19}$/.test(first)) return false;
  const all = (isValid: (digits: readonly number[]) => boolean): boolean => {
    for (const text of numbers) {
      if (text.length !== length || !/^\d+$/.test(text) || !isValid([...text].reverse().map(Number))) return false;
    }
    return true;
  };
  const isLuhn = length >= SHORTEST_LUHN && length <= LONGEST_LUHN;
  return (GTIN_LENGTHS.includes(length) && all(isGtin)) || (isLuhn && all(hasLuhn));
}

/** `digits` from the last to the first. */
function isGtin(digits: readonly number[]): boolean {
  return digits.reduce((sum, digit, at) => sum + digit * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

function hasLuhn(digits: readonly number[]): boolean {
  const parts = digits.map((digit, at) => (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2));
  return parts.reduce((sum, part) => sum + part, 0) % 10 === 0;
}
