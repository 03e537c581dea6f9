import { memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { refine } from './refine.ts';
import { type Answer, askRefine, BARE, FORMAT, readsAlso, threadModel, writes } from './refine-fixture.ts';

const echo: Answer = (sql) => [[sql]];
const rules = { review: 'doubted' } as const;
const other = (sql: string, likelihood = 'equal') => ({ meaning: `Those of ${sql}.`, sql, likelihood });

describe('other readings of a question', () => {
  it('of the winning thread are asked back where they give other rows, and an answer goes on', async () => {
    const script = {
      write: ({ thread }: { thread: number }) =>
        writes(thread === 0 ? 'SELECT lost' : 'SELECT placed', {
          other_readings: [other(thread === 0 ? 'SELECT unseen' : 'SELECT shipped')],
        }),
    };
    const journal = memoryJournal();
    const flow = refine({ rules, stages: BARE });
    const text2sql = createText2Sql({ adapter: scriptedAdapter(echo), model: threadModel(script), flow, journal });
    expect(await text2sql.ask('Who?', { runId: 'r' })).toMatchObject({
      type: 'needsClarification',
      choices: [
        { meaning: 'read as asked', gives: 'SELECT placed' },
        { meaning: 'Those of SELECT shipped.', gives: 'SELECT shipped' },
      ],
    });
    const answered = await text2sql.resume('r', { answer: '1' });
    expect(answered).toMatchObject({ type: 'answered', sql: 'SELECT placed', calls: 0, executions: 1 });
  });

  it('of lower likelihood, or where nobody is asked, become assumptions beside those of the format', async () => {
    const model = () =>
      threadModel({
        format: () => ({ json: { ...FORMAT, notes: ['Ties are kept.'] } }),
        write: () => writes('SELECT a', { other_readings: [other('SELECT b', 'lower')] }),
      });
    const { outcome } = await askRefine(echo, model(), { rules });
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT a', executions: 3 });
    expect(outcome).toHaveProperty('assumptions', [
      { text: 'Read as: who there is' },
      { text: 'Ties are kept.' },
      { text: 'It can also be read as: Those of SELECT b. That gives SELECT b.' },
    ]);
    const always = await askRefine(echo, model(), { rules }, { options: { askBack: 'always' } });
    expect(always.outcome.type).toBe('needsClarification');
  });

  it('that a review names count as well, and keep the statement', async () => {
    const model = threadModel({ review: () => readsAlso([other('SELECT b')]) });
    const { outcome } = await askRefine(echo, model);
    expect(outcome).toMatchObject({ type: 'needsClarification', choices: [{ id: '1' }, { id: '2' }] });
  });

  it('that threads name when they decline are asked about, and an only result is the answer', async () => {
    const declined = (second: string) =>
      writes('', {
        outcome: 'needs_clarification',
        explanation: 'Placed or shipped?',
        other_readings: [other('SELECT 1'), other(second)],
      });
    const asked = await askRefine(echo, threadModel({ write: () => declined('SELECT 2') }), { rules });
    expect(asked.outcome).toMatchObject({
      type: 'needsClarification',
      ask: 'Placed or shipped?',
      choices: [{ gives: 'SELECT 1' }, { gives: 'SELECT 2' }],
    });
    const same = await askRefine(() => [['Ann']], threadModel({ write: () => declined('SELECT 2') }), { rules });
    expect(same.outcome).toMatchObject({ type: 'answered', sql: 'SELECT 1', result: { rows: [['Ann']] } });
  });
});
