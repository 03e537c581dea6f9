import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { questionMentions, squashText } from './question-mentions.ts';

const texts = (question: string): string[] => questionMentions(question).map(({ text }) => text);

describe('questionMentions', () => {
  it('takes what stands in quotation marks whole, first', () => {
    const [first] = questionMentions('Who wrote "The Long Road Home From Here And Back"?');
    expect(first).toMatchObject({ text: 'The Long Road Home From Here And Back', quoted: true });
  });

  it.each([
    ["titles by 'Ben & Co.'", 'Ben & Co.'],
    ['titles by “Ben”', 'Ben'],
    ['titles by ‘Ben’', 'Ben'],
    ['titles by `Ben`', 'Ben'],
    ["the song 'Don't go'", "Don't go"],
  ])('knows the marks of %s', (question, expected) => {
    expect(questionMentions(question)[0]).toMatchObject({ text: expected, quoted: true });
  });

  it('lists runs of one to five words, longest first, without runs of stop words', () => {
    const found = texts('How many people live in New York City');
    expect(found[0]).toBe('How many people live in');
    expect(found.indexOf('live in New York')).toBeLessThan(found.indexOf('New York City'));
    expect(found).toContain('New York City');
    expect(found).toContain('York');
    expect(found).not.toContain('How many');
    expect(found).not.toContain('in');
  });

  it('keeps codes, initials and apostrophes together, and leaves the possessive out', () => {
    expect(texts('course ACCT-211')).toContain('ACCT-211');
    expect(texts("O'Neill's orders")).toContain("O'Neill");
    expect(texts('a Ph.D degree')).toContain('Ph.D');
  });

  it('closes a bracket that a piece has opened', () => {
    expect(texts('weight of hornet wagon (sw)?')).toContain('hornet wagon (sw)');
  });

  it('lists pieces that differ only in case once', () => {
    expect(texts('Paris or PARIS').filter((text) => text.toLowerCase() === 'paris')).toHaveLength(1);
  });

  it('is bounded, and keeps the single words of a long question', () => {
    const words = Array.from({ length: 120 }, (_, place) => `word${place}`);
    const found = texts(words.join(' '));
    expect(found).toHaveLength(300);
    expect(found).toEqual(expect.arrayContaining(words));
  });

  it('lists only pieces of the question, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (question) => {
        for (const { text } of questionMentions(question)) {
          expect(question).toContain(text);
          expect(text.trim()).not.toBe('');
        }
      }),
    );
  });
});

describe('squashText', () => {
  it('overlooks case, blanks, hyphens, dots, commas and apostrophes', () => {
    expect(squashText(" Ph.D. O'Neill-Smith, Jr! ")).toBe('phdoneillsmithjr');
  });
});
