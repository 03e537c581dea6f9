import { expect, test } from 'vitest';
import { haveCheckDigits } from './check-digits.ts';

const gtin = ['9780306406157', '9783161484100', '4006381333931', '5901234123457'];
const luhn = ['4539578763621486', '6011000990139424', '5555555555554444', '4111111111111111'];

test.each([
  ['GTIN', gtin, true],
  ['GTIN-8', ['96385074', '73513537', '40170725', '55123457'], true],
  ['Luhn', luhn, true],
  ['one digit is another', [...gtin, '9780306406158'], false],
  ['three may be chance', gtin.slice(1), false],
  ['of two lengths', [...gtin, '96385074'], false],
  ['a fraction', [...gtin, '97803064061.7'], false],
  ['amounts', ['10000000', '20000000', '30000000', '40000000'], false],
  ['none', [], false],
])('%s', (_, numbers, expected) => expect(haveCheckDigits(new Set(numbers))).toBe(expected));
