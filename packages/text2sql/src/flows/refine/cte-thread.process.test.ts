import { AskemaError, type ModelRequest, memoryJournal } from '@askema/core';
import { type ScriptedAnswer, scriptedModel } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { judged, openShop, type TestShop, written } from './cte/cte-fixture.ts';
import { refine } from './refine.ts';
import type { RefineOptions } from './refine-options.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const RIGHT = "WITH south AS (SELECT id FROM customer WHERE region = 'south') SELECT COUNT(*) FROM south";
const BARE = { format: false, exploration: false, profile: false, choose: false } as const;

/** Answers by the task that is asked. */
const modelOf = (answers: Readonly<Record<string, ScriptedAnswer>>) => {
  const asked: string[] = [];
  const answer = (request: ModelRequest): ScriptedAnswer | undefined => {
    const task = (request.output?.name ?? '').replace('text2sql_', '');
    asked.push(task);
    return answers[task];
  };
  return { model: scriptedModel(answer), answer, asked };
};

const refineSql = (sql: string): ScriptedAnswer => ({
  json: {
    thinking: '',
    outcome: 'sql',
    sql,
    explanation: '',
    not_understood: [],
    other_readings: [],
    format_departs: '',
    expand: [],
  },
});

async function ask(model: ReturnType<typeof modelOf>['model'], options: RefineOptions) {
  const text2sql = createText2Sql({ adapter: shop.adapter, model, flow: refine(options), sampleValues: 0 });
  return text2sql.ask('How many customers are there in the south?', { today: '2024-03-09' });
}

describe('the CTE stage in the refine flow', () => {
  it('answers where self-refinement found nothing, and sees what was tried', async () => {
    const { model, asked } = modelOf({
      'refine-sql': refineSql('SELECT nope FROM customer'),
      'write-ctes': written(RIGHT),
      'judge-cte': judged('right'),
    });
    const outcome = await ask(model, { stages: BARE, limits: { threads: 1, maxIterations: 2 } });
    expect(outcome).toMatchObject({ type: 'answered', sql: RIGHT, result: { rows: [[2]] }, calls: asked.length });
    expect(asked.slice(-3)).toEqual(['write-ctes', 'judge-cte', 'judge-cte']);
    expect(JSON.stringify(model.requests.at(-3)?.messages)).toContain('no such column: nope');
    expect(outcome.candidates.map(({ sql, status }) => [sql, status])).toContainEqual([RIGHT, 'chosen']);
  });

  it('is the only refinement where the plan says so, and never runs where it is off', async () => {
    const only = modelOf({ 'write-ctes': written(RIGHT), 'judge-cte': judged('right') });
    const outcome = await ask(only.model, { stages: { ...BARE, cte: 'only' }, limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[2]] } });
    expect(only.asked).toEqual(['write-ctes', 'judge-cte', 'judge-cte']);
    const off = modelOf({ 'refine-sql': refineSql('SELECT nope FROM customer') });
    const failed = await ask(off.model, { stages: { ...BARE, cte: false }, limits: { threads: 1, maxIterations: 1 } });
    expect(failed.type).not.toBe('answered');
    expect(off.asked).not.toContain('write-ctes');
  });

  const TEAPOT = { text: 'I am a teapot.' };
  const ENDINGS: readonly (readonly [string, Readonly<Record<string, ScriptedAnswer>>, object])[] = [
    ['whose writer says nothing usable', { 'refine-sql': TEAPOT }, { error: { code: 'MODEL_OUTPUT_INVALID' } }],
    [
      'whose review says nothing usable',
      { 'refine-sql': refineSql('SELECT 1'), 'review-result': TEAPOT },
      { error: { code: 'MODEL_OUTPUT_INVALID' } },
    ],
    [
      'that was refused twice',
      { 'refine-sql': refineSql('DROP TABLE customer') },
      { type: 'refused', error: { code: 'QUERY_NOT_READ_ONLY' } },
    ],
  ];
  const limits = { threads: 1 };

  it.each(ENDINGS)('answers in a thread %s', async (_name, answers) => {
    const { model, asked } = modelOf({ ...answers, 'write-ctes': written(RIGHT), 'judge-cte': judged('right') });
    const outcome = await ask(model, { stages: BARE, limits });
    expect(outcome).toMatchObject({ type: 'answered', sql: RIGHT, result: { rows: [[2]] }, calls: asked.length });
  });

  it.each(ENDINGS)('that finds nothing in a thread %s leaves its end as it was', async (_name, answers, end) => {
    const { model, asked } = modelOf({ ...answers, 'write-ctes': TEAPOT });
    const outcome = await ask(model, { stages: BARE, limits });
    const without = await ask(modelOf(answers).model, { stages: { ...BARE, cte: false }, limits });
    expect(asked).toContain('write-ctes');
    expect(outcome).toMatchObject(end);
    const { type, error, sql } = outcome as typeof outcome & { error?: object };
    expect(without).toMatchObject({ type, error, sql });
  });

  it('is not tried with a model that refuses', async () => {
    const refuses = { error: new AskemaError('MODEL_CONTENT_FILTERED', 'Not with me.') };
    const { model, asked } = modelOf({ 'refine-sql': refuses, 'write-ctes': written(RIGHT) });
    const outcome = await ask(model, { stages: BARE, limits });
    expect(outcome).toMatchObject({ type: 'refused', reason: 'Not with me.' });
    expect(asked).toEqual(['refine-sql']);
  });

  it('is resumed without repeating a finished call, also in parallel threads', async () => {
    const answers = { 'write-ctes': written(RIGHT), 'judge-cte': judged('right') } as const;
    const own: RefineOptions = { stages: { ...BARE, cte: 'only' }, limits: { threads: 2, concurrency: 2 } };
    const journal = memoryJournal();
    const stop = new AbortController();
    const before = modelOf(answers);
    const stopped = scriptedModel((request) => {
      if (before.asked.length === 3) stop.abort();
      request.context.signal?.throwIfAborted();
      return before.answer(request);
    });
    const options = { adapter: shop.adapter, flow: refine(own), sampleValues: 0, journal } as const;
    const first = createText2Sql({ ...options, model: stopped });
    const cancelled = await first.ask('How many?', { runId: 'r', today: '2024-03-09', signal: stop.signal });
    expect(cancelled.type).toBe('cancelled');
    const { model, asked } = modelOf(answers);
    const outcome = await createText2Sql({ ...options, model }).resume('r');
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[2]] }, calls: 6 });
    // Two threads of three calls: what was answered before is not asked again.
    expect(before.asked.length + asked.length).toBe(6);
  });
});
