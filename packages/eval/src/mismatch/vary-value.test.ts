import { describe, expect, it } from 'vitest';
import { MISMATCH_KINDS, type MismatchKind, variantsOf, varyValue } from './vary-value.ts';

describe('variantsOf', () => {
  it.each<[MismatchKind, string, readonly string[]]>([
    ['case', 'Todd Casey', ['todd casey', 'TODD CASEY']],
    ['plural', 'Fiction Book', ['Fiction Books']],
    ['plural', 'Jewelries', ['Jewelrie']],
    ['plural', 'Category', ['Categories']],
    ['plural', 'USA', []],
    ['abbreviation', 'Bank of New Haven', ['BNH']],
    ['abbreviation', 'Computer Science', ['Comp. Science', 'C. Science']],
    ['synonym', 'California', ['CA']],
    ['synonym', 'Reykjavik', []],
    ['typo', 'Milan', ['Mlian', 'Mlan', 'Miilan', 'Mialn', 'Mian', 'Millan']],
    ['word order', 'Todd Casey', ['Casey, Todd', 'Casey Todd']],
    ['word order', 'Room 209', []],
    ['dropped part', 'JetBlue Airways', ['JetBlue', 'Airways']],
    ['dropped part', 'Chicago', []],
  ])('%s of %s', (kind, value, forms) => {
    expect(variantsOf(value, kind)).toEqual(forms);
  });

  it.each(MISMATCH_KINDS)('never gives the text itself, nor nothing (%s)', (kind) => {
    for (const value of ['', ' ', 'a', 'IL', 'usa', 'Aberdeen ', "O'Neil", '2020', 'The Rise of the Blue Beetle!'])
      for (const form of variantsOf(value, kind)) expect(['', value.trim()]).not.toContain(form);
  });

  it('draws one by the random number', () => {
    expect(varyValue('Todd Casey', 'case', () => 0)).toBe('todd casey');
    expect(varyValue('Todd Casey', 'case', () => 0.99)).toBe('TODD CASEY');
    expect(varyValue('2020', 'case', () => 0)).toBeUndefined();
  });
});
