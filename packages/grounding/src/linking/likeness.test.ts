import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areKnownEquivalents } from './known-equivalents.ts';
import { LIKENESS_SCORES, likeness } from './likeness.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 5 });
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  words.map((some) => some.join(' ')),
);

describe('likeness', () => {
  it.each([
    ['todd casey', 'Todd Casey', 'case'],
    ['Aberdeen', 'Aberdeen ', 'blanks or marks'],
    ['KLR 209', 'KLR209', 'blanks or marks'],
    ['PhD', 'Ph.D.', 'blanks or marks'],
    ['U.S.A.', 'USA', 'blanks or marks'],
    ['São Paulo', 'Sao Paulo', 'accents'],
    ['Łódź', 'Lodz', 'accents'],
    ['Todd Casey', 'Casey, Todd', 'word order'],
    ['white cats', 'White Cat', 'number'],
    ['Virginia', 'VA', 'known equivalent'],
    ['French', 'France', 'known equivalent'],
    ['female', 'F', 'known equivalent'],
    ['yes', 'T', 'known equivalent'],
    ['Jet Blue', 'JetBlue Airways', 'contained'],
    ['Computer Information Systems', 'Computer Info. Systems', 'abbreviation'],
    ['J. F. Kennedy', 'John Fitzgerald Kennedy', 'abbreviation'],
    ['Phlppns', 'Philippines', 'abbreviation'],
    ['IBM', 'International Business Machines', 'initials'],
    ['Chciago', 'Chicago', 'typo'],
    ['Computer Information Systmes', 'Computer Info. Systems', 'typo'],
    ['Dean', 'Daan', 'sounds alike'],
    ['北京', '北京市', 'abbreviation'],
    ['銀行', '病院', 'none'],
    ['Alaska', 'Texas', 'none'],
  ])('%s and %s: %s', (a, b, how) => {
    expect(likeness(a, b).how).toBe(how);
  });

  it.each([
    ['A+', 'A-'],
    ['1.5', '15'],
    ['-5', '5'],
    ['C#', 'C'],
    ['2019', '2020'],
    ['Boeing 737', 'Boeing 747'],
    ['***', '???'],
  ])('%s and %s are not the same spelled otherwise', (a, b) => {
    expect(likeness(a, b).score).toBeLessThan(LIKENESS_SCORES['known equivalent']);
  });

  it('is 1 for the same text alone, between 0 and 1, and the same both ways', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const { score, how } = likeness(a, b);
        expect(likeness(a, a)).toEqual({ score: 1, how: 'same' });
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score === 1).toBe(a === b);
        expect(how === 'none').toBe(score === 0);
        expect(likeness(b, a)).toEqual({ score, how });
      }),
    );
  });

  it('knows a text in another case, with other blanks or with its words in another order', () => {
    fc.assert(
      fc.property(words, (some) => {
        const text = some.join(' ');
        expect(likeness(text, text.toUpperCase()).score).toBeGreaterThanOrEqual(LIKENESS_SCORES.case);
        expect(likeness(text, some.join('  ')).score).toBeGreaterThanOrEqual(LIKENESS_SCORES['blanks or marks']);
        expect(likeness(text, [...some].reverse().join(', ')).score).toBeGreaterThanOrEqual(
          LIKENESS_SCORES['word order'],
        );
      }),
    );
  });

  it('sees a swap of neighbours in a longer text as a small difference', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{6,20}$/), fc.nat({ max: 4 }), (text, at) => {
        const swapped = `${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`;
        expect(likeness(text, swapped).score).toBeGreaterThan(0.75);
      }),
    );
  });

  it('stays quick with long texts', () => {
    const started = performance.now();
    expect(likeness('ab'.repeat(50_000), 'ba'.repeat(50_000)).score).toBeGreaterThan(0);
    likeness('a '.repeat(50_000), ' a.'.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(2_500);
  });
});

describe('areKnownEquivalents', () => {
  it('lets a code stand for several things, which are not each other', () => {
    expect(areKnownEquivalents('ca', 'california')).toBe(true);
    expect(areKnownEquivalents('ca', 'canada')).toBe(true);
    expect(areKnownEquivalents('california', 'canada')).toBe(false);
  });
});
