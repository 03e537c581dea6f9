import type { Row, Solver } from '@askema/core';
import { sqlparserTs } from '@askema/sql-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../../fixtures/scripted-solver.ts';
import { auto } from './auto.ts';
import type { AutoOptions } from './auto-options.ts';

const parser = sqlparserTs();
afterAll(() => parser.close());

const GOOD = 'SELECT name FROM customer WHERE id = 1';
/** Runs and gives nothing: a doubt. */
const EMPTY = 'SELECT name FROM customer WHERE id = 7';
/** Another one that gives nothing. */
const EMPTY_TOO = 'SELECT name FROM customer WHERE id = 9';
const OTHER = 'SELECT name FROM customer WHERE id = 2';
const RESULTS: Readonly<Record<string, readonly Row[]>> = {
  [GOOD]: [['Ann']],
  [EMPTY]: [],
  [EMPTY_TOO]: [],
  [OTHER]: [['Bob']],
};

const revised = (sql: string, explanation = 'It is the first one.') => ({
  assessment: 'The number was wrong.',
  is_right: 'no',
  sql,
  explanation,
});
const kept = { assessment: 'There is none.', is_right: 'yes', sql: '', explanation: 'None is there.' };

function ask(answers: readonly (string | object)[], options: AutoOptions = {}, question = 'Who is the customer?') {
  const adapter = scriptedAdapter((sql) => RESULTS[sql] ?? failedQuery('no such column'));
  const model = scriptedSolver(answers, { supports: () => true });
  const text2sql = createText2Sql({ adapter, model, parser, flow: auto(options), linkValues: false });
  return text2sql.ask(question).then((outcome) => ({ outcome, tasks: model.asked.map(({ task }) => task) }));
}

const GENERATE = 'text2sql.generate-sql';
const REVISE = 'text2sql.revise-sql';

describe('the flow auto', () => {
  it('spends one call where nothing speaks against the answer', async () => {
    const { outcome, tasks } = await ask([GOOD]);
    expect(outcome).toMatchObject({ type: 'answered', sql: GOOD, calls: 1, warnings: [] });
    expect(tasks).toEqual([GENERATE]);
  });

  it('lets a doubt buy a revision, which may correct the statement', async () => {
    const { outcome, tasks } = await ask([EMPTY, revised(GOOD)]);
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: GOOD,
      explanation: 'It is the first one.',
      result: { rows: [['Ann']] },
      calls: 2,
      warnings: [],
      candidates: [
        { sql: EMPTY, status: 'rejected' },
        { sql: GOOD, status: 'chosen' },
      ],
    });
    expect(tasks).toEqual([GENERATE, REVISE]);
  });

  it('takes a statement that was kept with a reason, and one that cannot be replaced by what fails', async () => {
    expect((await ask([EMPTY, kept])).outcome).toMatchObject({ type: 'answered', sql: EMPTY, calls: 2, warnings: [] });
    const { outcome } = await ask([EMPTY, revised('SELECT broken'), EMPTY]);
    expect(outcome).toMatchObject({ type: 'answered', sql: EMPTY, calls: 3 });
  });

  it('lets a doubt that remains buy a second attempt: the one with fewer doubts stands', async () => {
    const { outcome, tasks } = await ask([EMPTY, revised(EMPTY_TOO), GOOD]);
    expect(outcome).toMatchObject({ type: 'answered', sql: GOOD, calls: 3, warnings: [] });
    expect(tasks).toEqual([GENERATE, REVISE, GENERATE]);
  });

  it('takes two attempts that agree for right', async () => {
    const { outcome } = await ask([EMPTY, revised(EMPTY_TOO), EMPTY]);
    expect(outcome).toMatchObject({ type: 'answered', sql: EMPTY_TOO, calls: 3, warnings: [] });
  });

  it('runs no statement again that a second attempt repeats: it agrees', async () => {
    const { outcome } = await ask([EMPTY, revised('SELECT broken'), EMPTY]);
    const candidates = [{ sql: EMPTY, status: 'chosen' }];
    expect(outcome).toMatchObject({ type: 'answered', sql: EMPTY, calls: 3, executions: 1, warnings: [], candidates });
  });

  it('asks back, or says once, what the threads of `refine` read in two ways with high effort', async () => {
    const reading = (likelihood: string) => ({ meaning: 'The second one.', sql: OTHER, likelihood });
    const written = (likelihood: string) => ({
      ...sqlOutput(GOOD, { explanation: 'The first one.' }),
      thinking: '',
      other_readings: [reading(likelihood)],
      format_departs: '',
      expand: [],
    });
    const stages = { format: false, exploration: false, profile: false };
    const doubted = sqlOutput(EMPTY, { other_readings: [{ ...reading('lower'), sql: GOOD }] as never[] });
    const asked = (likelihood: string) =>
      ask([doubted, revised(EMPTY_TOO), 'SELECT broken', written(likelihood), written(likelihood)], {
        effort: 'high',
        refine: { stages },
      });
    expect((await asked('equal')).outcome).toMatchObject({
      type: 'needsClarification',
      choices: [{ gives: 'Ann' }, { gives: 'Bob' }],
    });
    expect((await asked('lower')).outcome).toMatchObject({
      type: 'answered',
      sql: GOOD,
      assumptions: [{ text: 'It can also be read as: The second one. That gives Bob.' }],
    });
  });

  it('spends nothing on doubts with low effort, and says them', async () => {
    const { outcome } = await ask([EMPTY], { effort: 'low' });
    expect(outcome).toMatchObject({
      type: 'answered',
      calls: 1,
      warnings: [expect.stringContaining('The answer is doubted: ')],
    });
  });

  it('asks a solver that costs nothing first, and the model where that declines, assumes or is doubted', async () => {
    const first = (answer: string | object, assumptions: readonly { text: string }[] = []): Solver => {
      const solver = scriptedSolver([answer]);
      const solve: Solver['solve'] = async (...args) => ({ ...(await solver.solve(...args)), calls: 0, assumptions });
      return { ...solver, solve };
    };
    const asked = async (sure: Solver) => (await ask([GOOD], { sure })).tasks.length;
    expect(await asked(first(GOOD))).toBe(0);
    expect(await asked(first(sqlOutput('', { outcome: 'unanswerable' })))).toBe(1);
    expect(await asked(first(GOOD, [{ text: 'Today.' }]))).toBe(1);
    expect(await asked(first(EMPTY))).toBe(1);
    const { outcome } = await ask([GOOD], { sure: first('SELECT broken') });
    expect(outcome).toMatchObject({ type: 'answered', sql: GOOD, result: { rows: [['Ann']] } });
  });

  it('gives a confidence by a table that was fitted for the model, and says sure by it alone', async () => {
    const table = {
      schemaVersion: 1,
      model: 'scripted',
      flow: 'auto',
      fittedOn: '2026-11-29',
      questions: 100,
      right: 90,
      intercept: 3,
      weights: { wasDoubted: -2 },
      sureFrom: 0.9,
    } as const;
    const told = async (answers: readonly (string | object)[], model = 'scripted') =>
      (await ask(answers, { confidence: { ...table, model } })).outcome;
    expect(await told([GOOD])).toMatchObject({
      sure: true,
      confidence: { from: 'table', value: expect.closeTo(0.953, 3) },
      signals: { wasDoubted: 0, hasManyRows: 0, isUnparsed: 0 },
    });
    const doubted = await told([EMPTY, revised(GOOD)]);
    expect(doubted).toMatchObject({ sure: false, confidence: { value: expect.closeTo(0.731, 3) } });
    const another = await told([GOOD], 'another');
    expect(another).toMatchObject({ sure: false, warnings: [expect.stringContaining('fitted for another')] });
    expect(another).not.toHaveProperty('confidence');
    expect((await ask([GOOD])).outcome).toMatchObject({ sure: false });
    expect(() => auto({ confidence: { ...table, flow: 'plain' } })).toThrow(/fitted for the flow `plain`/);
    expect(() => auto({ confidence: { ...table, weights: { a: 'b' } } as never })).toThrow(/`weights` is/);
  });

  it('refuses options that do not exist', () => {
    expect(() => auto({ effort: 'some' as never })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(() => auto({ limits: { attempts: 0 } })).toThrow(/auto\.limits\.attempts/);
  });
});
