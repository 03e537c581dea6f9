import { type ModelRequest, textOf } from '@askema/core';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import type { RefineOptions } from './refine-options.ts';

type Answer = (sql: string) => ReturnType<Parameters<typeof scriptedAdapter>[0]>;

/** Which task a request is for: the name of its output. */
const taskOf = (request: ModelRequest): string => (request.output?.name ?? '').replace('text2sql_', '');
const promptOf = (request: ModelRequest): string => request.messages.map(({ content }) => textOf(content)).join('\n');

const format = {
  reading: 'who',
  columns: [{ name: 'name', type: 'text', meaning: 'the name' }],
  rows: null,
  record: 'one customer',
  notes: [],
};
const writes = (sql: string, more: object = {}) => ({
  json: { thinking: '', outcome: 'sql', sql, explanation: 'read as asked', not_understood: [], expand: [], ...more },
});
const keeps = { json: { assessment: '', problems: [], is_right: true, sql: '', check: '' } };
const changes = (sql: string) => ({
  json: { assessment: '', problems: ['a condition is missing'], is_right: false, sql, check: '' },
});

interface Script {
  readonly write: (thread: number, visit: number, prompt: string) => ScriptedReply;
  readonly review?: (thread: number, visit: number, prompt: string) => ScriptedReply;
}

/** A model that answers by task, thread and how often that thread asked for it. */
function model({ write, review = () => keeps }: Script) {
  const visits = new Map<string, number>();
  return scriptedModel((request) => {
    const task = taskOf(request);
    const key = `${task} ${request.sample}`;
    const visit = (visits.get(key) ?? 0) + 1;
    visits.set(key, visit);
    if (task === 'expect-format') return { json: format };
    if (task === 'refine-sql') return write(request.sample, visit, promptOf(request));
    if (task === 'review-result') return review(request.sample, visit, promptOf(request));
    return undefined;
  });
}

const tasksOf = ({ requests }: { readonly requests: readonly ModelRequest[] }) =>
  requests.map((request) => `${taskOf(request)} ${request.sample}`);

function ask(answer: Answer, script: ReturnType<typeof model>, refine: RefineOptions = {}) {
  const adapter = scriptedAdapter(answer);
  const stages = { exploration: false, profile: false, ...refine.stages };
  const text2sql = createText2Sql({ adapter, model: script, flow: 'refine', refine: { ...refine, stages } });
  return { outcome: text2sql.ask('Who?'), adapter };
}

const ann: Answer = () => [['Ann'], ['Bob']];

describe('the refine flow', () => {
  it('answers with one format, two threads and two calls each, when they agree', async () => {
    const script = model({ write: () => writes('SELECT name FROM customer') });
    const { outcome, adapter } = ask(ann, script);
    expect(await outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT name FROM customer',
      result: { rows: [['Ann'], ['Bob']] },
      calls: 5,
      executions: 2,
      sure: true,
      confidence: 2 / 3,
      explanation: 'read as asked',
      solvedBy: 'scripted:scripted',
      candidates: [{ status: 'chosen' }, { status: 'rejected', reason: expect.stringContaining('agrees') }],
    });
    expect(tasksOf(script).toSorted()).toEqual([
      'expect-format 0',
      'refine-sql 0',
      'refine-sql 1',
      'review-result 0',
      'review-result 1',
    ]);
    expect(adapter.sent.map(({ access }) => access)).toEqual(['read', 'read']);
  });

  it('sends errors back with class and nearest names, and counts a corrected result that comes twice', async () => {
    const script = model({
      write: (_thread, visit, prompt) => {
        if (visit === 1) return writes('SELECT bad');
        expect(prompt).toContain('no such column in SELECT bad');
        expect(prompt).toContain('A name does not exist where it was used.');
        expect(prompt).toContain('Names that exist and are near');
        return writes('SELECT good');
      },
      review: (_thread, visit) => (visit === 1 ? changes('SELECT better') : keeps),
    });
    const answer: Answer = (sql) =>
      sql.includes('bad') ? failedQuery(`no such column in ${sql}`) : [[sql.includes('better') ? 2 : 1]];
    const { outcome } = ask(answer, script, { limits: { threads: 1 } });
    expect(await outcome).toMatchObject({
      type: 'answered',
      sql: 'SELECT better',
      result: { rows: [[2]] },
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
});
