import { AskemaError, defineStep, memoryJournal } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql as createPlain } from './ask.ts';
import { createText2Sql } from './create-text2sql.ts';
import { scriptedAdapter, shopCatalog } from './fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from './fixtures/scripted-solver.ts';
import { plain } from './flows/plain/plain.ts';
import { text2SqlFlow } from './question/flow-spec.ts';
import type { QuestionDeps } from './question/question-deps.ts';
import type { QuestionState } from './question/question-state.ts';
import type { Text2SqlOptions } from './text2sql-options.ts';

const rows = () => [[1]];
const create = (options: Partial<Text2SqlOptions> = {}) =>
  createText2Sql({ adapter: scriptedAdapter(rows), model: scriptedSolver(['SELECT 1']), ...options });

describe('createText2Sql', () => {
  it.each([
    [{ flow: 'plain' as never }, 'CONFIG_INVALID', /here it is the name `plain`/],
    [{ flow: plain().flow as never }, 'CONFIG_INVALID', /text2SqlFlow/],
    [{ model: {} as never }, 'CONFIG_INVALID', /neither a language model nor a solver/],
    [{ maxRows: 0 }, 'CONFIG_INVALID', /maxRows/],
    [{ timeoutMs: 1.5 }, 'CONFIG_INVALID', /timeoutMs/],
    [{ maxDebugAttempts: 0 }, 'CONFIG_INVALID', /maxDebugAttempts/],
    [{ sampleValues: -1 }, 'CONFIG_INVALID', /sampleValues/],
    [{ budget: { maxCalls: 3 } }, 'CONFIG_INVALID', /withBudget/],
  ])('refuses %j', (options, code, message) => {
    expect(() => create(options)).toThrow(message);
    expect(() => create(options)).toThrow(expect.objectContaining({ code }));
  });

  it.each([
    ['an empty question', '  \n', {}],
    ['a question of 100,000 characters', 'x'.repeat(100_000), {}],
    ['endless evidence', 'Who?', { evidence: 'x'.repeat(1_000_000) }],
    ['a date that is none', 'Who?', { today: 'yesterday' }],
  ])('throws for %s, and asks nobody', async (_name, question, options) => {
    const model = scriptedSolver(['SELECT 1']);
    await expect(create({ model }).ask(question, options)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    expect(model.asked).toEqual([]);
  });

  it('closes its adapter; what runs is cancelled, and a later question says that it is closed', async () => {
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const adapter = scriptedAdapter(
      (_sql, { context }) =>
        new Promise((_resolve, reject) => {
          started();
          context.signal?.addEventListener('abort', () => reject(context.signal?.reason));
        }),
    );
    const text2sql = create({ adapter });
    const asked = text2sql.ask('Who?');
    await running;
    await text2sql.close();
    expect(await asked).toMatchObject({ type: 'cancelled' });
    expect(adapter.closed).toBe(true);
    expect(await text2sql.ask('Who?')).toMatchObject({ type: 'failed', error: { code: 'DATABASE_CLOSED' } });
    await text2sql.close();
  });

  it('passes tags and tenant on to every statement', async () => {
    const seen: unknown[] = [];
    const adapter = scriptedAdapter((_sql, { context }) => {
      seen.push([context.tags, context.tenant]);
      return [[1]];
    });
    await create({ adapter }).ask('Who?', { tags: { team: 'sales' }, tenant: 't1' });
    expect(seen).toEqual([[{ team: 'sales' }, 't1']]);
  });

  it('a capped answer says so, and holds as many rows as were asked for', async () => {
    const adapter = scriptedAdapter(() => [[1], [2], [3]]);
    expect(await create({ adapter, maxRows: 2 }).ask('Who?')).toMatchObject({
      type: 'answered',
      result: { rows: [[1], [2]], truncated: 'rows' },
    });
  });
});

describe('without a flow', () => {
  /** What the model was asked, each request by a word of it, and how it ended. No customer is found: a doubt. */
  const ask = async (options: Partial<Text2SqlOptions> = {}, make: typeof createPlain = createText2Sql) => {
    const model = scriptedModel(({ messages }) => {
      const isRevision = JSON.stringify(messages).includes('You check an answer');
      return isRevision
        ? { json: { assessment: 'There is none.', is_right: 'yes', sql: '', explanation: '' } }
        : { json: sqlOutput('SELECT name FROM customer') };
    });
    const adapter = scriptedAdapter(() => [], { access: 'write' });
    await using text2sql = make({ adapter, model, linkValues: false, ...options });
    const { type, warnings } = await text2sql.ask('Who?', { runId: 'r1' });
    return [type, model.requests.length, warnings.length];
  };

  it('a language model that reads is asked by auto: a doubt buys a revision', async () => {
    expect(await ask()).toEqual(['answered', 2, 0]);
  });

  it('with no samples the doubt is said, and nothing of a result is shown', async () => {
    expect(await ask({ sampleValues: 0 })).toEqual(['answered', 1, 1]);
  });

  it('with write, with a solver, and with the entry that knows no other, it is plain', async () => {
    expect(await ask({ access: 'write' })).toEqual(['answered', 1, 0]);
    expect(await ask({}, createPlain)).toEqual(['answered', 1, 0]);
    const solver = scriptedSolver(['SELECT name FROM customer'], { supports: () => true });
    expect(await ask({ model: solver })).toEqual(['answered', 0, 0]);
    expect(solver.asked).toHaveLength(1);
  });

  it('a run that plain began is refused by the other default, and goes on with plain', async () => {
    const journal = memoryJournal();
    await ask({ journal, flow: plain() });
    const model = scriptedModel([]);
    const resume = (flow?: Text2SqlOptions['flow']) => create({ journal, model, flow }).resume('r1');
    expect(await resume()).toMatchObject({
      type: 'failed',
      error: { code: 'FLOW_CHANGED', message: expect.stringMatching(/`plain@3`, and this is `auto@\d`. Use the flow/) },
    });
    expect(await resume(plain())).toMatchObject({ type: 'answered' });
  });
});

describe('with a journal', () => {
  it('a finished run asked again under its id costs nothing', async () => {
    const journal = memoryJournal();
    const model = scriptedSolver(['SELECT 1']);
    const adapter = scriptedAdapter(rows);
    const text2sql = createText2Sql({ adapter, model, journal });
    const first = await text2sql.ask('Who?', { runId: 'r1' });
    const again = await text2sql.ask('Who?', { runId: 'r1' });
    expect({ ...again, elapsedMs: 0 }).toEqual({ ...first, elapsedMs: 0 });
    expect(model.asked).toHaveLength(1);
    expect(adapter.sent).toHaveLength(1);
    await expect(text2sql.ask('Who else?', { runId: 'r1' })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('a run that failed goes on where it failed', async () => {
    const journal = memoryJournal();
    const adapter = scriptedAdapter(rows);
    const model = scriptedSolver([new Error('offline'), 'SELECT 1']);
    const text2sql = createText2Sql({ adapter, model, journal });
    expect(await text2sql.ask('Who?', { runId: 'r1' })).toMatchObject({ type: 'failed' });
    expect(await text2sql.resume('r1')).toMatchObject({ type: 'answered', question: 'Who?' });
    expect(adapter.introspections).toBe(1);
  });

  it('a journal that cannot be read is an outcome', async () => {
    const journal = memoryJournal();
    const broken = { ...journal, read: () => Promise.reject(new AskemaError('JOURNAL_INVALID', 'line 3')) };
    expect(await create({ journal: broken }).ask('Who?', { runId: 'r1' })).toMatchObject({
      type: 'failed',
      question: 'Who?',
      error: { code: 'JOURNAL_INVALID' },
    });
  });

  it('says what is missing', async () => {
    await expect(create().resume('r1')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(create({ journal: memoryJournal() }).resume('r1')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('a run of another flow, or of a database that has changed, fails with a reason', async () => {
    const journal = memoryJournal();
    const broken = scriptedSolver([new Error('offline')]);
    await create({ journal, model: broken }).ask('Who?', { runId: 'r1' });
    expect(
      await create({ journal, flow: { ...plain(), flow: plain().flow.with({ version: 99 }) } }).resume('r1'),
    ).toMatchObject({
      type: 'failed',
      question: 'Who?',
      error: { code: 'FLOW_CHANGED' },
    });
    const adapter = scriptedAdapter(rows, { catalog: shopCatalog('another comment') });
    expect(await create({ journal, adapter }).resume('r1')).toMatchObject({
      type: 'failed',
      error: { code: 'FLOW_CHANGED', message: expect.stringContaining('structure') },
    });
  });

  it('a flow that suspends is a question back, and goes on with the answer', async () => {
    const review = defineStep<QuestionState, QuestionDeps>()({
      name: 'review',
      prep: (state) => ({ sql: state.generatedSql }),
      exec: async ({ sql }, context) => context.suspend<string>({ ask: 'Run this?', sql }),
      post: (state, _input, answer) => {
        state.generatedSql = answer;
      },
    });
    const base = plain();
    const flow = text2SqlFlow({ ...base, flow: base.flow.before('execute-sql', review) });
    const text2sql = create({ journal: memoryJournal(), flow, model: scriptedSolver([sqlOutput('SELECT 1')]) });
    const asked = await text2sql.ask('Who?', { runId: 'r1' });
    expect(asked).toMatchObject({ type: 'needsClarification', ask: 'Run this?', sql: 'SELECT 1' });
    expect(await text2sql.resume('r1', { answer: 'SELECT 2' })).toMatchObject({ type: 'answered', sql: 'SELECT 2' });
  });
});
