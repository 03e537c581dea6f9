import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DatasetQuestion } from './read/dataset.ts';
import { allocate, selectQuestions } from './select-questions.ts';

function question(id: string, category = 'core', difficulty = 'easy'): DatasetQuestion {
  return {
    id,
    databaseId: 'shop',
    question: 'How many?',
    goldSql: ['SELECT 1'],
    category,
    difficulty,
    orderMatters: false,
    features: [],
    line: 1,
  };
}

const many = [
  ...Array.from({ length: 60 }, (_, n) => question(`a${n}`, 'core')),
  ...Array.from({ length: 30 }, (_, n) => question(`b${n}`, 'bird', 'hard')),
  ...Array.from({ length: 10 }, (_, n) => question(`c${n}`, 'rare')),
];
const idsOf = (questions: readonly DatasetQuestion[]): string[] => questions.map((entry) => entry.id);
const perCategory = (questions: readonly DatasetQuestion[]): number[] =>
  ['core', 'bird', 'rare'].map((name) => questions.filter((entry) => entry.category === name).length);

describe('selectQuestions', () => {
  it('filters by id, category and difficulty, then cuts', () => {
    expect(idsOf(selectQuestions(many, { ids: ['c1', 'a1'] }))).toEqual(['a1', 'c1']);
    expect(selectQuestions(many, { category: ['bird', 'rare'] })).toHaveLength(40);
    expect(selectQuestions(many, { difficulty: 'hard', limit: 7 })).toHaveLength(7);
    expect(selectQuestions(many)).toHaveLength(100);
  });

  it('draws the same sample for the same seed, another for another, in proportion to the categories', () => {
    const sample = selectQuestions(many, { sample: 20, seed: 7 });
    expect(perCategory(sample)).toEqual([12, 6, 2]);
    expect(idsOf(selectQuestions([...many].reverse(), { sample: 20, seed: 7 })).sort()).toEqual(idsOf(sample).sort());
    expect(idsOf(selectQuestions(many, { sample: 20, seed: 8 }))).not.toEqual(idsOf(sample));
    expect(idsOf(sample)).toEqual(idsOf(many).filter((id) => idsOf(sample).includes(id)));
  });

  it('takes at least one of each category where it can', () => {
    expect(perCategory(selectQuestions(many, { sample: 3, seed: 1 }))).toEqual([1, 1, 1]);
    expect(selectQuestions(many, { sample: 2, seed: 1 })).toHaveLength(2);
  });

  it('names the nearest category, and refuses numbers that make no sense', () => {
    expect(() => selectQuestions(many, { category: 'brid' })).toThrow(/bird/);
    expect(() => selectQuestions(many, { ids: ['nope'] })).toThrow(/nope/);
    expect(() => selectQuestions(many, { sample: 0 })).toThrow(/sample/);
    expect(() => selectQuestions(many, { limit: 1.5 })).toThrow(/limit/);
    expect(() => selectQuestions(many, { category: 'rare', difficulty: 'hard' })).toThrow(/loosen/);
  });
});

describe('allocate', () => {
  it('gives exactly the size, never more than there are, and never far from proportion', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 400 }), (sizes, size) => {
        const total = sizes.reduce((sum, value) => sum + value, 0);
        const shares = allocate(new Map(sizes.map((value, position) => [`c${position}`, value])), size);
        const given = [...shares.values()];
        expect(given.reduce((sum, value) => sum + value, 0)).toBe(Math.min(size, total));
        for (const [position, share] of given.entries()) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(sizes[position]!);
          if (size >= sizes.length) expect(share).toBeGreaterThanOrEqual(1);
          const exact = (sizes[position]! * Math.min(size, total)) / total;
          expect(Math.abs(share - exact)).toBeLessThan(sizes.length);
        }
      }),
    );
  });
});
