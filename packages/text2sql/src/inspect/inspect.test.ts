import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askInspect,
  decides,
  from,
  gives,
  inspectModel,
  type Museum,
  openMuseum,
  revises,
  select,
  tasksOf,
  where,
} from './inspect-fixture.ts';

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
}, 60_000);
afterAll(() => museum.close());

const framedBy = (name: string, column = 'framed_by') => [from('painting'), where(column, '=', name), select('title')];

describe('the inspect flow', () => {
  it('runs the statement at once where all tools agree', async () => {
    const model = inspectModel({ generate: () => gives(...framedBy('Todd Casey')) });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 1, executions: 1 });
    expect(outcome.inspection).toMatchObject({ iterations: 0, findings: [] });
    expect(outcome.warnings).toEqual([]);
  });

  it('puts the stored cell in the place of a value that is spelled otherwise', async () => {
    const model = inspectModel({
      generate: () => gives(...framedBy('todd casey')),
      revise: () => revises([decides(1, 'use_cell')], ...framedBy('Todd Casey')),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 2 });
    expect(tasksOf(model)).toEqual(['generate-actions', 'revise-actions']);
  });
});
