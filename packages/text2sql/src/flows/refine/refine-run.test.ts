import { AskemaError, memoryJournal, type Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { text2SqlFlow } from '../../question/flow-spec.ts';
import { refine } from './refine.ts';
import {
  type Answer,
  askRefine,
  BARE,
  callsOf,
  changes,
  keeps,
  taskOf,
  threadModel,
  writes,
} from './refine-fixture.ts';

const names: Answer = () => [['Ann'], ['Bob']];
const echo: Answer = (sql) => [[sql]];
const perThread = ({ thread }: { thread: number }) => writes(`SELECT ${'abc'[thread]}`);

describe('a budget', () => {
  it.each([
    // One after another: format, then write and review in each thread.
    [1, undefined, 'none began'],
    [2, [['SELECT a']], 'what was written and run, though nobody confirmed it'],
    [3, [['SELECT a']], 'the answer of one thread'],
    [4, [['SELECT a']], 'the answer of one thread goes before what another has not confirmed'],
  ])('of %i calls ends with the best so far: %j, %s', async (maxCalls, rows, _why) => {
    const model = threadModel({ write: perThread });
    const limits = { concurrency: 1 };
    const { outcome } = await askRefine(echo, model, { limits }, { options: { budget: { maxCalls } } });
    expect(outcome).toMatchObject({
      type: 'budgetExceeded',
      error: { code: 'BUDGET_EXCEEDED' },
      calls: maxCalls,
    });
    expect((outcome as { result?: { rows: readonly Row[] } }).result?.rows).toEqual(rows);
    if (rows !== undefined) expect(outcome.candidates[0]).toMatchObject({ sql: 'SELECT a', status: 'chosen' });
  });

  it('that ends when the answer is decided changes nothing', async () => {
    const { outcome } = await askRefine(names, threadModel(), {}, { options: { budget: { maxCalls: 5 } } });
    expect(outcome).toMatchObject({ type: 'answered', calls: 5, confidence: { from: 'votes' } });
    const limits = { concurrency: 1 };
    const rules = { earlyEnd: false };
    const late = await askRefine(names, threadModel(), { limits, rules }, { options: { budget: { maxCalls: 6 } } });
    expect(late.outcome).toMatchObject({ type: 'answered', calls: 6 });
  });

  it('counts the models of all stages', async () => {
    const review = threadModel();
    const model = threadModel();
    const budget = { maxCalls: 4 };
    const own = { models: { review }, limits: { concurrency: 1 } };
    const { outcome } = await askRefine(names, model, own, { options: { budget } });
    expect(outcome).toMatchObject({ type: 'budgetExceeded', calls: 4 });
    expect(callsOf(model)).toEqual({ 'expect-format 0': 1, 'refine-sql 0': 1, 'refine-sql 1': 1 });
    expect(callsOf(review)).toEqual({ 'review-result 0': 1 });
  });
});

describe('stages', () => {
  it('each has the model that was given for it, and samples tell threads apart', async () => {
    const stage = () => threadModel();
    const [format, generate, choose] = [stage(), threadModel({ write: perThread }), stage()];
    const model = stage();
    const { outcome } = await askRefine(echo, model, { models: { format, generate, choose } });
    expect(outcome).toMatchObject({ type: 'answered' });
    expect(callsOf(format)).toEqual({ 'expect-format 0': 1 });
    expect(callsOf(generate)).toEqual({ 'refine-sql 0': 1, 'refine-sql 1': 1, 'refine-sql 2': 1 });
    expect(callsOf(model)).toEqual({ 'review-result 0': 1, 'review-result 1': 1, 'review-result 2': 1 });
    expect(callsOf(choose)).toEqual({ 'choose-answer 0': 1 });
  });

  it('without the format, no call for it and no format in the prompts', async () => {
    const model = threadModel();
    await askRefine(names, model, { stages: { format: false } });
    expect(callsOf(model)).not.toHaveProperty('expect-format 0');
    expect(JSON.stringify(model.requests)).not.toContain('The expected format of the answer');
  });

  it('without consistency, the first plausible result is the answer of a thread', async () => {
    const model = threadModel();
    const { outcome } = await askRefine(names, model, { stages: { consistency: false } });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3 });
    expect(callsOf(model)).toEqual({ 'expect-format 0': 1, 'refine-sql 0': 1, 'refine-sql 1': 1 });
  });

  it('a thread that found nothing goes on CTE by CTE; `only` begins with it', async () => {
    const model = threadModel({ write: ({ visit }) => writes(`SELECT none ${visit}`) });
    const empty: Answer = () => [];
    const limits = { threads: 1, maxIterations: 1 };
    await askRefine(empty, model, { stages: { cte: true }, limits });
    expect(callsOf(model)).toMatchObject({ 'refine-sql 0': 1, 'write-ctes 0': 1 });
    const only = threadModel();
    await askRefine(empty, only, { stages: { cte: 'only' }, limits });
    expect(callsOf(only)).toEqual({ 'expect-format 0': 1, 'write-ctes 0': 1 });
  });

  it('steps can be left out and replaced by the methods of flows', async () => {
    const adapter = scriptedAdapter(names);
    const base = refine({ stages: BARE });
    const thread = base.flow.steps.threads.flow.without('check-result').without('explore-columns', 'default');
    const steps = base.flow.without('expect-format').replaceFlow('threads', thread);
    const flow = text2SqlFlow({ ...base, flow: steps });
    const model = threadModel();
    const text2sql = createText2Sql({ adapter, model, flow });
    expect(await text2sql.ask('Who?')).toMatchObject({ type: 'answered', calls: 2 });
  });
});

describe('presets', () => {
  it('paper: extra columns, three threads to their end, the same prompts', async () => {
    const model = threadModel();
    const { outcome } = await askRefine(names, model, { preset: 'paper' });
    expect(outcome).toMatchObject({ type: 'answered', calls: 7, confidence: { value: 0.75, from: 'votes' } });
    const text = JSON.stringify(model.requests);
    expect(text).toContain('add columns that help to understand');
    expect(text).not.toContain('Before you write');
  });

  it('v5: eight threads, no format, no review; the first plausible results are put to the vote', async () => {
    const model = threadModel({ write: ({ thread }) => writes(thread < 5 ? 'SELECT a' : `SELECT ${thread}`) });
    const { outcome } = await askRefine(echo, model, { preset: 'v5' });
    expect(outcome).toMatchObject({ type: 'answered', sql: 'SELECT a', calls: 8, executions: 8 });
    expect(new Set(model.requests.map(taskOf))).toEqual(new Set(['refine-sql']));
  });

  it.each([
    [{ preset: 'papre' }, "must be 'askema', 'paper' or 'v5'"],
    [{ limits: { thread: 3 } }, 'no `thread`'],
    [{ limits: { threads: 0 } }, 'from 1'],
    [{ limits: { sureFrom: 2 } }, 'from 0 to 1'],
    [{ rules: { agreement: 'loose' } }, "'strict' or 'official'"],
    [{ rules: { review: 'never' } }, "'always' or 'doubted'"],
    [{ stages: { format: 'only' } }, 'true or false'],
  ])('%j is refused', async (own, message) => {
    await expect(askRefine(names, threadModel(), own as never)).rejects.toThrow(message);
  });

  it('a solver that cannot write for it is refused at once', () => {
    const solver = { name: 'parser', supports: () => false, solve: () => Promise.reject(new Error()) };
    const make = () => createText2Sql({ adapter: scriptedAdapter(names), model: solver, flow: refine() });
    expect(make).toThrow('parser cannot do');
  });
});

describe('a schema that does not fit', () => {
  const options = { maxSchemaTokens: 1 };

  it('is expanded by the names that the model asks for, so often and no more', async () => {
    const prompts: string[] = [];
    const model = threadModel({
      write: ({ prompt }) => {
        prompts.push(prompt);
        return writes('SELECT name FROM customer', { expand: ['customer', 'nowhere'] });
      },
    });
    const { outcome } = await askRefine(names, model, { limits: { threads: 1 } }, { options });
    expect(outcome).toMatchObject({ type: 'answered', calls: 1 + 3 + 1 });
    expect(prompts.map((prompt) => prompt.includes('You may ask for some'))).toEqual([true, true, false]);
    expect(prompts[1]).toMatch(/More of the schema[\s\S]*CREATE TABLE customer/);
    expect(prompts[1]).toContain('There is no relation "nowhere".');
  });

  it('is not expanded where it is whole', async () => {
    const model = threadModel({ write: () => writes('SELECT name', { expand: ['customer'] }) });
    const { outcome } = await askRefine(names, model, { limits: { threads: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3 });
  });
});

describe('a run', () => {
  it('stops on the signal, and says what it had cost', async () => {
    const controller = new AbortController();
    const answer: Answer = (_sql, { context }) => {
      controller.abort();
      context.signal?.throwIfAborted();
      return [['Ann']];
    };
    const ask = { signal: controller.signal };
    const { outcome } = await askRefine(answer, threadModel(), { limits: { concurrency: 1 } }, { ask });
    expect(outcome).toMatchObject({ type: 'cancelled', error: { code: 'ABORTED' }, calls: 2 });
  });

  it('survives its journal with exact values, and is only read again when it is resumed', async () => {
    const journal = memoryJournal();
    const rows: readonly Row[] = [
      [2n ** 60n, new Uint8Array([1, 2]), null, '2024-03-09', 0.1],
      [1n, new Uint8Array([]), 'x', '2024-03-10', 2],
    ];
    const model = threadModel();
    const more = { options: { journal }, ask: { runId: 'r1' } };
    const first = await askRefine(() => rows, model, { stages: { format: false } }, more);
    expect(first.outcome).toMatchObject({ type: 'answered', result: { rows }, calls: 4 });
    const again = await askRefine(() => new AskemaError('INTERNAL', 'asked again'), threadModel(), {}, more);
    expect(again.outcome).toMatchObject({
      type: 'answered',
      result: { rows },
      calls: 4,
      confidence: { from: 'votes' },
    });
    expect(again.adapter.sent).toEqual([]);
    const replayed = await refine().flow.replay('r1', { journal });
    expect(replayed.state.finalResult).toEqual(rows);
  });

  it('keeps its plan when it is resumed under other options', async () => {
    const journal = memoryJournal();
    const more = { options: { journal }, ask: { runId: 'r1' } };
    await askRefine(names, threadModel(), { limits: { threads: 1 } }, more);
    const again = await askRefine(names, threadModel(), { preset: 'v5' }, more);
    expect(again.outcome).toMatchObject({ type: 'answered', calls: 3 });
  });

  it('counts each review for as many agreements as are wanted', async () => {
    const model = threadModel({ review: ({ visit }) => (visit === 1 ? changes('SELECT name, 1') : keeps) });
    const { outcome } = await askRefine(names, model, { limits: { threads: 1, agreements: 4 } });
    // Written, changed to another statement with the same result, and kept twice.
    expect(outcome).toMatchObject({ type: 'answered', executions: 2, calls: 1 + 1 + 3 });
  });
});
