import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { RunEvent } from '../events/run-event.ts';
import { createFlow } from './create-flow.ts';
import { defineBatchStep, defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import type { RetryPolicy, StepContext } from './step.ts';
import { deferred, settle } from './test-support/deferred.ts';

interface State {
  sql?: string;
  approved?: boolean;
}

function approvalFlow(exec: (context: StepContext) => Promise<boolean>, retry?: RetryPolicy) {
  const approve = defineStep<State>()({
    name: 'approve',
    actions: ['approved', 'rejected'],
    exec: (_input, context) => exec(context),
    post: (state, _input, approved) => {
      state.approved = approved;
      return approved ? 'approved' : 'rejected';
    },
    retry,
  });
  return createFlow<State>({ name: 'f' }).step(approve, { approved: end, rejected: end }).build();
}
const ask = (context: StepContext) => context.suspend<boolean>({ question: 'Run it?' });

describe('suspend', () => {
  it('ends the run with its request, and goes on with the answer', async () => {
    const journal = memoryJournal();
    const flow = approvalFlow(ask);
    const events: string[] = [];
    const onEvent = (event: RunEvent): void => {
      events.push(event.type);
    };
    const suspended = await flow.run({ sql: 'drop' }, {}, { journal, runId: 'r', onEvent });
    expect(suspended).toEqual({
      status: 'suspended',
      runId: 'r',
      request: { question: 'Run it?' },
      path: 'f@1/approve#1/suspend#1',
      state: { sql: 'drop' },
    });
    expect(events).toEqual(['run-started', 'step-started', 'run-suspended']);
    const result = await flow.resume('r', {}, { journal, answer: true });
    expect(result).toMatchObject({ status: 'finished', action: 'approved', state: { sql: 'drop', approved: true } });
  });

  it('takes false, null and 0 for answers', async () => {
    for (const answer of [false, null, 0, '']) {
      const journal = memoryJournal();
      let got: unknown = 'nothing';
      const flow = approvalFlow(async (context) => {
        got = await context.suspend('?');
        return false;
      });
      await flow.run({}, {}, { journal, runId: 'r' });
      await expect(flow.resume('r', {}, { journal, answer })).resolves.toMatchObject({ action: 'rejected' });
      expect(got).toBe(answer);
    }
  });

  it('needs an answer, and tells what for', async () => {
    const journal = memoryJournal();
    const flow = approvalFlow(ask);
    await flow.run({}, {}, { journal, runId: 'r' });
    await expect(flow.resume('r', {}, { journal })).rejects.toMatchObject({
      code: 'FLOW_SUSPENDED',
      details: { path: 'f@1/approve#1/suspend#1', request: { question: 'Run it?' } },
    });
  });

  it('needs a journal', async () => {
    await expect(approvalFlow(ask).run({}, {})).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('does not repeat calls that were finished before it, and asks several times in order', async () => {
    const journal = memoryJournal();
    const calls: string[] = [];
    const flow = approvalFlow(async (context) => {
      const sql = await context.memo('write', async () => `select ${calls.push('write')}`);
      const first = await context.suspend<string>({ sql });
      await context.memo('after', async () => calls.push('after'));
      const second = await context.suspend<string>({ sql, first });
      return first === 'fine' && second === 'sure';
    });
    await flow.run({}, {}, { journal, runId: 'r' });
    const asked = await flow.resume('r', {}, { journal, answer: 'fine' });
    expect(asked).toMatchObject({ status: 'suspended', request: { sql: 'select 1', first: 'fine' } });
    await expect(flow.resume('r', {}, { journal, answer: 'sure' })).resolves.toMatchObject({ action: 'approved' });
    expect(calls).toEqual(['write', 'after']);
  });

  it('never gives an answer to another request', async () => {
    const journal = memoryJournal();
    let sql = 'select 1';
    const flow = approvalFlow((context) => context.suspend<boolean>({ sql }));
    await flow.run({}, {}, { journal, runId: 'r' });
    sql = 'drop table users';
    await expect(flow.resume('r', {}, { journal, answer: true })).rejects.toMatchObject({
      code: 'FLOW_NOT_DETERMINISTIC',
      message: expect.stringMatching(/answer was given to another request\. Put what .* `context\.memo`/),
    });
  });

  it('asks again when the calls behind the request were renewed', async () => {
    const journal = memoryJournal();
    const requests: unknown[] = [];
    let count = 0;
    const flow = approvalFlow(
      async (context) => {
        const sql = await context.memo('write', async () => `select ${++count}`);
        requests.push(sql);
        const answer = await context.suspend<string>({ sql });
        if (answer === 'wrong') throw new AskemaError('INPUT_INVALID', 'try another');
        return true;
      },
      { attempts: 2, when: () => true },
    );
    await flow.run({}, {}, { journal, runId: 'r' });
    const again = await flow.resume('r', {}, { journal, answer: 'wrong' });
    expect(again).toMatchObject({ status: 'suspended', request: { sql: 'select 2' } });
    await expect(flow.resume('r', {}, { journal, answer: 'right' })).resolves.toMatchObject({ action: 'approved' });
    expect(requests).toEqual(['select 1', 'select 1', 'select 2', 'select 2']);
  });

  it('holds when exec swallows the error, or does not wait', async () => {
    for (const exec of [
      (context: StepContext) => ask(context).catch(() => true),
      async (context: StepContext) => {
        void ask(context);
        return true;
      },
    ]) {
      const journal = memoryJournal();
      const flow = approvalFlow(exec, { attempts: 3, when: () => true });
      await expect(flow.run({}, {}, { journal, runId: 'r' })).resolves.toMatchObject({ status: 'suspended' });
      expect((await journal.read('r')).map((entry) => entry.kind)).toEqual(['run', 'suspend']);
    }
  });

  it('runs the cleanup of exec', async () => {
    let cleaned = false;
    const flow = approvalFlow(async (context) => {
      try {
        return await ask(context);
      } finally {
        cleaned = true;
      }
    });
    await flow.run({}, {}, { journal: memoryJournal() });
    expect(cleaned).toBe(true);
  });
});

describe('suspend in a batch', () => {
  it('lets running items finish, begins no others, and repeats none of them', async () => {
    const journal = memoryJournal();
    const calls: number[] = [];
    const gate = deferred();
    const oneBegan = deferred();
    const batch = defineBatchStep<{ results: unknown[] }>()({
      name: 'batch',
      prep: () => [0, 1, 2],
      exec: async (item, context): Promise<unknown> => {
        calls.push(item);
        if (item === 1) oneBegan.resolve();
        await oneBegan.promise;
        if (item === 0) return context.suspend({ item });
        await gate.promise;
        return `r${item}`;
      },
      post: (state, _items, results) => {
        state.results = [...results];
      },
      concurrency: 2,
    });
    const flow = createFlow<{ results: unknown[] }>({ name: 'f' }).step(batch, { default: end }).build();
    const run = flow.run({ results: [] }, {}, { journal, runId: 'r' });
    await settle();
    gate.resolve();
    expect(await run).toMatchObject({ status: 'suspended', request: { item: 0 }, path: 'f@1/batch#1/0/suspend#1' });
    expect(calls).toEqual([0, 1]);
    const result = await flow.resume('r', {}, { journal, answer: 'answered' });
    expect(result.state).toEqual({ results: ['answered', 'r1', 'r2'] });
    expect(calls).toEqual([0, 1, 0, 2]);
  });

  it('asks one after another when several items want an answer', async () => {
    const journal = memoryJournal();
    const batch = defineBatchStep<{ results: unknown[] }>()({
      name: 'batch',
      prep: () => ['a', 'b'],
      exec: (item, context) => context.suspend(item),
      post: (state, _items, results) => {
        state.results = [...results];
      },
      concurrency: 2,
    });
    const flow = createFlow<{ results: unknown[] }>({ name: 'f' }).step(batch, { default: end }).build();
    expect(await flow.run({ results: [] }, {}, { journal, runId: 'r' })).toMatchObject({ request: 'a' });
    expect(await flow.resume('r', {}, { journal, answer: 1 })).toMatchObject({ request: 'b' });
    expect((await flow.resume('r', {}, { journal, answer: 2 })).state).toEqual({ results: [1, 2] });
  });
});
