import { describe, expect, it } from 'vitest';
import type { ChaseStep, Decomposition } from './decomposition.ts';
import { parseDependency } from './parse-dependency.ts';
import { synthesize3NF } from './synthesize-3nf.ts';
import { verifyCertificate } from './verify-certificate.ts';

const ATTRIBUTES = ['ID', 'Name', 'Dept', 'Dorm', 'City'];
const DECOMPOSITION = synthesize3NF({
  name: 'Student',
  attributes: ATTRIBUTES,
  dependencies: ['ID -> Name, Dept', 'Dept -> Dorm', 'Dorm -> City'].map((text) => parseDependency(text, ATTRIBUTES)),
});
const [FIRST, SECOND] = DECOMPOSITION.certificate.lossless.steps as [ChaseStep, ChaseStep];

function withSteps(steps: readonly ChaseStep[]): Decomposition {
  const { certificate } = DECOMPOSITION;
  return { ...DECOMPOSITION, certificate: { ...certificate, lossless: { ...certificate.lossless, steps } } };
}

describe('verifyCertificate', () => {
  it('follows a chase of two steps', () => {
    expect(DECOMPOSITION.certificate.lossless).toEqual({
      row: 'Student',
      steps: [
        { dependency: { left: ['Dept'], right: ['Dorm'] }, from: 'Dept' },
        { dependency: { left: ['Dorm'], right: ['City'] }, from: 'Dorm' },
      ],
    });
    expect(verifyCertificate(DECOMPOSITION)).toEqual({ valid: true, problems: [] });
  });

  it.each([
    ['before its left side is known', [SECOND, FIRST], /Step 1 .* comes before its left side is known/],
    ['from a part that does not hold it', [{ ...FIRST, from: 'Student' }, SECOND], /Step 1 .* is not within that part/],
    ['from nowhere', [{ ...FIRST, from: 'Nobody' }, SECOND], /Step 1 .* names no part/],
    [
      'over a dependency that nobody stated',
      [{ dependency: { left: [], right: ['Dorm'] }, from: 'Dept' }, SECOND],
      /Step 1 .* does not follow/,
    ],
    ['that is the last, too early', [FIRST], /ends without City/],
  ])('rejects a step of the chase %s', (_, steps, message) => {
    const { valid, problems } = verifyCertificate(withSteps(steps));
    expect(valid).toBe(false);
    expect(problems).toEqual([{ check: 'lossless', message: expect.stringMatching(message) }]);
  });

  it('rejects foreign keys that run in a circle', () => {
    const dependencies = [
      { left: ['A'], right: ['B'] },
      { left: ['A'], right: ['C'] },
    ];
    const part = (name: string, other: string, at: number) => ({
      name,
      attributes: ['A', other],
      key: ['A'],
      alternateKeys: [],
      dependencies: dependencies.slice(at, at + 1),
    });
    const split: Decomposition = {
      original: { name: 'R', attributes: ['A', 'B', 'C'], dependencies },
      relations: [part('P', 'B', 0), part('Q', 'C', 1)],
      foreignKeys: [{ from: 'P', to: 'Q', attributes: ['A'] }],
      certificate: {
        keys: [
          { relation: 'P', key: ['A'] },
          { relation: 'Q', key: ['A'] },
        ],
        lossless: { row: 'P', steps: [{ dependency: { left: ['A'], right: ['C'] }, from: 'Q' }] },
        preserved: [
          { dependency: { left: ['A'], right: ['B'] }, relation: 'P' },
          { dependency: { left: ['A'], right: ['C'] }, relation: 'Q' },
        ],
      },
    };
    // Two parts with one key are no fault of what is proved; that each waits for the other is.
    expect(verifyCertificate(split)).toEqual({ valid: true, problems: [] });
    const circle = { ...split, foreignKeys: [...split.foreignKeys, { from: 'Q', to: 'P', attributes: ['A'] }] };
    expect(verifyCertificate(circle).problems).toEqual([
      { check: 'foreign-keys', message: 'The foreign keys of `P`, `Q` lead back to where they begin.' },
    ]);
  });
});
