import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from './edit-distance.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
const NO_LIMIT = 100;

describe('editDistance', () => {
  it.each([
    ['chciago', 'chicago', 1],
    ['timothy', 'timmothy', 1],
    ['carribean', 'caribbean', 2],
    ['ab', 'ba', 1],
    ['', 'abc', 3],
  ])('%s and %s: %d', (a, b, edits) => {
    expect(editDistance(a, b, NO_LIMIT)).toBe(edits);
  });

  it('is 0 for the same text alone, the same both ways, and never more than the longer text', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const edits = editDistance(a, b, NO_LIMIT);
        expect(edits === 0).toBe(a === b);
        expect(editDistance(b, a, NO_LIMIT)).toBe(edits);
        expect(edits).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it('says the same within its limit and Infinity beyond it', () => {
    fc.assert(
      fc.property(text, text, fc.nat({ max: 5 }), (a, b, limit) => {
        const edits = editDistance(a, b, NO_LIMIT);
        expect(editDistance(a, b, limit)).toBe(edits <= limit ? edits : Number.POSITIVE_INFINITY);
      }),
    );
  });
});
