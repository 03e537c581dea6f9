import { describe, expect, it } from 'vitest';
import { candidateKeys, primeAttributes } from './candidate-keys.ts';
import type { RelationScheme } from './functional-dependency.ts';
import { normalFormOf } from './normal-form-of.ts';

/** Pairs of attributes that determine each other: 2^count keys. */
function pairs(count: number): RelationScheme {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return {
    name: 'Pairs',
    attributes: numbers.flatMap((at) => [`A${at}`, `B${at}`]),
    dependencies: numbers.flatMap((at) => [
      { left: [`A${at}`], right: [`B${at}`] },
      { left: [`B${at}`], right: [`A${at}`] },
    ]),
  };
}

describe('candidateKeys', () => {
  it('finds all of exponentially many keys while they are within the limit, and says so', () => {
    expect(candidateKeys(pairs(4), { maxKeys: 16 })).toMatchObject({ complete: true, keys: { length: 16 } });
    expect(candidateKeys(pairs(4), { maxKeys: 15 })).toMatchObject({ complete: false, keys: { length: 15 } });
  });

  it('stops at its limits; what it lists are keys', () => {
    for (const { keys, complete } of [candidateKeys(pairs(30)), candidateKeys(pairs(200), { maxSteps: 1 })]) {
      expect(complete).toBe(false);
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) expect(new Set(key.map((name) => name.slice(1))).size).toBe(key.length);
    }
    expect(candidateKeys(pairs(200), { maxSteps: 1 }).keys).toHaveLength(1);
    expect(primeAttributes(pairs(30)).complete).toBe(false);
    expect(normalFormOf(pairs(30)).complete).toBe(false);
  });

  it('lists shorter keys first, then in the order of the attributes', () => {
    const scheme = {
      name: 'R',
      attributes: ['C', 'B', 'A', 'ID'],
      dependencies: [
        { left: ['ID'], right: ['A', 'B', 'C'] },
        { left: ['B', 'A'], right: ['ID'] },
        { left: ['A', 'C'], right: ['ID'] },
      ],
    };
    expect(candidateKeys(scheme).keys).toEqual([['ID'], ['C', 'A'], ['B', 'A']]);
  });

  it('takes empty left sides, trivial dependencies and circles', () => {
    const scheme = {
      name: 'R',
      attributes: ['A', 'B', 'C'],
      dependencies: [
        { left: [], right: ['C'] },
        { left: ['A'], right: ['A'] },
        { left: ['A', 'B'], right: ['B', 'A'] },
      ],
    };
    expect(candidateKeys(scheme).keys).toEqual([['A', 'B']]);
    expect(normalFormOf(scheme).violations).toMatchObject([{ breaks: '2NF', reason: '`C` is the same in every row.' }]);
    expect(candidateKeys({ name: 'R', attributes: ['C'], dependencies: [{ left: [], right: ['C'] }] }).keys).toEqual([
      [],
    ]);
  });

  it.each([
    [{ attributes: ['Name', 'Dorm'], left: ['Nmae'], right: ['Dorm'] }, /`Nmae`.*Did you mean `Name`/],
    [{ attributes: ['A', 'B', 'A'], left: ['A'], right: ['B'] }, /`A` occurs twice in relation `R`/],
    [{ attributes: ['A', ' '], left: ['A'], right: ['A'] }, /empty name/],
    [{ attributes: ['A', 'B'], left: ['A', ''], right: ['B'] }, /empty name/],
    [{ attributes: ['A', 'B'], left: ['A', 'A'], right: ['B'] }, /`A` occurs twice/],
  ])('refuses %o', ({ attributes, left, right }, message) => {
    const scheme = { name: 'R', attributes, dependencies: [{ left, right }] };
    expect(() => candidateKeys(scheme)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
    expect(() => candidateKeys(scheme)).toThrow(message);
  });

  it('refuses a limit that is no count', () => {
    expect(() => candidateKeys(pairs(1), { maxKeys: 0 })).toThrow(/`maxKeys` is 0/);
  });
});

describe('normalFormOf', () => {
  it('finds a partial dependency that no dependency of the cover shows by itself', () => {
    const scheme = {
      name: 'R',
      attributes: ['A', 'E', 'B', 'C', 'D'],
      dependencies: [
        { left: ['A'], right: ['B', 'C'] },
        { left: ['B', 'C'], right: ['D'] },
        { left: ['B', 'E'], right: ['A'] },
        { left: ['C', 'E'], right: ['A'] },
      ],
    };
    expect(normalFormOf(scheme)).toMatchObject({
      form: '1NF',
      violations: [{ breaks: '2NF', dependency: { left: ['A'], right: ['D'] } }, { breaks: '3NF' }, { breaks: 'BCNF' }],
    });
  });
});
