import type { ComparableResult, Row } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { decideVote, enoughVotes } from './decide-vote.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import type { VoteOptions } from './vote-options.ts';

function table(rows: readonly Row[]): ComparableResult {
  return { columns: Array.from({ length: rows[0]?.length ?? 1 }, (_, at) => ({ name: `c${at}` })), rows };
}

// Results that are equal, contain each other, differ in rounding, repeat or overlap rows, are blank or empty.
const RESULTS: readonly (Row[] | undefined)[] = [
  [['Ann', 1.25]],
  [['Ann', 1.2]],
  [['Ann', 1.25, 'x']],
  [['Ann', 1.25, 'x', 'y']],
  [
    ['Ann', 1.25],
    ['Ann', 1.25],
  ],
  [
    ['Ann', 1.25],
    ['Bob', 7],
  ],
  [['Bob', 7]],
  [['Cid', 9]],
  [[0]],
  [],
  undefined,
];

const vote: fc.Arbitrary<Vote> = fc.record<Vote>({
  rows: fc.constantFrom(...RESULTS),
  limit: fc.constantFrom(undefined, false),
  sql: fc.constantFrom('SELECT a FROM b', 'SELECT count(*) FROM c', "SELECT a FROM b WHERE d = 'e'"),
});
interface Vote {
  readonly rows: readonly Row[] | undefined;
  readonly limit: boolean | undefined;
  readonly sql: string;
}

function candidate({ rows, limit, sql }: Vote, at: number): VoteCandidate {
  return { id: `${at}`, sql, result: rows && table(rows), conformity: { limit } };
}

const OPTIONS: readonly VoteOptions[] = [
  { preset: 'paper' },
  { preset: 'v5' },
  { preset: 'askema' },
  { preset: 'askema', rules: { partialSupport: 0.5 } },
  { preset: 'askema', rules: { partialSupport: 0.5, key: 'official', whenAllExcluded: 'none' } },
];

describe.each(OPTIONS)('enoughVotes, %j', (options) => {
  it('is true only when every completion has the same winner', () => {
    let ended = 0;
    // Early votes mostly alike, so that there is something to end.
    const start = fc.tuple(vote, fc.array(fc.option(vote, { freq: 2 }), { minLength: 1, maxLength: 5 }));
    fc.assert(
      fc.property(start, fc.array(vote, { minLength: 1, maxLength: 4 }), ([most, others], rest) => {
        const votes = [most, ...others.map((other) => other ?? most)].map(candidate);
        const total = votes.length + rest.length;
        if (!enoughVotes(votes, total, options)) return;
        ended += 1;
        const winner = decideVote(votes, { ...options, threads: total }).winner;
        expect(winner).toBeDefined();
        // All completions of one kind of vote are tried, and the mixed one that was drawn.
        const completions: Vote[][] = [
          rest,
          ...RESULTS.map((rows) => rest.map((one) => ({ ...one, rows, limit: undefined }))),
        ];
        for (const completion of completions) {
          const all = [...votes, ...completion.map((one, at) => candidate(one, votes.length + at))];
          expect(decideVote(all, options).winner).toBe(winner);
        }
      }),
      { numRuns: propertyRuns(250) },
    );
    expect(ended).toBeGreaterThan(10);
  });
});

describe('enoughVotes', () => {
  const votes = (...rows: (Row[] | undefined)[]): VoteCandidate[] =>
    rows.map((of, at) => candidate({ rows: of, limit: undefined, sql: 'SELECT 1' }, at));

  it('ends three threads after two that agree, and not after two that differ', () => {
    expect(enoughVotes(votes([['Ann']], [['Ann']]), 3)).toBe(true);
    expect(enoughVotes(votes([['Ann']], [['Bob']]), 3)).toBe(false);
    expect(enoughVotes(votes([['Ann']]), 3)).toBe(false);
  });

  it('waits while a rival could still draw level', () => {
    expect(enoughVotes(votes([['Ann']], [['Ann']], [['Bob']]), 4, { preset: 'paper' })).toBe(false);
    expect(enoughVotes(votes([['Ann']], [['Ann']], [['Ann']], [['Bob']]), 5, { preset: 'paper' })).toBe(true);
  });

  it('waits while only empty results are there, and counts threads without a result as ended', () => {
    expect(enoughVotes(votes([], []), 3)).toBe(false);
    expect(enoughVotes(votes([['Ann']], undefined, undefined), 4)).toBe(false);
    expect(enoughVotes(votes([['Ann']], [['Ann']], undefined, undefined), 5)).toBe(true);
  });

  it('is over when all threads have ended', () => {
    expect(enoughVotes(votes([['Ann']], [['Bob']]), 2)).toBe(true);
  });
});
