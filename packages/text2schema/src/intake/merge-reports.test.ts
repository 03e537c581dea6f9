import { describe, expect, it } from 'vitest';
import { checkQuotes } from '../agent/write-report.ts';
import type { Clarification, RequirementReport } from '../model/index.ts';
import { isSilent, mergeReports } from './merge-reports.ts';

const EMPTY: RequirementReport = {
  language: 'en',
  title: '',
  summary: '',
  functions: [],
  subjects: [],
  relationships: [],
  rules: [],
  clarifications: [],
};
const doubt: Clarification = {
  kind: 'ambiguity',
  question: 'Which currency?',
  quotes: ['a price'],
  assumption: 'Euro',
};

describe('mergeReports', () => {
  it('makes subjects of one name one, with the attributes of all, and repeats no sentence', () => {
    const merged = mergeReports([
      {
        ...EMPTY,
        title: 'Shop',
        summary: 'A shop.',
        subjects: [{ name: 'Customer Order', attributes: ['order date', 'total'], description: 'What was bought.' }],
        rules: ['A name must be given.'],
        clarifications: [doubt],
      },
      {
        ...EMPTY,
        title: 'Warehouse',
        summary: 'Its store.',
        functions: ['Goods are counted.'],
        subjects: [
          { name: 'customer_orders', attributes: ['Order Date', 'parcel number'], description: 'What is sent.' },
          { name: 'Shelf', attributes: ['number'], description: '' },
        ],
        rules: ['a name must be given', 'A shelf has a number.'],
        clarifications: [{ ...doubt, question: 'which currency', quotes: ['the cost'] }],
      },
    ]);
    expect(merged).toEqual({
      language: 'en',
      title: 'Shop',
      summary: 'A shop. Its store.',
      functions: ['Goods are counted.'],
      subjects: [
        {
          name: 'Customer Order',
          attributes: ['order date', 'total', 'parcel number'],
          description: 'What was bought. What is sent.',
        },
        { name: 'Shelf', attributes: ['number'], description: '' },
      ],
      relationships: [],
      rules: ['A name must be given.', 'A shelf has a number.'],
      clarifications: [{ ...doubt, quotes: ['a price', 'the cost'] }],
    });
  });

  it('keeps Chinese subjects apart that only share a character, and those named `constructor`', () => {
    const subjects = ['读者', '读者类型', 'constructor', '__proto__'].map((name) => ({
      name,
      attributes: [],
      description: '',
    }));
    expect(mergeReports([{ ...EMPTY, language: 'zh', subjects }]).subjects).toEqual(subjects);
  });

  it('says nothing where there are words alone, no fact', () => {
    expect([{ ...EMPTY, rules: ['x'] }, EMPTY, { ...EMPTY, summary: 'only words' }].map(isSilent)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('checkQuotes', () => {
  const text = 'Each student has one tutor.\nLater: “a student may have\n  several tutors”.';

  it('keeps what stands in the requirement, however blanks and quotation marks are written', () => {
    const quotes = ['Each student has one tutor.', 'a student may have several tutors', 'Tutors are paid.'];
    const [checked] = checkQuotes([{ ...doubt, kind: 'contradiction', quotes }], text);
    expect(checked).toMatchObject({ kind: 'contradiction', quotes: quotes.slice(0, 2) });
  });

  it.each([
    ['one side is made up', ['Each student has one tutor.', 'A student has no tutor.']],
    ['both sides are one place', ['Each student has one tutor.', 'student has one tutor']],
    ['both sides are the same', ['Each student has one tutor.', 'each student has one  tutor.']],
    ['a side says nothing', ['Each student has one tutor.', 'a']],
  ])('a contradiction is an ambiguity where %s', (_name, quotes) => {
    const [checked] = checkQuotes([{ ...doubt, kind: 'contradiction', quotes }], text);
    expect(checked?.kind).toBe('ambiguity');
    expect(checked?.quotes).toHaveLength(1);
  });
});
