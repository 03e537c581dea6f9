import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { chooseBrackets, compactNames, firstName, namePattern } from './name-patterns.ts';
import { expandPattern } from './test-support/decode.ts';

const braces = { open: '{', close: '}' };
const compact = (...names: string[]): string[] => compactNames(names, braces);
const expand = (patterns: readonly string[], pair = braces): string[] =>
  patterns.flatMap((pattern) => expandPattern(pattern, { brackets: [pair.open, pair.close] })).sort();
const count = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String(first + at));

describe('compactNames', () => {
  it.each([
    [['d_20160227', 'd_20160228', 'd_20160229', 'd_20160301'], ['d_{20160227..20160301}']],
    [['d_20150227', 'd_20150228', 'd_20150301', 'd_20150303'], ['d_{20150227..20150301,20150303}']],
    [['m_201611', 'm_201612', 'm_201701', 'm_201703'], ['m_{201611..201701,201703}']],
    // Neither 20160832 nor 201613 is on a calendar: these count as numbers, and never in one range with dates.
    [['d_20160830', 'd_20160831', 'd_20160832', 'd_20160833'], ['d_{20160830,20160831,20160832,20160833}']],
    [['d_201612', 'd_201613', 'd_201614', 'd_201615'], ['d_{201612,201613..201615}']],
    [['x_8', 'x_9', 'x_10', 'x_11'], ['x_{8..11}']],
    [['x_08', 'x_09', 'x_10'], ['x_{08..10}']],
    [['x_8', 'x_9', 'x_10', 'x_01'], ['x_{8,9,01,10}']],
    [['y_2016_01', 'y_2016_02', 'y_2017_01', 'y_2017_02'], ['y_{2016,2017}_{01,02}']],
    [
      ['y_2016_01', 'y_2016_02', 'y_2017_01'],
      ['y_2016_{01,02}', 'y_2017_01'],
    ],
    [['gsod1929', 'gsod1930', 'gsod1931'], ['gsod{1929..1931}']],
    [
      ['chr1', 'chr2', 'chr3', 'chr5'],
      ['chr{1..3}', 'chr5'],
    ],
    [
      ['a_1yr', 'a_5yr', 'hg19', 'hg38'],
      ['a_1yr', 'a_5yr', 'hg19', 'hg38'],
    ],
    [['x_99999999999999999999', 'x_100000000000000000000'], ['x_{99999999999999999999,100000000000000000000}']],
  ])('%j', (names, patterns) => {
    expect(compact(...names)).toEqual(patterns);
    expect(expand(patterns)).toEqual([...names].sort());
  });

  it.each([
    [count(190000, 190012).concat('190101'), 'x_{190000,190001..190101}'],
    [count(8, 100).map((number) => number.padStart(2, '0')), 'x_{08..99,100}'],
    [count(8, 100), 'x_{8..100}'],
  ])('never counts across kinds or widths: %#', (numbers, pattern) => {
    const names = numbers.map((number) => `x_${number}`);
    expect(compact(...names)).toEqual([pattern]);
    expect(expand([pattern])).toEqual([...names].sort());
  });

  it('stands for exactly the names it was made of', () => {
    const digits = fc.oneof(
      fc.integer({ min: 0, max: 25 }).map(String),
      fc.integer({ min: 0, max: 25 }).map((number) => String(number).padStart(2, '0')),
      fc.integer({ min: 20160225, max: 20160305 }).map(String),
      fc.integer({ min: 20161228, max: 20170103 }).map(String),
      fc.integer({ min: 201610, max: 201703 }).map(String),
      fc.constantFrom('9', '99', '999', '1000', '099', '100'),
    );
    const text = fc.constantFrom('', '_', 'a', '{', '⟨', '_b_', '.');
    const name = fc.array(fc.tuple(text, digits), { minLength: 1, maxLength: 3 }).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 60 }), (names) => {
        const pair = chooseBrackets(names);
        const patterns = compactNames(names, pair);
        expect(expand(patterns, pair)).toEqual([...names].sort());
        for (const pattern of patterns) expect(names).toContain(firstName(pattern, pair));
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

describe('namePattern', () => {
  it.each([
    ['GA_SESSIONS_20160801', 'GA_SESSIONS_*'],
    ['gsod1929', 'gsod*'],
    ['CBSA_2018_1YR', 'CBSA_*_1YR'],
    ['TCGA_HG19_2017_02', 'TCGA_HG19_*_*'],
    ['v2_1_exomes__chr1', 'v2_*_exomes__chr1'],
    ['plain', 'plain'],
  ])('%s is one of %s', (name, key) => {
    expect(namePattern(name)).toBe(key);
  });

  it('stays fast on a name of many numbers', () => {
    const name = '1_'.repeat(100_000);
    expect(namePattern(name)).toBe(name);
    expect(compact(name, `${name}2`)).toEqual([name, `${name}2`]);
  });
});
