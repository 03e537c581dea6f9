import type { KnowledgeSource } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { failedQuery, shopCatalog } from '../../fixtures/scripted-adapter.ts';
import { askRefine, changes, keeps, threadModel, writes } from './refine-fixture.ts';

const WRITTEN = 'SELECT metric(revenue) AS n';
const EXPANDED = 'SELECT (SELECT 7) AS n';
const BASE = { kind: 'metric', name: 'revenue', definition: 'SUM(amount)', state: 'accepted' } as const;

/** Computes one metric, and knows nothing else. */
const knowledge: KnowledgeSource = {
  on: () => ({
    catalog: shopCatalog(),
    answer: () => undefined,
    select: () => undefined,
    expand: (sql) =>
      sql.includes('metric(')
        ? { sql: sql.replace('metric(revenue)', '(SELECT 7)'), basedOn: [BASE] }
        : { sql, basedOn: [] },
    check: () => [],
  }),
};
const options = { knowledge, knowledgeFirst: false };

describe('a statement with `metric(…)` that a thread of refine writes again', () => {
  it('is not sent again, and is kept as it ran', async () => {
    const model = threadModel({ write: () => writes(WRITTEN) });
    const limits = { threads: 1, maxIterations: 3 };
    const { outcome, adapter } = await askRefine((sql) => failedQuery(`no ${sql}`), model, { limits }, { options });
    expect(adapter.sent.map(({ sql }) => sql)).toEqual([EXPANDED]);
    expect(outcome.candidates.map(({ sql }) => sql)).toEqual([EXPANDED]);
  });

  it('is the same statement in a review, also where the model was shown what ran', async () => {
    const reviews = [changes(WRITTEN), keeps];
    const model = threadModel({
      write: () => writes(WRITTEN),
      review: ({ visit }) => ({ json: { ...(reviews[visit - 1] as { json: object }).json, is_right: true } }),
    });
    const { outcome, adapter } = await askRefine(() => [[7]], model, { limits: { threads: 1 } }, { options });
    expect(adapter.sent.map(({ sql }) => sql)).toEqual([EXPANDED]);
    expect(outcome).toMatchObject({ type: 'answered', sql: EXPANDED, basedOn: expect.arrayContaining([BASE]) });
  });
});
