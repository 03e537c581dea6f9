import { AskemaError } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { failedQuery } from '../../fixtures/scripted-adapter.ts';
import {
  type Answer,
  askRefine,
  callsOf,
  changes,
  checks,
  doubts,
  FORMAT,
  keeps,
  threadModel,
  writes,
} from './refine-fixture.ts';

const names: Answer = () => [['Ann'], ['Bob']];
/** One row with what stands in the statement: other statements, other answers. */
const echo: Answer = (sql) => (sql.includes('bad') ? failedQuery(`no such column in ${sql}`) : [[sql]]);
const nothing: Answer = (sql) => (sql.includes('none') ? [] : [['Ann']]);

describe('the refine flow', () => {
  it('answers with one format, two threads and two calls each, when they agree', async () => {
    const model = threadModel();
    const { outcome, adapter } = await askRefine(names, model);
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT name FROM customer',
      result: { rows: [['Ann'], ['Bob']] },
      calls: 5,
      executions: 2,
      confidence: { from: 'votes' },
      explanation: 'read as asked',
      solvedBy: 'scripted:scripted',
      candidates: [{ status: 'chosen' }, { status: 'rejected', reason: expect.stringContaining('agrees') }],
    });
    expect(outcome).toHaveProperty('confidence', { value: 2 / 3, from: 'votes' });
    expect(callsOf(model)).toEqual({
      'expect-format 0': 1,
      'refine-sql 0': 1,
      'refine-sql 1': 1,
      'review-result 0': 1,
      'review-result 1': 1,
    });
    expect(adapter.sent.map(({ access }) => access)).toEqual(['read', 'read']);
  });

  it('explores in each thread and profiles once: four calls more than without, and the prompts show both', async () => {
    const probes = [{ purpose: 'spellings', looksFor: 'contents', sql: 'SELECT DISTINCT name FROM customer LIMIT 5' }];
    const seen: string[] = [];
    const model = threadModel({
      explore: () => ({ json: { relevant: [{ relation: 'customer', attributes: ['name'] }], probes } }),
      write: ({ prompt }) => {
        seen.push(prompt);
        return writes('SELECT name FROM customer');
      },
    });
    const refine = { stages: { exploration: true, profile: true }, exploration: { minProbes: 1 } };
    const { outcome } = await askRefine(names, model, refine);
    expect(outcome).toMatchObject({ type: 'answered', calls: 7, confidence: { from: 'votes' } });
    expect(callsOf(model)).toMatchObject({ 'explore-columns 0': 1, 'explore-columns 1': 1 });
    for (const prompt of seen) expect(prompt).toMatch(/looked up in the database[\s\S]*SELECT DISTINCT name/);
  });

  it('a review that changes the statement: the corrected result has to come twice', async () => {
    const model = threadModel({
      write: ({ visit, prompt }) => {
        if (visit === 1) return writes('SELECT bad');
        expect(prompt).toContain('no such column in SELECT bad');
        expect(prompt).toContain('A name does not exist where it was used.');
        expect(prompt).toContain('Names that exist and are near');
        return writes('SELECT good');
      },
      review: ({ visit }) => (visit === 1 ? changes('SELECT better') : keeps),
    });
    const { outcome } = await askRefine(echo, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT better',
      calls: 5,
      executions: 3,
      sure: false,
      candidates: [
        { sql: 'SELECT bad', status: 'failed', error: { code: 'QUERY_FAILED' } },
        { sql: 'SELECT good', status: 'rejected', reason: 'thread 1: a condition is missing' },
        { sql: 'SELECT better', status: 'chosen' },
      ],
    });
  });

  it('another statement with the same result is the same answer once more', async () => {
    const model = threadModel({ review: () => changes('SELECT n FROM (SELECT name AS n FROM customer)') });
    const { outcome } = await askRefine(names, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, executions: 2 });
  });

  it('a statement that comes again is not sent again', async () => {
    const model = threadModel({
      write: () => writes('SELECT bad'),
    });
    const { outcome, adapter } = await askRefine(echo, model, { limits: { threads: 1, maxIterations: 3 } });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' }, calls: 4, executions: 1 });
    expect(adapter.sent).toHaveLength(1);
  });

  it('gives no answer when the limit is reached, and shows what was tried', async () => {
    const model = threadModel({ review: ({ thread, visit }) => changes(`SELECT ${thread} ${visit}`) });
    const { outcome } = await askRefine(echo, model, { limits: { maxIterations: 2 } });
    expect(outcome).toMatchObject({
      type: 'failed',
      error: {
        code: 'ANSWER_UNCONFIRMED',
        message: expect.stringContaining('thread 3: no answer came often enough within its limits'),
      },
      calls: 1 + 3 * 3,
      executions: 6,
    });
    expect(outcome).not.toHaveProperty('result');
    expect(outcome.candidates).toHaveLength(6);
    expect(outcome.candidates.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('threads that disagree are put to the vote: two of three win', async () => {
    const model = threadModel({ write: ({ thread }) => writes(thread === 0 ? 'SELECT other' : 'SELECT name') });
    const { outcome } = await askRefine(echo, model, { rules: { earlyEnd: false } });
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT name', sure: false, calls: 7 });
    expect(outcome.candidates.map(({ status, reason }) => [status, reason])).toEqual([
      ['rejected', 'thread 1: another answer was chosen'],
      ['chosen', 'thread 2: it answered (agreed)'],
      ['rejected', 'thread 3: its result agrees with the chosen one'],
    ]);
  });

  it('a model settles a tie, unsure; without that stage the first of the tied stands', async () => {
    const script = {
      // As structures of statements differ, so that no tie-break separates them.
      write: ({ thread }: { thread: number }) => writes(`SELECT '${'abc'[thread]}'`),
    };
    const model = threadModel({ ...script, choose: () => ({ json: { reason: 'the words', choice: 'B' } }) });
    const { outcome } = await askRefine(echo, model);
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: "SELECT 'b'",
      sure: false,
      calls: 8,
      confidence: { value: 0.125, from: 'votes' },
    });
    const none = threadModel({ ...script, choose: () => ({ json: { reason: 'All are wrong.', choice: 'none' } }) });
    const declined = await askRefine(echo, none);
    expect(declined.outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' } });
    expect(declined.outcome).not.toHaveProperty('result');
    const without = await askRefine(echo, threadModel(script), { stages: { choose: false } });
    expect(without.outcome).toMatchObject({
      type: 'answered',
      sql: "SELECT 'a'",
      sure: false,
      confidence: { value: 0, from: 'votes' },
      calls: 7,
    });
  });

  it('most threads that decline decline the question; fewer do not', async () => {
    const no = writes('', { outcome: 'unanswerable', explanation: 'No prices.', not_understood: ['price'] });
    const all = await askRefine(names, threadModel({ write: () => no }));
    expect(all.outcome).toMatchObject({
      type: 'unanswerable',
      reason: 'No prices.',
      notUnderstood: ['price'],
      executions: 0,
      calls: 3,
    });
    const one = await askRefine(
      names,
      threadModel({ write: ({ thread }) => (thread === 0 ? no : writes('SELECT 1')) }),
    );
    expect(one.outcome).toMatchObject({ type: 'answered', sql: 'SELECT 1' });
    const two = threadModel({ write: ({ thread }) => (thread > 0 ? no : writes('SELECT 1')) });
    const late = await askRefine(names, two, { rules: { earlyEnd: false } });
    expect(late.outcome).toMatchObject({ type: 'unanswerable', reason: 'No prices.' });
    const unclear = writes('', { outcome: 'needs_clarification', explanation: 'Which year?' });
    const ask = await askRefine(names, threadModel({ write: () => unclear }));
    expect(ask.outcome).toMatchObject({ type: 'needsClarification', ask: 'Which year?' });
  });
});

describe('an empty result', () => {
  it('counts when a check that the review named was run and it still calls it right', async () => {
    const seen: string[] = [];
    const model = threadModel({
      write: () => writes('SELECT none'),
      review: ({ visit, prompt }) => {
        seen.push(prompt);
        return visit === 1 ? checks('SELECT count(*) FROM customer') : keeps;
      },
    });
    const { outcome, adapter } = await askRefine(nothing, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] }, calls: 4, executions: 2 });
    expect(adapter.sent.map(({ sql }) => sql)).toEqual(['SELECT none', 'SELECT count(*) FROM customer']);
    expect(seen[0]).toContain('name in `check` a statement');
    expect(seen[1]).toMatch(/The check\n<<<data statement[\s\S]*gave:\n<<<data result/);
    expect(seen[1]).not.toContain('name in `check` a statement');
  });

  it('is checked for who cannot tell whether it is right, before anything is written anew', async () => {
    const model = threadModel({
      write: () => writes('SELECT none'),
      review: ({ visit }) => [doubts('SELECT count(*) FROM customer'), keeps][visit - 1],
    });
    const { outcome, adapter } = await askRefine(nothing, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] } });
    expect(adapter.sent.map(({ sql }) => sql)).toEqual(['SELECT none', 'SELECT count(*) FROM customer']);
    const doubting = threadModel({
      write: () => writes('SELECT none'),
      review: ({ visit }) => doubts(`SELECT ${visit}`),
    });
    const unsure = await askRefine(nothing, doubting, { limits: { threads: 1, maxIterations: 1 } });
    expect(unsure.outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' } });
    // Two checks at most.
    expect(unsure.adapter.sent).toHaveLength(3);
  });

  it('does not count without a check, nor by the word of the model alone', async () => {
    const model = threadModel({ write: () => writes('SELECT none') });
    const { outcome } = await askRefine(nothing, model, { limits: { threads: 1, maxIterations: 3 } });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' }, executions: 1 });
  });

  it('ends a thread early when it comes four times in a row', async () => {
    const model = threadModel({ write: ({ visit }) => writes(`SELECT none ${visit}`) });
    const { outcome } = await askRefine(nothing, model, { limits: { threads: 1, maxIterations: 50 } });
    expect(outcome).toMatchObject({
      error: { code: 'ANSWER_UNCONFIRMED', message: expect.stringContaining('its results stayed empty') },
      executions: 4,
      calls: 1 + 4 + 3,
    });
  });

  it.each(['paper', 'v5'] as const)('never counts in the preset %s, whatever a check says', async (preset) => {
    const model = threadModel({ write: () => writes('SELECT none'), review: () => checks('SELECT 1') });
    const { outcome, adapter } = await askRefine(nothing, model, { preset, limits: { threads: 1, maxIterations: 2 } });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'ANSWER_UNCONFIRMED' } });
    expect(adapter.sent.map(({ sql }) => sql)).toEqual(['SELECT none']);
  });

  it('a check that fails confirms nothing; another one may', async () => {
    const model = threadModel({
      write: () => writes('SELECT none'),
      review: ({ visit }) => [checks('SELECT bad'), checks('SELECT 1'), keeps][visit - 1],
    });
    const answer: Answer = (sql) => (sql.includes('bad') ? failedQuery('no') : nothing(sql, {} as never));
    const { outcome } = await askRefine(answer, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', executions: 3, calls: 5 });
  });
});

describe('what goes wrong', () => {
  it('one thread that says nothing usable costs only that thread', async () => {
    const model = threadModel({ write: ({ thread }) => (thread === 1 ? 'I am a teapot.' : writes('SELECT name')) });
    const { outcome } = await askRefine(names, model);
    expect(outcome).toMatchObject({ type: 'answered', calls: 1 + 2 + 3 + 2 });
  });

  it('a format that cannot be used is left out, and told', async () => {
    const model = threadModel({ format: () => 'I am a teapot.' });
    const { outcome } = await askRefine(names, model);
    expect(outcome).toMatchObject({ type: 'answered', calls: 3 + 4 });
    expect(outcome.warnings.join()).toContain('No answer format could be fixed');
  });

  it('a statement that writes is told once and refused the second time', async () => {
    const answer: Answer = () => new AskemaError('QUERY_NOT_READ_ONLY', 'only reading');
    const model = threadModel({ write: ({ visit }) => writes(`DROP TABLE customer${visit}`) });
    const { outcome } = await askRefine(answer, model);
    expect(outcome).toMatchObject({ type: 'refused', reason: 'only reading', executions: 6, calls: 7 });
  });

  it('a database that is gone is the outcome', async () => {
    const answer: Answer = () => new AskemaError('DATABASE_UNAVAILABLE', 'gone');
    const { outcome } = await askRefine(answer, threadModel());
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'DATABASE_UNAVAILABLE' }, calls: 3 });
  });

  it('facts against a result stand in the review', async () => {
    const seen: string[] = [];
    const model = threadModel({
      format: () => ({ json: { ...FORMAT, rows: 1, columns: [...FORMAT.columns, ...FORMAT.columns] } }),
      review: ({ prompt }) => {
        seen.push(prompt);
        return keeps;
      },
    });
    await askRefine(() => [['Ann'], ['Ann'], ['Bob']], model, { limits: { threads: 1 } });
    expect(seen[0]).toContain('The expected format has 2 columns, the result has 1.');
    expect(seen[0]).toContain('The expected format has 1 row, the result has 3.');
    expect(seen[0]).toContain('1 of 3 rows repeat an earlier row in every column.');
  });

  it('reads only: with `access: write` it does not start', async () => {
    const options = { access: 'write' } as const;
    await expect(askRefine(names, threadModel(), {}, { options })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
