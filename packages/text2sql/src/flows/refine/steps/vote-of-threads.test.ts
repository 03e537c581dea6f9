import { describe, expect, it } from 'vitest';
import { decideVote } from '../../../vote/decide-vote.ts';
import { refinePlan } from '../refine-options.ts';
import { createThreadState, type RefineAttempt } from '../state/refine-state.ts';
import { resultDoubts } from '../thread/result-doubts.ts';
import { voteCandidate, voteOptions } from './answers-of-threads.ts';

const FORMAT = { columns: [{ name: 'n', type: 'text', meaning: '' }], rows: 1, record: '', notes: [] };
const columns = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `c${n}`, nativeType: 'TEXT', type: 'TEXT' as const }));

/** A thread that ended with these rows as its answer. */
function ended(thread: number, rows: readonly (readonly string[])[], hasFormat = true) {
  const plan = refinePlan();
  const result = { columns: columns(rows[0]?.length ?? 1), rows, elapsedMs: 1 };
  const format = hasFormat ? FORMAT : null;
  const attempt: RefineAttempt = {
    sql: `SELECT ${thread}`,
    stage: 'refine',
    result,
    doubts: resultDoubts(result, { format }),
  };
  const asked = { question: 'Top 3?', schemaText: '', evidence: null, values: [], today: '', catalogFingerprint: null };
  const state = createThreadState({ thread, plan, asked, format, perspective: '', canExpand: false });
  state.attempts = [attempt];
  state.ending = { type: 'answered', by: 'agreed', attempt: 0 };
  return { status: 'finished' as const, state };
}

describe('the vote of threads', () => {
  it('knows what departs from the format, and where there is none, from the words of the question', () => {
    expect(voteCandidate(ended(0, [['a']])).conformity).toEqual({ columns: true, rows: true });
    expect(
      voteCandidate(
        ended(0, [
          ['a', 'b'],
          ['c', 'd'],
        ]),
      ).conformity,
    ).toEqual({ columns: false, rows: false });
    expect(voteCandidate(ended(0, [['a']], false)).conformity).toMatchObject({ rows: true });
  });

  it('lets empty results that were confirmed win where a plan allows them, at half their worth', () => {
    const candidates = [ended(0, []), ended(1, []), ended(2, [])].map((thread) => voteCandidate(thread));
    const ours = decideVote(candidates, { ...voteOptions(refinePlan()), threads: 3 });
    expect(ours).toMatchObject({ decision: 'decided', sure: false });
    expect(ours.support).toBeCloseTo(1.5);
    const paper = decideVote(candidates, voteOptions(refinePlan({ preset: 'paper' })));
    expect(paper.decision).toBe('none');
  });
});
