import { describe, expect, it } from 'vitest';
import { KNOWN_WORDS } from '../interpret/unread.ts';
import { readNumber } from '../tokenise/numbers.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import { optional, phraseChain, phraseSet, phraseTable } from './phrase-table.ts';
import { otherWordings, synonymsOf } from './synonyms.ts';

describe('phraseTable', () => {
  const table = phraseTable([
    ['more than', '>'],
    ['more', '+'],
    ['more than or equal to', '>='],
    ['>=', '>='],
  ]);

  it('finds all phrases at a token, longest first', () => {
    expect(table.matches(tokenise('more than or equal to 5'), 0)).toEqual([
      { value: '>=', end: 5 },
      { value: '>', end: 2 },
      { value: '+', end: 1 },
    ]);
    expect(table.matches(tokenise('x >= 5'), 1)).toEqual([{ value: '>=', end: 2 }]);
  });

  it('finds nothing across the end, or in quotation marks', () => {
    expect(table.matches(tokenise('much more'), 1)).toEqual([{ value: '+', end: 2 }]);
    expect(table.matches(tokenise('"more"'), 0)).toEqual([]);
    expect(table.matches([], 0)).toEqual([]);
  });

  it('knows its words', () => {
    expect([...phraseSet(['at least', 'at most']).words]).toEqual(['at', 'least', 'most']);
  });
});

describe('phraseChain', () => {
  const table = phraseChain(
    [optional(phraseSet(['sorted', 'sort them'])), phraseSet(['in', 'in the'])],
    phraseTable([
      ['rising', '+'],
      ['reverse', '-'],
      ['reverse lexical', '--'],
    ]),
    phraseSet(['order', 'order of']),
  );

  it('finds one phrase of each part in order, longest first, with the value of the table', () => {
    expect(table.matches(tokenise('sort them in the rising order of price'), 0)).toEqual([
      { value: '+', end: 7 },
      { value: '+', end: 6 },
    ]);
    expect(table.matches(tokenise('x in reverse lexical order'), 1)).toEqual([{ value: '--', end: 5 }]);
  });

  it('finds nothing where a part is missing or stands elsewhere', () => {
    for (const text of ['sorted rising order', 'in rising', 'in order rising', 'sorted in reverse price order'])
      expect(table.matches(tokenise(text), 0)).toEqual([]);
  });

  it('knows its words', () => {
    expect([...table.words].sort().join(' ')).toBe('in lexical of order reverse rising sort sorted the them');
  });
});

describe('readNumber', () => {
  it.each([
    ['5', 5, 1],
    ['twenty five', 25, 2],
    ['twenty players', 20, 1],
    ['3 thousand', 3_000, 2],
    ['two million', 2_000_000, 2],
    ['1,500.5', 1_500.5, 1],
    ['zero', 0, 1],
  ])('%s', (text, value, end) => expect(readNumber(tokenise(text), 0)).toEqual({ value, end }));

  it.each(['many', 'constructor', 'million', '', '"5"'])('takes "%s" for none', (text) =>
    expect(readNumber(tokenise(text), 0)).toBeUndefined(),
  );
});

describe('the lexicon', () => {
  it('knows synonyms both ways, and nothing of a word that has none', () => {
    expect(synonymsOf('nation')).toContain('country');
    expect(synonymsOf('country')).toContain('nation');
    expect(synonymsOf('constructor')).toEqual([]);
    expect(otherWordings(['zip', 'code'])).toContainEqual(['postcode']);
  });

  it('knows its own words, and no others', () => {
    for (const word of ['how', 'many', 'descending', 'oldest', 'spent', 'living', 'contains'])
      expect(KNOWN_WORDS.has(word)).toBe(true);
    for (const word of ['unicorn', 'constructor', 'singer']) expect(KNOWN_WORDS.has(word)).toBe(false);
  });
});
