import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createBudget } from '../model/budget.ts';
import { userMessage } from '../model/language-model.ts';
import { answer, type FakeModel, fakeModel, tokens } from '../model/testing/fake-model.ts';
import { withBudget } from '../model/with-budget.ts';
import { defineTask } from '../task/define-task.ts';
import { fromModel } from '../task/from-model.ts';
import type { Solver } from '../task/task.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { crashingJournal } from './test-support/crashing-journal.ts';

const task = defineTask({
  id: 'shop.write-sql',
  version: 1,
  render: (question: string) => [userMessage(question)],
  output: z.object({ sql: z.string() }),
});
interface Thread {
  question: string;
  drafts: string[];
}
interface State {
  question: string;
  found: unknown[];
}
interface Deps {
  readonly solver: Solver;
}

/** Each thread asks the very same question twice. */
const draft = defineStep<Thread, Deps>()({
  name: 'draft',
  actions: ['again', 'done'],
  prep: (state) => state.question,
  exec: (question, context) => context.deps.solver.solve(task, question, context),
  post: (state, _question, solved) => {
    state.drafts.push(solved.value.sql);
    return state.drafts.length < 2 ? 'again' : 'done';
  },
});
const thread = createFlow<Thread, Deps>({ name: 'thread' }).step(draft, { again: 'draft', done: end }).build();
const flow = createFlow<State, Deps>({ name: 'refine' })
  .parallel(
    'threads',
    thread,
    { default: end },
    {
      enter: ({ question }) => [1, 2, 3].map(() => ({ question, drafts: [] })),
      leave: (state, ended) => {
        for (const item of ended) {
          state.found.push([item.status === 'failed' ? item.error.code : item.status, ...item.state.drafts]);
        }
      },
      onError: 'collect',
    },
  )
  .build();

const numbered = (): FakeModel =>
  fakeModel((_request, index) => answer(JSON.stringify({ sql: `select ${index}` }), { usage: tokens(10, 2) }));
const START: State = { question: 'How many?', found: [] };

describe('models in parallel items', () => {
  it('answer each item, though all ask the same, and none twice after a crash', async () => {
    for (let entries = 1; entries < 24; entries += 1) {
      const journal = memoryJournal();
      const model = numbered();
      const deps = { solver: fromModel(model) };
      await flow.run(START, deps, { journal: crashingJournal(journal, entries), runId: 'r' }).catch(() => {});
      const paid = (await journal.read('r')).filter((entry) => entry.kind === 'call').length;
      const begun = model.requests.length;
      const { state } = await flow.resume('r', deps, { journal });
      expect(model.requests.length - begun).toBe(6 - paid);
      const drafts = state.found.flatMap((item) => (item as string[]).slice(1));
      expect(new Set(drafts).size).toBe(6);
      expect(new Set(model.requests.map((request) => request.context.idempotencyKey)).size).toBe(6);
    }
  });

  it('run out of a shared budget, and what they had found is there to choose from', async () => {
    const model = numbered();
    const budget = createBudget({ maxCalls: 4, countTokens: () => 10, assumedOutputTokens: 5 });
    const journal = memoryJournal();
    const { state } = await flow.run(START, { solver: fromModel(withBudget(model, budget)) }, { journal, runId: 'r' });
    expect(state.found).toEqual([
      ['finished', 'select 0', 'select 3'],
      ['BUDGET_EXCEEDED', 'select 1'],
      ['BUDGET_EXCEEDED', 'select 2'],
    ]);
    expect(model.requests).toHaveLength(4);
    expect((await flow.replay('r', { journal })).state).toEqual(state);
  });
});
