import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.ts';

const kinds = (text: string): string[] => tokenise(text).map((token) => `${token.kind}:${token.lower}`);

describe('tokenise', () => {
  it.each([
    ['How many?', ['word:how', 'word:many', 'stop:?']],
    [
      "singer's songs, singers' songs",
      ['word:singer', "possessive:'s", 'word:songs', 'comma:,', 'word:singers', "possessive:'", 'word:songs'],
    ],
    ["don't isn't", ['word:do', 'word:not', 'word:is', 'word:not']],
    ['ACCT-211', ['word:acct', 'other:-', 'number:211']],
    ['1,234.5 and 7', ['number:1,234.5', 'word:and', 'number:7']],
    ['200cm 3rd 4x', ['number:200', 'word:cm', 'number:3', 'word:rd', 'word:4x']],
    ['since 2020-03-01 09:30', ['word:since', 'date:2020-03-01 09:30']],
    ['age >= 30%', ['word:age', 'symbol:>=', 'number:30', 'symbol:%']],
    ['song_name', ['word:song_name']],
    ["“New York” or 'The Who'", ['quoted:new york', 'word:or', 'quoted:the who']],
  ])('%s', (text, expected) => expect(kinds(text)).toEqual(expected));

  it('gives numbers their value and dates their ISO form', () => {
    expect(tokenise('1,234.5')[0]?.value).toBe(1234.5);
    expect(tokenise('2020-03-01 09:30')[0]?.isoDate).toBe('2020-03-01T09:30');
  });

  it('covers every character but white space, in order, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        let at = 0;
        for (const { start, end } of tokenise(text)) {
          expect(text.slice(at, start).trim()).toBe('');
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });
});
