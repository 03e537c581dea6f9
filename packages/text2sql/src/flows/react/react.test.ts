import { AskemaError, type Message, textOf } from '@askema/core';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../../fixtures/scripted-solver.ts';
import type { Text2SqlOptions } from '../../text2sql-options.ts';
import { type ReactOptions, react } from './react.ts';

const run = (...statements: string[]): ScriptedReply => ({
  reasoning: 'Let me look.',
  toolCalls: statements.map((sql, position) => ({ id: `look-${position}`, name: 'execute_sql', arguments: { sql } })),
});
const end = (sql: string, more: object = {}): ScriptedReply => ({
  toolCalls: [{ id: 'end', name: 'terminate', arguments: { ...sqlOutput(sql), ...more } }],
});

async function ask(
  replies: readonly ScriptedReply[],
  { maxTurns, ...options }: Partial<Text2SqlOptions> & ReactOptions = {},
  tools = true,
) {
  const model = scriptedModel(replies, { capabilities: { tools, structuredOutput: true } });
  const adapter = scriptedAdapter((sql) =>
    sql.includes('bad') ? failedQuery(`no such column in ${sql}`) : manyRows(sql),
  );
  const flow = react({ maxTurns });
  const outcome = await createText2Sql({ adapter, model, flow, ...options }).ask('Who?');
  return { outcome, adapter, requests: model.requests };
}

const manyRows = (sql: string) => Array.from({ length: sql.includes('many') ? 150 : 1 }, (_, n) => [n, 'Ann']);

/** What the model was told last. */
function told(messages: readonly Message[] | undefined): string {
  const last = messages?.at(-1);
  if (last?.role === 'tool') return last.content.map((part) => part.text).join('\n');
  return last === undefined ? '' : textOf(last.content);
}

describe('the react flow', () => {
  it('looks around, then runs the final statement in full', async () => {
    const { outcome, adapter, requests } = await ask([run('SELECT many names'), end('SELECT many')]);
    expect(outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT many',
      calls: 2,
      executions: 2,
      solvedBy: 'scripted:scripted',
      candidates: [{ sql: 'SELECT many', status: 'chosen' }],
    });
    if (outcome.type === 'answered') expect(outcome.result.rows).toHaveLength(150);
    expect(adapter.sent.map((statement) => statement.maxRows)).toEqual([100, 10_000]);
    expect(requests[0]?.tools?.map((tool) => tool.name)).toEqual(['execute_sql', 'terminate']);
    expect(told(requests[1]?.messages)).toContain('(more than 100 rows; only the first 100 are shown here)');
  });

  it('gives providers back what they sent: reasoning, and a result for each call', async () => {
    const { requests } = await ask([run('SELECT one', 'SELECT bad'), end('SELECT ok')]);
    const messages = requests[1]?.messages ?? [];
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(messages[2]?.content).toMatchObject([{ type: 'reasoning' }, { type: 'tool-call' }, { type: 'tool-call' }]);
    expect(messages[3]?.content).toMatchObject([
      { type: 'tool-result', toolCallId: 'look-0', isError: false },
      { type: 'tool-result', toolCallId: 'look-1', isError: true, text: expect.stringContaining('no such column') },
    ]);
  });

  it('a final statement that fails is told to the model, which goes on', async () => {
    const { outcome, requests } = await ask([end('SELECT bad'), end('SELECT ok')]);
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT ok', calls: 2, executions: 2 });
    expect(told(requests[1]?.messages)).toContain('no such column in SELECT bad');
    expect(outcome.candidates.map((candidate) => candidate.status)).toEqual(['failed', 'chosen']);
  });

  it('final statements that fail are attempts, and there are three', async () => {
    const { outcome } = await ask([end('SELECT bad1'), run('SELECT one'), end('SELECT bad2'), end('SELECT bad3')]);
    expect(outcome).toMatchObject({ type: 'failed', error: { message: 'no such column in SELECT bad3' }, calls: 4 });
  });

  it('a call that makes no sense is answered with what is wrong', async () => {
    const { outcome, requests } = await ask([
      { toolCalls: [{ name: 'drop_table', arguments: {} }] },
      { content: [{ type: 'tool-call', id: 'x', name: 'execute_sql', invalidArguments: '{"sql": ' }] },
      { toolCalls: [{ name: 'terminate', arguments: { sql: 1 } }] },
      'I think it is Ann.',
      end('SELECT ok'),
    ]);
    expect(outcome).toMatchObject({ type: 'answered', calls: 5, executions: 1 });
    expect(requests.slice(1).map((request) => told(request.messages))).toEqual([
      expect.stringContaining('no tool of this name'),
      expect.stringContaining('no valid JSON'),
      expect.stringContaining('outcome:'),
      expect.stringContaining('Call `execute_sql`'),
    ]);
  });

  it('is told when its last turn has come, and ends with the best statement until then', async () => {
    const { outcome, requests } = await ask([run('SELECT best'), run('SELECT bad'), run('SELECT bad')], {
      maxTurns: 3,
    });
    expect(outcome).toMatchObject({
      type: 'budgetExceeded',
      sql: 'SELECT best',
      calls: 3,
      result: { rows: [[0, 'Ann']] },
      error: { code: 'BUDGET_EXCEEDED', message: expect.stringContaining('maxTurns') },
    });
    expect(told(requests[1]?.messages)).not.toContain('last turn');
    expect(told(requests[2]?.messages)).toContain('last turn');
  });

  it('a budget that ends in the middle leaves the best statement until then', async () => {
    const { outcome } = await ask([run('SELECT best'), end('SELECT ok')], { budget: { maxCalls: 1 } });
    expect(outcome).toMatchObject({ type: 'budgetExceeded', sql: 'SELECT best', result: { rows: [[0, 'Ann']] } });
    // The call that the budget refused is none.
    expect(outcome.calls).toBe(1);
  });

  it('declines, and refuses', async () => {
    const unanswerable = end('', { outcome: 'unanswerable', explanation: 'No prices.', not_understood: ['price'] });
    expect((await ask([unanswerable])).outcome).toMatchObject({ type: 'unanswerable', notUnderstood: ['price'] });
    expect((await ask([{ text: 'No.', finishReason: 'refusal' }])).outcome).toMatchObject({ type: 'refused' });
  });

  it('runs no more than four statements a turn', async () => {
    const { outcome } = await ask([run('SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 4', 'SELECT 5'), end('SELECT ok')]);
    expect(outcome).toMatchObject({ type: 'answered', executions: 5 });
  });

  it('only reads while it looks around, also where writing is allowed', async () => {
    const model = scriptedModel([run('DELETE FROM customer'), end('SELECT ok')]);
    const adapter = scriptedAdapter(
      (sql) => (sql.startsWith('DELETE') ? new AskemaError('QUERY_NOT_READ_ONLY', 'writes') : [[1]]),
      { access: 'write' },
    );
    const text2sql = createText2Sql({ adapter, model, flow: react(), access: 'write' });
    expect(await text2sql.ask('Who?')).toMatchObject({ type: 'answered' });
    expect(adapter.sent.every((statement) => statement.access === 'read')).toBe(true);
  });

  it('talks in structured text with a model that has no tools', async () => {
    const say = (action: string, sql: string) => ({ json: { thought: '', action, ...sqlOutput(sql) } });
    const { outcome, requests } = await ask(
      [say('execute_sql', 'SELECT one'), say('terminate', 'SELECT bad'), say('terminate', 'SELECT ok')],
      {},
      false,
    );
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT ok', calls: 3, executions: 3 });
    expect(requests.every((request) => request.tools === undefined)).toBe(true);
    const roles = requests[2]?.messages.map((message) => message.role);
    expect(roles?.slice(-4)).toEqual(['assistant', 'user', 'assistant', 'user']);
    expect(told(requests[2]?.messages)).toContain('no such column in SELECT bad');
  });

  it('asks back where another reading gives something else, and what is chosen runs without a turn', async () => {
    const other = { meaning: 'Many of them.', sql: 'SELECT many', likelihood: 'equal' };
    const model = scriptedModel([end('SELECT one', { other_readings: [other] })], { capabilities: { tools: true } });
    const text2sql = createText2Sql({ adapter: scriptedAdapter(manyRows), model, flow: react() });
    expect(await text2sql.ask('Who?', { runId: 'r' })).toMatchObject({
      type: 'needsClarification',
      choices: [{ meaning: 'read as asked' }, { meaning: 'Many of them.' }],
    });
    expect(await text2sql.resume('r', { answer: '2' })).toMatchObject({
      type: 'answered',
      sql: 'SELECT many',
      calls: 0,
    });
  });

  it('says in an assumption what a less likely reading gives, also in structured text', async () => {
    const other = { meaning: 'Many of them.', sql: 'SELECT many', likelihood: 'lower' };
    const said = { thought: '', action: 'terminate', ...sqlOutput('SELECT one'), other_readings: [other] };
    const { outcome } = await ask([{ json: said }], {}, false);
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT one' });
    expect(outcome).toHaveProperty('assumptions.0.text', expect.stringContaining('also be read as: Many of them.'));
  });

  it('needs a language model', () => {
    const adapter = scriptedAdapter(() => [[1]]);
    const create = () => createText2Sql({ adapter, model: scriptedSolver([]), flow: react() });
    expect(create).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
