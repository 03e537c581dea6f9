import { type ComparableResult, isAskemaError, type Row } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { decideVote, voteConfidence } from './decide-vote.ts';
import type { VoteCandidate } from './vote-candidate.ts';
import { VOTE_PRESETS } from './vote-options.ts';

function table(rows: readonly Row[], width = rows[0]?.length ?? 1): ComparableResult {
  return { columns: Array.from({ length: width }, (_, column) => ({ name: `c${column}` })), rows };
}

function candidate(id: string, rows: readonly Row[] | undefined, more: Partial<VoteCandidate> = {}): VoteCandidate {
  return { id, sql: `SELECT ${id}`, result: rows === undefined ? undefined : table(rows), ...more };
}

const A: Row[] = [['Ann', 1]];
const B: Row[] = [['Bob', 2]];
const C: Row[] = [['Cid', 3]];

describe('decideVote', () => {
  it('takes what most threads found, and names who agrees', () => {
    const decision = decideVote([candidate('1', B), candidate('2', A), candidate('3', A)]);
    expect(decision).toMatchObject({ decision: 'decided', winner: '2', support: 2, margin: 1, reasons: ['majority'] });
    expect(decision.clusters.map(({ members }) => members)).toEqual([['2', '3'], ['1']]);
  });

  it('finds a column order that fits, but no other pairing of the cells', () => {
    const people: Row[] = [...A, ...B];
    const turned: Row[] = [
      [2, 'Bob'],
      [1, 'Ann'],
    ];
    const crossed: Row[] = [
      ['Ann', 2],
      ['Bob', 1],
    ];
    const votes = [candidate('1', crossed), candidate('2', people), candidate('3', turned)];
    expect(decideVote(votes, { preset: 'paper' })).toMatchObject({ winner: '2', support: 2 });
    expect(decideVote(votes, { preset: 'v5' })).toMatchObject({ winner: '1', support: 3 });
  });

  it('leaves a tie to others under the presets, and says which answers tie', () => {
    const votes = [candidate('1', A), candidate('2', B), candidate('3', C)];
    for (const preset of ['paper', 'v5'] as const) {
      const decision = decideVote(votes, { preset });
      expect(decision).toMatchObject({ decision: 'tie', tied: ['1', '2', '3'], confidence: 0, sure: false });
      expect(decision.winner).toBeUndefined();
    }
  });

  it('settles a tie by the statements: what most of them use', () => {
    const votes = [
      candidate('1', A, { sql: 'SELECT city FROM archive WHERE kind = 7' }),
      candidate('2', B, { sql: "SELECT name FROM customer WHERE status = 'active'" }),
      candidate('3', [['Dan', 4]], { sql: "SELECT name FROM customer WHERE status = 'active' AND age > 3" }),
      candidate('4', C, { sql: "SELECT max(name) FROM customer WHERE status = 'open'" }),
    ];
    expect(decideVote(votes)).toMatchObject({ winner: '2', reasons: ['statement-consensus'] });
  });

  it('stays a tie where nothing separates the answers', () => {
    const sql = 'SELECT 1';
    const decision = decideVote([candidate('1', A, { sql }), candidate('2', B, { sql })]);
    expect(decision).toMatchObject({ decision: 'tie', tied: ['1', '2'], reasons: ['tied'] });
  });

  it('drops the answer that no other one contains, where votes are equal', () => {
    const wide: Row[] = [['Ann', 1, 'x']];
    const decision = decideVote([candidate('1', B), candidate('2', A), candidate('3', wide)]);
    expect(decision).toMatchObject({ decision: 'tie', tied: ['2', '3'] });
    expect(decision.clusters[0]?.support).toBeCloseTo(1.1);
  });

  it('never lets partial agreement outweigh a whole vote', () => {
    const wider = [1, 2, 3, 4, 5].map((n) => candidate(`w${n}`, [['Ann', 1, ...Array.from({ length: n }, () => 'x')]]));
    expect(decideVote([...wider, candidate('b', B), candidate('c', B)])).toMatchObject({ winner: 'b' });
  });

  it('does not count empty results, and blank ones less', () => {
    const empty = [candidate('1', []), candidate('2', []), candidate('3', A)];
    for (const preset of ['paper', 'v5', 'askema'] as const)
      expect(decideVote(empty, { preset }).winner, preset).toBe('3');
    const blank = [candidate('1', [[0]]), candidate('2', [[0]]), candidate('3', A)];
    expect(decideVote(blank).winner).toBe('3');
  });

  it('accepts an honest nothing when there is nothing else, and says so', () => {
    const votes = [candidate('1', []), candidate('2', [])];
    expect(decideVote(votes)).toMatchObject({ winner: '1', reasons: ['unanimous', 'only-excluded', 'no-rows'] });
    expect(decideVote(votes, { preset: 'paper' })).toMatchObject({ decision: 'none', reasons: ['no-candidate'] });
  });

  it('has no decision without a result', () => {
    expect(decideVote([])).toMatchObject({ decision: 'none', clusters: [], confidence: 0 });
    expect(decideVote([candidate('1', undefined)])).toMatchObject({ decision: 'none' });
  });

  it('weighs what speaks against a candidate', () => {
    const against = [
      { conformity: { rows: false } },
      { conformity: { columns: false } },
      { conformity: { limit: false } },
      { conformity: { literals: 0 } },
      { ending: { judgedPlausible: false } },
    ];
    for (const doubt of against) {
      const decision = decideVote([candidate('1', A, doubt), candidate('2', B)]);
      expect(decision.winner, JSON.stringify(doubt)).toBe('2');
      expect(decision.clusters[1]?.votes).toBe(0.5);
    }
  });

  it('makes clusters by their first members where agreement chains', () => {
    const chain = [[[1.5]], [[1.5007]], [[1.5014]]].map((rows, at) => candidate(`${at}`, rows));
    const { clusters } = decideVote(chain, { preset: 'v5' });
    expect(clusters.map(({ members }) => members)).toEqual([['0', '1'], ['2']]);
  });

  it('refuses rules out of range', () => {
    const attempt = () => decideVote([], { rules: { partialSupport: 0.6 } });
    expect(attempt).toThrow(/partialSupport/);
    try {
      attempt();
    } catch (error) {
      expect(isAskemaError(error) && error.code).toBe('CONFIG_INVALID');
    }
  });

  it('does not depend on the order of candidates, nor of rows and columns', () => {
    const rows = fc.constantFrom<Row[]>(A, B, C, [['Ann', 1, 'x']], [...A, ...B], [[0]], []);
    const votes = fc.array(rows, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(votes, fc.nat(5), (all, step) => {
        const list = all.map((of, at) => candidate(`${at}`, of));
        const turned = [...list.slice(step), ...list.slice(0, step)].map((one) => ({
          ...one,
          result: one.result && {
            columns: one.result.columns.toReversed(),
            rows: one.result.rows.toReversed().map((row) => row.toReversed()),
          },
        }));
        for (const preset of ['paper', 'v5', 'askema'] as const) {
          const [there, back] = [decideVote(list, { preset }), decideVote(turned, { preset })];
          expect(back.decision).toBe(there.decision);
          expect(back.confidence).toBeCloseTo(there.confidence, 9);
          const home = there.clusters.find(({ members }) => members.includes(there.winner ?? ''));
          if (there.decision === 'decided') expect(home?.members).toContain(back.winner);
        }
      }),
      { numRuns: propertyRuns(120) },
    );
  });
});

describe('voteConfidence', () => {
  it('gives the published figures', () => {
    expect(voteConfidence({ votes: 3, support: 3, rival: 0, threads: 3 })).toBe(0.75);
    expect(voteConfidence({ votes: 8, support: 8, rival: 0, threads: 8 })).toBeCloseTo(8 / 9);
    expect(voteConfidence({ votes: 1, support: 1, rival: 0, threads: 1 })).toBe(0.5);
    expect(voteConfidence({ votes: 2, support: 2, rival: 1, threads: 3 })).toBe(0.375);
    expect(voteConfidence({ votes: 0, support: 0, rival: 0, threads: 3 })).toBe(0);
  });

  it('is sure from the threshold of the rules on', () => {
    const votes = [candidate('1', A), candidate('2', A), candidate('3', A)];
    expect(decideVote(votes)).toMatchObject({ confidence: 0.75, sure: 0.75 >= VOTE_PRESETS.askema.sureFrom });
    expect(decideVote(votes, { rules: { sureFrom: 0.76 } }).sure).toBe(false);
    expect(decideVote(votes, { threads: 6 }).confidence).toBeLessThan(0.5);
  });
});
