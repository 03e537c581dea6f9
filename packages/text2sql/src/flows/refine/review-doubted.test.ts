import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { refine } from './refine.ts';
import { type Answer, askRefine, callsOf, changes, FORMAT, threadModel, writes } from './refine-fixture.ts';

const names: Answer = () => [['Ann'], ['Bob']];
const echo: Answer = (sql) => [[sql]];
const rules = { review: 'doubted' } as const;

describe('a review only where something speaks against a result', () => {
  it('five calls with all stages of the preset, where two threads agree', async () => {
    const model = threadModel();
    const text2sql = createText2Sql({ adapter: scriptedAdapter(names), model, flow: refine() });
    const outcome = await text2sql.ask('Who?');
    expect(outcome).toMatchObject({
      type: 'answered',
      calls: 5,
      confidence: { value: 2 / 3, from: 'votes' },
      candidates: [{ status: 'chosen', reason: 'thread 1: it answered (accepted)' }, { status: 'rejected' }],
    });
    expect(callsOf(model)).toEqual({
      'expect-format 0': 1,
      'explore-columns 0': 1,
      'explore-columns 1': 1,
      'refine-sql 0': 1,
      'refine-sql 1': 1,
    });
  });

  it('the third thread runs where two disagree, and a tie of three is chosen from', async () => {
    const two = threadModel({ write: ({ thread }) => writes(thread === 0 ? 'SELECT other' : 'SELECT name') });
    const decided = await askRefine(echo, two, { rules });
    expect(decided.outcome).toMatchObject({ type: 'answered', sql: 'SELECT name', calls: 4 });
    const tied = threadModel({ write: ({ thread }) => writes(`SELECT '${'abc'[thread]}'`) });
    await askRefine(echo, tied, { rules });
    expect(callsOf(tied)).toMatchObject({ 'refine-sql 2': 1, 'choose-answer 0': 1 });
  });

  it('a doubted result is reviewed, and what the review wrote in its place is accepted without another one', async () => {
    const model = threadModel({
      format: () => ({ json: { ...FORMAT, rows: 1 } }),
      write: ({ thread }) => writes(thread === 0 ? 'SELECT many' : 'SELECT one'),
      review: () => changes('SELECT one'),
    });
    const answer: Answer = (sql) => (sql === 'SELECT many' ? [['Ann'], ['Bob']] : [['Ann']]);
    const { outcome } = await askRefine(answer, model, { rules });
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT one', calls: 4 });
    expect(callsOf(model)).toMatchObject({ 'review-result 0': 1 });
    expect(callsOf(model)).not.toHaveProperty('review-result 1');
  });

  it('an empty result is reviewed, and so is every result of a thread that has no other beside it', async () => {
    const empty = threadModel({ write: ({ visit }) => writes(visit === 1 ? 'SELECT none' : 'SELECT some') });
    await askRefine((sql) => (sql === 'SELECT none' ? [] : [['Ann']]), empty, { rules });
    expect(callsOf(empty)).toMatchObject({ 'review-result 0': 1, 'review-result 1': 1 });
    const alone = threadModel();
    await askRefine(names, alone, { rules, limits: { threads: 1 } });
    expect(callsOf(alone)).toMatchObject({ 'review-result 0': 1 });
  });
});
