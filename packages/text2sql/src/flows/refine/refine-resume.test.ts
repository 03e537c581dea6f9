import { AskemaError, type Journal, memoryJournal, type Outcome } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import type { Text2SqlOptions } from '../../text2sql-options.ts';
import { refine } from './refine.ts';
import { type Answer, askRefine, BARE, callsOf, threadModel, writes } from './refine-fixture.ts';
import type { RefineOptions } from './refine-options.ts';

const echo: Answer = (sql) => [[sql]];
const names: Answer = () => [['Ann'], ['Bob']];
const perThread = ({ thread }: { thread: number }) => writes(`SELECT ${'abc'[thread]}`);
const ONE_BY_ONE: RefineOptions = { limits: { concurrency: 1 } };

/** Asks as `r1`, to break off. */
function ask(
  journal: Journal,
  answer: Answer,
  model: Text2SqlOptions['model'],
  options: Partial<Text2SqlOptions> = {},
) {
  return askRefine(answer, model, ONE_BY_ONE, { options: { ...options, journal }, ask: { runId: 'r1' } });
}

/** Resumes `r1` as another process would. */
async function resume(journal: Journal, answer: Answer, model = threadModel(), more: Partial<Text2SqlOptions> = {}) {
  const adapter = scriptedAdapter(answer);
  const flow = refine({ ...ONE_BY_ONE, stages: BARE });
  const text2sql = createText2Sql({ adapter, model, flow, journal, ...more });
  const outcome = await text2sql.resume('r1');
  return { outcome, sent: adapter.sent, calls: callsOf(model) };
}

const add = (...counts: Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const sum: Record<string, number> = {};
  for (const [key, count] of counts.flatMap(Object.entries)) sum[key] = (sum[key] ?? 0) + count;
  return sum;
};

/** What does not depend on time and budget. */
function gist(outcome: Outcome) {
  const { type, sql, candidates, calls, executions, usage, solvedBy, explanation } = outcome;
  const answer = outcome.type === 'answered' ? [outcome.result.rows, outcome.sure, outcome.confidence] : [];
  return { type, sql, candidates, calls, executions, usage, solvedBy, explanation, answer };
}

describe('a question over budget, resumed with more', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])(
    'goes on behind call %i, pays none twice, and ends as if nothing had been',
    async (maxCalls) => {
      const whole = threadModel({ write: perThread });
      const { outcome: expected } = await askRefine(echo, whole, ONE_BY_ONE);
      expect(expected).toMatchObject({ type: 'answered', sql: 'SELECT a', calls: 8 });
      const journal = memoryJournal();
      const model = threadModel({ write: perThread });
      const { outcome } = await ask(journal, echo, model, { budget: { maxCalls } });
      expect(outcome).toMatchObject({ type: 'budgetExceeded', calls: maxCalls });
      const again = await resume(journal, echo, threadModel({ write: perThread }), {
        budget: { maxCalls: 8 - maxCalls },
      });
      expect(gist(again.outcome)).toEqual(gist(expected));
      expect(add(callsOf(model), again.calls)).toEqual(callsOf(whole));
      const { state } = await refine().flow.replay('r1', { journal });
      expect(state).toMatchObject({ verdict: { type: 'answered' }, calls: 8, flow: { brokenOff: null } });
    },
  );

  it('may end over budget again, with all that was spent and the best of all', async () => {
    const journal = memoryJournal();
    await ask(journal, echo, threadModel({ write: perThread }), { budget: { maxCalls: 2 } });
    const model = threadModel({ write: perThread });
    const { outcome, calls } = await resume(journal, echo, model, { budget: { maxCalls: 3 } });
    expect(calls).toEqual({ 'refine-sql 1': 1, 'review-result 0': 1, 'review-result 1': 1 });
    expect(outcome).toMatchObject({
      type: 'budgetExceeded',
      calls: 5,
      executions: 2,
      result: { rows: [['SELECT a']] },
    });
  });
});

describe('threads that the budget ended', () => {
  it('are missed where they could have changed the decision', async () => {
    const options = { budget: { maxCalls: 5 } };
    const limits = { concurrency: 1, threads: 4 };
    const { outcome } = await askRefine(names, threadModel(), { limits }, { options });
    expect(outcome).toMatchObject({ type: 'budgetExceeded', result: { rows: [['Ann'], ['Bob']] } });
  });
});

describe('a question that an outage broke off', () => {
  it.each([
    ['MODEL_UNAVAILABLE', true],
    // Mended by a person.
    ['MODEL_AUTHENTICATION', false],
  ] as const)('of the provider (%s) goes on when it is back', async (code, retryable) => {
    const journal = memoryJournal();
    const down = new AskemaError(code, 'It does not work.', { retryable });
    const broken = threadModel({ review: () => ({ error: down }) });
    const { outcome } = await ask(journal, names, broken);
    expect(outcome).toMatchObject({ type: 'failed', error: { code }, sql: 'SELECT name FROM customer' });
    expect(outcome.candidates.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = await resume(journal, names);
    expect(again.outcome).toMatchObject({ type: 'answered', confidence: { from: 'votes' }, calls: 5 });
    expect(again.calls).toEqual({ 'review-result 0': 1, 'review-result 1': 1 });
  });

  it('of the database goes on when it is back', async () => {
    const journal = memoryJournal();
    const gone = new AskemaError('DATABASE_UNAVAILABLE', 'It is gone.', { retryable: true });
    const { outcome } = await ask(journal, () => gone, threadModel());
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'DATABASE_UNAVAILABLE' } });
    const again = await resume(journal, names);
    expect(again.outcome).toMatchObject({ type: 'answered', confidence: { from: 'votes' } });
    expect(again.calls).toEqual({ 'review-result 0': 1, 'review-result 1': 1 });
  });

  it('is finished where other threads gave an answer, and is not taken up again', async () => {
    const journal = memoryJournal();
    const down = new AskemaError('MODEL_UNAVAILABLE', 'It does not answer.', { retryable: true });
    const model = threadModel({ write: (turn) => (turn.thread === 0 ? { error: down } : perThread(turn)) });
    const { outcome } = await ask(journal, () => [['Ann']], model);
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT b' });
    const again = await resume(journal, names);
    expect(again.calls).toEqual({});
    expect(again.sent).toEqual([]);
    expect(again.outcome).toMatchObject({ type: 'answered', sql: 'SELECT b' });
  });
});
