import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineStep, type Journal, memoryJournal, type Outcome, type Solver } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import { scriptedModel } from '@askema/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../fixtures/scripted-solver.ts';
import { plain } from '../flows/plain/plain.ts';
import { text2SqlFlow } from '../question/flow-spec.ts';
import type { Confidence } from '../question/outcome-parts.ts';
import { evidenceOf } from '../question/question-input.ts';
import type { QuestionState } from '../question/question-state.ts';
import { clarifiedBy } from './answer-clarification.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-clarify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const unclear = sqlOutput('', { outcome: 'needs_clarification', explanation: 'Placed or shipped?' });
const READINGS = [
  { meaning: 'Orders by the day they were placed.', sql: 'SELECT placed FROM orders' },
  { meaning: 'Orders by the day they were shipped.', sql: 'SELECT shipped FROM orders' },
];

/** Knows what can be meant, as the built-in reader does. */
function undecided(): ReturnType<typeof scriptedSolver> {
  const inner = scriptedSolver([unclear, 'SELECT never']);
  const solve: Solver['solve'] = async (task, input, context) => ({
    ...(await inner.solve(task, input, context)),
    readings: READINGS,
  });
  return { ...inner, solve };
}

const adapter = () => scriptedAdapter((sql) => [[sql]]);
const create = (model: Parameters<typeof createText2Sql>[0]['model'], journal: Journal = memoryJournal()) =>
  createText2Sql({ adapter: adapter(), model, journal });
const rowsOf = (outcome: Outcome) => (outcome.type === 'answered' ? outcome.result.rows : outcome);

describe('a question that is asked back', () => {
  it('offers what can be meant, and goes on with the choice without asking anybody', async () => {
    const solver = undecided();
    const text2sql = create(solver);
    const outcome = await text2sql.ask('How many orders in May?', { runId: 'r1' });
    expect(outcome).toMatchObject({
      type: 'needsClarification',
      ask: 'Placed or shipped?',
      choices: READINGS.map(({ meaning, sql }, at) => ({
        id: String(at + 1),
        meaning,
        resolution: { kind: 'sql', sql },
      })),
    });
    const answered = await text2sql.resume('r1', { answer: '2' });
    expect(answered).toMatchObject({
      type: 'answered',
      question: 'How many orders in May?',
      runId: 'r1~2',
      sql: 'SELECT shipped FROM orders',
      explanation: 'Orders by the day they were shipped.',
      basedOn: [{ kind: 'relation', name: 'orders' }],
    });
    expect(solver.asked).toHaveLength(1);
  });

  it('takes words where a model asks back, and tells the model question and answer', async () => {
    const model = scriptedModel([{ json: unclear }, { json: sqlOutput('SELECT 1') }]);
    const text2sql = create(model);
    const outcome = await text2sql.ask('How many orders in May?', { runId: 'r1', evidence: 'May is month 5' });
    expect(outcome).toMatchObject({ type: 'needsClarification', choices: [] });
    expect(await text2sql.resume('r1', { answer: 'placed' })).toMatchObject({ type: 'answered', calls: 1 });
    const prompt = JSON.stringify(model.requests[1]?.messages);
    expect(prompt).toContain('May is month 5\\n\\nAsked back: Placed or shipped?\\nAnswered: placed');
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Asked back');
  });

  it('tells the model what was offered, where words answer a question with choices', () => {
    const choices = READINGS.map(({ meaning, sql }, at) => ({
      ...{ id: String(at + 1), meaning, resolution: { kind: 'sql' as const, sql } },
    }));
    const verdict = { type: 'needsClarification' as const, ask: 'Placed or shipped?', choices };
    const clarified = clarifiedBy('the second, but only in 2024', { verdict }, scriptedModel([]));
    expect(evidenceOf({ evidence: null, clarified: [clarified] })).toBe(
      [
        'Asked back: Placed or shipped?',
        '1: Orders by the day they were placed.',
        '2: Orders by the day they were shipped.',
        'Answered: the second, but only in 2024',
      ].join('\n'),
    );
  });

  it('remembers every round', async () => {
    const again = { ...unclear, explanation: 'Which May?' };
    const model = scriptedModel([{ json: unclear }, { json: again }, { json: sqlOutput('SELECT 1') }]);
    const text2sql = create(model);
    await text2sql.ask('How many orders in May?', { runId: 'r1' });
    const second = await text2sql.resume('r1', { answer: 'placed' });
    expect(second).toMatchObject({ type: 'needsClarification', ask: 'Which May?', runId: 'r1~2' });
    expect(await text2sql.resume(second.runId, { answer: '2024' })).toMatchObject({ type: 'answered', runId: 'r1~3' });
    const prompt = JSON.stringify(model.requests[2]?.messages);
    expect(prompt).toContain('Answered: placed\\n\\nAsked back: Which May?\\nAnswered: 2024');
  });

  it('is answered without a journal too, by the process that asked', async () => {
    const text2sql = createText2Sql({ adapter: adapter(), model: undecided() });
    const { runId } = await text2sql.ask('How many orders in May?');
    expect(rowsOf(await text2sql.resume(runId, { answer: '2' }))).toEqual([['SELECT shipped FROM orders']]);
    await expect(create(undecided()).resume(runId, { answer: '2' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('is answered after a restart, and only once', async () => {
    const journal = () => jsonlJournal({ directory: folder, fsync: false });
    await create(undecided(), journal()).ask('How many orders in May?', { runId: 'r1', tenant: 'north' });
    const solver = undecided();
    const text2sql = create(solver, journal());
    expect(rowsOf(await text2sql.resume('r1', { answer: 1 }))).toEqual([['SELECT placed FROM orders']]);
    expect(rowsOf(await text2sql.resume('r1', { answer: '1' }))).toEqual([['SELECT placed FROM orders']]);
    await expect(text2sql.resume('r1', { answer: '2' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringMatching(/answered already.*placed/),
    });
    expect(solver.asked).toEqual([]);
    const [header] = await journal().read('r1~2');
    expect(header).toMatchObject({ kind: 'run', tenant: 'north' });
  });

  it.each([
    ['something else', /none of the choices, and scripted reads no other answer; the choices are 1, 2/],
    ['', /id of a choice or a text; the choices are 1, 2/],
    [{ id: '1' }, /id of a choice or a text/],
  ])('refuses %j, and can still be answered', async (answer, message) => {
    const text2sql = create(undecided());
    await text2sql.ask('How many orders in May?', { runId: 'r1' });
    await expect(text2sql.resume('r1', { answer })).rejects.toThrow(message);
    expect(await text2sql.resume('r1', { answer: '1' })).toMatchObject({ type: 'answered' });
  });

  it('refuses an answer for a run that asks nothing', async () => {
    const text2sql = create(scriptedSolver(['SELECT 1']));
    await text2sql.ask('How many?', { runId: 'r1' });
    expect(await text2sql.resume('r1', { answer: 'x' })).toMatchObject({
      type: 'failed',
      error: { message: expect.stringContaining('waits for no answer') },
    });
  });
});

describe('an answer', () => {
  const ending = (confidence: Confidence | undefined) => {
    const base = plain();
    const claim = defineStep<QuestionState>()({
      name: 'claim',
      exec: () => null,
      post: (state) => {
        state.verdict = { type: 'answered', sure: true, confidence };
      },
    });
    return text2SqlFlow({ ...base, flow: base.flow.after('execute-sql', claim, 'default') });
  };

  it.each([
    [undefined, false],
    [{ value: 1, from: 'votes' } as const, false],
    [{ value: 0.98, from: 'table' } as const, true],
  ])('with confidence %j: sure is %j', async (confidence, sure) => {
    const flow = ending(confidence);
    const text2sql = createText2Sql({ adapter: adapter(), model: scriptedSolver(['SELECT 1']), flow });
    expect(await text2sql.ask('How many?')).toMatchObject({ type: 'answered', sure });
  });

  it('says what it takes for granted and what it stands on', async () => {
    const inner = scriptedSolver(['WITH x AS (SELECT * FROM "Order Items") SELECT * FROM x JOIN sales.orders']);
    const assumptions = [{ text: 'Groups without any row are left out.' }];
    const solve: Solver['solve'] = async (...call) => ({ ...(await inner.solve(...call)), assumptions });
    expect(await create({ ...inner, solve }).ask('How many?')).toMatchObject({
      type: 'answered',
      assumptions,
      basedOn: [
        { kind: 'relation', name: '"Order Items"' },
        { kind: 'relation', name: 'sales.orders' },
      ],
    });
  });
});
