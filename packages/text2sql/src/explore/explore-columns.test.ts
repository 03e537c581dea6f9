import { createFlow, end, fromModel, memoryJournal, resolveAdapter } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import { createQuestionState, type QuestionState } from '../question/question-state.ts';
import type { Exploration } from './exploration.ts';
import { EXPLORATION_KEY, exploreColumns } from './explore-for-question.ts';

const sql = 'SELECT DISTINCT name FROM customer';
const answer = {
  relevant: [{ relation: 'customer', attributes: ['name'] }],
  probes: Array.from({ length: 10 }, (_, n) => ({
    purpose: 'names',
    looksFor: 'contents',
    sql: `${sql} LIMIT ${n + 1}`,
  })),
};

describe('exploreColumns', () => {
  it('leaves what it found in the state, and is replayed from the journal without a model or a database', async () => {
    const adapter = scriptedAdapter(() => [['Ann', 2]]);
    const model = scriptedModel([{ json: answer }]);
    const resolved = resolveAdapter(adapter);
    const catalog = await resolved.introspect();
    const catalogs = { read: async () => catalog, withFingerprint: async () => catalog };
    const limits = { maxRows: 100, maxBytes: 10_000, timeoutMs: 1_000 };
    const deps = {
      adapter: resolved,
      solver: fromModel(model),
      catalogs,
      limits,
      access: 'read',
    } as unknown as QuestionDeps;
    const flow = createFlow<QuestionState, QuestionDeps>({ name: 'exploring' })
      .step(exploreColumns, { default: end })
      .build();
    const state = createQuestionState({
      dbPath: 'shop',
      question: 'Who is Ann?',
      maxDebugAttempts: 3,
      today: '2024-03-09',
    });
    const journal = memoryJournal();
    const first = await flow.run(state, deps, { runId: 'r', journal });
    const exploration = first.state.extras[EXPLORATION_KEY] as Exploration;
    expect(exploration.findings).toHaveLength(10);
    expect(exploration.relevant[0]?.attributes).toEqual(['name']);
    expect(first.state).toMatchObject({ calls: 1, executions: exploration.executions });
    const sent = adapter.sent.length;
    const again = await flow.replay('r', { journal });
    expect(again.state.extras[EXPLORATION_KEY]).toEqual(exploration);
    expect(adapter.sent).toHaveLength(sent);
    expect(model.requests).toHaveLength(1);
  });
});
