import { AskemaError, memoryJournal, type RunEvent } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../../fixtures/scripted-solver.ts';
import { plain } from './plain.ts';
import type { DebugSqlInput } from './tasks/debug-sql.ts';

const ok = (sql: string) => (sql.includes('good') ? [[1, 'Ann']] : failedQuery(`no such column in ${sql}`));

describe('the plain flow', () => {
  it('answers: schema, SQL, rows, and what it cost', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['```sql\nSELECT good;\n```']);
    const outcome = await createText2Sql({ adapter, model }).ask('Who?', {
      evidence: 'x means y',
      today: '2024-03-09',
    });
    expect(outcome).toMatchObject({
      type: 'answered',
      question: 'Who?',
      sql: 'SELECT good',
      explanation: 'read as asked',
      result: { rows: [[1, 'Ann']] },
      candidates: [{ sql: 'SELECT good', status: 'chosen' }],
      usage: { inputTokens: 10, outputTokens: 2 },
      calls: 1,
      executions: 1,
      solvedBy: 'scripted',
      sure: false,
      warnings: [],
    });
    expect(model.asked).toMatchObject([
      {
        task: 'text2sql.generate-sql',
        input: {
          question: 'Who?',
          evidence: 'x means y',
          today: '2024-03-09',
          allowWrite: false,
          schemaText: expect.stringContaining('customer'),
        },
      },
    ]);
  });

  it('shows relations that were left out to a model that asks for them', async () => {
    const answers = [
      { ...sqlOutput(''), expand: ['customer', 'nothing'] },
      { ...sqlOutput('SELECT bad'), expand: [] },
      { sql: 'SELECT good', explanation: 'mended' },
    ];
    const model = scriptedSolver(answers, { supports: () => true });
    const outcome = await createText2Sql({ adapter: scriptedAdapter(ok), model, maxSchemaTokens: 1 }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT good', calls: 3 });
    const seen = model.asked.map(({ input }) => (input as DebugSqlInput).schemaText);
    expect(seen[0]).not.toContain('CREATE TABLE customer');
    for (const text of seen.slice(1)) expect(text).toMatch(/CREATE TABLE customer .*There is no relation "nothing"/s);
    expect(model.asked.map(({ task }) => task)).toEqual([
      'text2sql.generate-sql-of-part',
      'text2sql.generate-sql-of-part',
      'text2sql.debug-sql',
    ]);
  });

  it('lets a model ask twice, and then wants an answer', async () => {
    const asks = { ...sqlOutput(''), expand: ['customer'] };
    const model = scriptedSolver([asks, asks, 'SELECT good'], { supports: () => true });
    const outcome = await createText2Sql({ adapter: scriptedAdapter(ok), model, maxSchemaTokens: 1 }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, usage: { inputTokens: 30, outputTokens: 6 } });
    expect(model.asked.at(-1)?.task).toBe('text2sql.generate-sql');
  });

  it('repairs: the model sees question, schema, failed SQL and error; attempts count executions', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(
      ['SELECT bad1', 'SELECT bad2', { sql: 'SELECT good', explanation: 'mended' }].map(debug),
    );
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT good',
      explanation: 'mended',
      calls: 3,
      executions: 3,
    });
    expect(outcome.candidates.map((candidate) => candidate.status)).toEqual(['failed', 'failed', 'chosen']);
    const last = model.asked[2]?.input as DebugSqlInput;
    expect(last).toMatchObject({
      question: 'Who?',
      schemaText: expect.stringContaining('customer'),
      sql: 'SELECT bad2',
      failure: { message: 'no such column in SELECT bad2', errorClass: 'identifier', nearestNames: ['name'] },
      earlier: [{ sql: 'SELECT bad1', message: 'no such column in SELECT bad1' }],
    });
  });

  it('with 3 attempts runs three statements and repairs twice, then fails with the last error', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['SELECT bad1', 'SELECT bad2', 'SELECT bad3', 'SELECT good'].map(debug));
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({
      type: 'failed',
      sql: 'SELECT bad3',
      error: { code: 'QUERY_FAILED', message: 'no such column in SELECT bad3' },
      executions: 3,
      calls: 3,
    });
    expect(adapter.sent.map((statement) => statement.sql)).toEqual(['SELECT bad1', 'SELECT bad2', 'SELECT bad3']);
  });

  it.each([1, 2])('with %i attempts never sends more', async (maxDebugAttempts) => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['SELECT bad1', 'SELECT bad2', 'SELECT bad3'].map(debug));
    const outcome = await createText2Sql({ adapter, model, maxDebugAttempts }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'failed', executions: maxDebugAttempts, calls: maxDebugAttempts });
  });

  it('is bounded by its attempts alone, also when there are many', async () => {
    const model = scriptedSolver(Array.from({ length: 80 }, () => debug('SELECT bad')));
    const outcome = await createText2Sql({ adapter: scriptedAdapter(ok), model, maxDebugAttempts: 80 }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'QUERY_FAILED' }, executions: 80 });
  });

  it('keeps the ten fields of the state in step with the run', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['SELECT bad1', 'SELECT good'].map(debug));
    const journal = memoryJournal();
    const outcome = await createText2Sql({ adapter, model, journal }).ask('Who?', { runId: 'r1' });
    expect(outcome.type).toBe('answered');
    const replayed = await plain().flow.replay('r1', { journal });
    expect(replayed.state).toMatchObject({
      dbPath: 'shop',
      naturalQuery: 'Who?',
      maxDebugAttempts: 3,
      schema: expect.stringContaining('CREATE TABLE customer'),
      generatedSql: 'SELECT good',
      executionError: null,
      debugAttempts: 1,
      finalResult: [[1, 'Ann']],
      resultColumns: [{ name: 'c0' }, { name: 'c1' }],
      finalError: null,
    });
    const stored = JSON.stringify(await journal.read('r1'));
    expect(stored).not.toContain('nameComparison');
  });

  it('does not repair with a solver that cannot: the first error is the outcome', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['SELECT bad1'], { supports: (task) => task === 'text2sql.generate-sql' });
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'QUERY_FAILED' }, calls: 1, executions: 1 });
  });

  it('an empty statement counts as an attempt and is never sent', async () => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver(['', ' ; ', ''].map(debug));
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' }, executions: 0, calls: 3 });
    expect(adapter.sent).toEqual([]);
  });

  it('a timeout is told to the model as one', async () => {
    const timeout = new AskemaError('QUERY_TIMEOUT', 'stopped after 10 ms');
    const adapter = scriptedAdapter((sql) => (sql === 'SELECT slow' ? timeout : [[1]]));
    const model = scriptedSolver(['SELECT slow', 'SELECT fast'].map(debug));
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT fast' });
    expect(model.asked[1]?.input).toMatchObject({ failure: { errorClass: 'timeout', message: 'stopped after 10 ms' } });
  });

  it('declines in the words of the solver', async () => {
    const ask = async (output: object) => {
      const adapter = scriptedAdapter(ok);
      const outcome = await createText2Sql({ adapter, model: scriptedSolver([output]) }).ask('Who?');
      expect(adapter.sent).toEqual([]);
      return outcome;
    };
    const unclear = sqlOutput('', { outcome: 'needs_clarification', explanation: 'Which year?' });
    expect(await ask(unclear)).toMatchObject({ type: 'needsClarification', ask: 'Which year?', executions: 0 });
    const unknown = sqlOutput('', { outcome: 'unanswerable', explanation: 'No prices.', not_understood: ['price'] });
    expect(await ask(unknown)).toMatchObject({ type: 'unanswerable', reason: 'No prices.', notUnderstood: ['price'] });
  });

  it.each([
    ['MODEL_RATE_LIMITED', 'failed'],
    ['MODEL_OUTPUT_INVALID', 'failed'],
    ['MODEL_CONTENT_FILTERED', 'refused'],
    ['BUDGET_EXCEEDED', 'budgetExceeded'],
    ['ABORTED', 'cancelled'],
  ] as const)('%s of the model ends as %s, with what was found until then', async (code, type) => {
    const adapter = scriptedAdapter(ok);
    const model = scriptedSolver([debug('SELECT bad1'), new AskemaError(code, 'no more')]);
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({ type, sql: 'SELECT bad1', executions: 1, error: { code } });
    expect(outcome.candidates).toHaveLength(1);
  });

  it('counts the calls of a step that failed, once', async () => {
    const usage = { inputTokens: 10, outputTokens: 1 };
    const model = scriptedModel([
      { json: sqlOutput('SELECT bad1'), usage },
      { text: 'nonsense', usage },
      { text: 'nonsense', usage },
      { text: 'nonsense', usage },
    ]);
    const outcome = await createText2Sql({ adapter: scriptedAdapter(ok), model }).ask('Who?');
    expect(outcome).toMatchObject({
      type: 'failed',
      error: { code: 'MODEL_OUTPUT_INVALID' },
      calls: 4,
      usage: { inputTokens: 40, outputTokens: 4 },
    });
  });

  it('a database that is gone ends the run at once: no model can repair it', async () => {
    const adapter = scriptedAdapter(() => new AskemaError('DATABASE_UNAVAILABLE', 'gone'));
    const model = scriptedSolver(['SELECT good', 'SELECT good'].map(debug));
    const outcome = await createText2Sql({ adapter, model }).ask('Who?');
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'DATABASE_UNAVAILABLE' }, calls: 1 });
  });

  it('stops on the signal', async () => {
    const controller = new AbortController();
    const adapter = scriptedAdapter((_sql, { context }) => {
      controller.abort();
      context.signal?.throwIfAborted();
      return [[1]];
    });
    const outcome = await createText2Sql({ adapter, model: scriptedSolver(['SELECT good']) }).ask('Who?', {
      signal: controller.signal,
    });
    expect(outcome).toMatchObject({ type: 'cancelled', error: { code: 'ABORTED' }, sql: 'SELECT good' });
  });

  it('tells its listeners, and a listener that throws changes nothing', async () => {
    const seen: RunEvent['type'][] = [];
    const onEvent = (event: RunEvent) => {
      seen.push(event.type);
      throw new Error('listener');
    };
    const text2sql = createText2Sql({ adapter: scriptedAdapter(ok), model: scriptedSolver(['SELECT good']) });
    const outcome = await text2sql.ask('Who?', { onEvent });
    expect(outcome.type).toBe('answered');
    expect(seen[0]).toBe('run-started');
    expect(seen.filter((type) => type === 'step-finished')).toHaveLength(4);
    expect(seen.at(-1)).toBe('run-finished');
  });
});

/** An answer that fits the generate task as well as the debug task. */
function debug(answer: string | object): object {
  return sqlOutput('', typeof answer === 'string' ? { sql: answer } : answer);
}
