import type { Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../fixtures/scripted-solver.ts';
import type { AskBack } from '../question/ask-back.ts';

const RESULTS: Readonly<Record<string, readonly Row[]>> = {
  'SELECT placed': [['Ann'], ['Bob']],
  'SELECT shipped': [['Ann']],
  'SELECT placed_too': [['Bob'], ['Ann']],
};

function shop() {
  return scriptedAdapter((sql) => RESULTS[sql] ?? failedQuery('no such column'));
}

const other = (sql: string, likelihood = 'equal') => ({ meaning: `Those of ${sql}.`, sql, likelihood });

async function ask(readings: readonly object[], askBack?: AskBack, more: object = {}) {
  const adapter = shop();
  const output = sqlOutput('SELECT placed', {
    explanation: 'By the day of the order.',
    other_readings: readings as never[],
    ...more,
  });
  const model = scriptedSolver([output]);
  const text2sql = createText2Sql({ adapter, model, askBack });
  return { text2sql, adapter, outcome: await text2sql.ask('Who ordered in May?', { runId: 'r' }) };
}

describe('a question with two readings', () => {
  it('is asked back where they give different rows and nothing speaks for one, with what each gives', async () => {
    const { outcome, text2sql, adapter } = await ask([other('SELECT shipped'), other('SELECT placed_too')]);
    expect(outcome).toMatchObject({
      type: 'needsClarification',
      choices: [
        {
          id: '1',
          meaning: 'By the day of the order.',
          gives: '2 rows: Ann, Bob',
          resolution: { sql: 'SELECT placed' },
        },
        { id: '2', meaning: 'Those of SELECT shipped.', gives: 'Ann', resolution: { sql: 'SELECT shipped' } },
      ],
      executions: 3,
    });
    expect(adapter.sent.every(({ access }) => access === 'read')).toBe(true);
    expect(await text2sql.resume('r', { answer: '2' })).toMatchObject({
      type: 'answered',
      result: { rows: [['Ann']] },
    });
  });

  it('is answered where they give the same, or fail, and nobody is asked', async () => {
    const { outcome } = await ask([other('SELECT placed_too'), other('SELECT nothing')]);
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT placed', assumptions: [] });
  });

  it.each([
    ['lower', undefined],
    ['equal', 'never'],
  ] as const)(
    'is answered with an assumption where the other one is of %s likelihood, with askBack %s',
    async (likelihood, askBack) => {
      const { outcome } = await ask([other('SELECT shipped', likelihood)], askBack);
      expect(outcome).toMatchObject({
        type: 'answered',
        result: { rows: [['Ann'], ['Bob']] },
        assumptions: [{ text: 'It can also be read as: Those of SELECT shipped. That gives Ann.' }],
      });
    },
  );

  it('is always asked back where that is wanted', async () => {
    expect((await ask([other('SELECT shipped', 'lower')], 'always')).outcome.type).toBe('needsClarification');
  });

  it('is answered where the solver asked back, and its readings give the same', async () => {
    const declined = { outcome: 'needs_clarification', sql: '', explanation: 'Placed or shipped?' };
    const same = [other('SELECT placed'), other('SELECT placed_too')];
    expect((await ask(same, undefined, declined)).outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT placed',
      explanation: 'Those of SELECT placed.',
      result: { rows: [['Ann'], ['Bob']] },
    });
    const asked = await ask([other('SELECT placed'), other('SELECT shipped')], undefined, declined);
    expect(asked.outcome).toMatchObject({ type: 'needsClarification', ask: 'Placed or shipped?' });
  });
});
