import { AskemaError, memoryJournal } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import type { Text2SqlOptions } from '../../text2sql-options.ts';
import { inspect } from './inspect.ts';
import {
  askInspect,
  from,
  gives,
  inspectModel,
  type Museum,
  openMuseum,
  qa,
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

/** A sub-question, a value that is spelled otherwise, and conditions whose structure is asked for: four calls. */
const script = () => {
  const sequence = (name: string) => [
    qa('mean', 'What is the mean year?'),
    from('painting'),
    where('made_in', '>', '$mean', 'none', 'expression'),
    where('framed_by', '=', name),
    select('title'),
  ];
  return inspectModel({
    generate: ({ question }) =>
      question.startsWith('What is') ? gives(from('painting'), select('AVG(made_in)')) : gives(...sequence('ove berg')),
    revise: () => revises([], ...sequence('Ove Berg')),
    connect: () => ({ json: { structures: [{ clause: 1, structure: '3 AND 4' }] } }),
  });
};
const TASKS = ['generate-actions', 'generate-actions', 'revise-actions', 'connect-conditions'];
const question = 'Which paintings that Ove Berg framed are later than the mean?';

function ask(model: ReturnType<typeof script>, options: Partial<Text2SqlOptions>) {
  return askInspect(museum, model, {}, { question, options, ask: { runId: 'r1' } });
}

async function resume(model: ReturnType<typeof script>, options: Partial<Text2SqlOptions>) {
  const { adapter, parser } = museum;
  const text2sql = createText2Sql({ adapter, parser, model, flow: inspect(), sampleValues: 0, ...options });
  const outcome = await text2sql.resume('r1');
  await text2sql.close();
  return outcome;
}

describe('a question over budget, resumed with more', () => {
  it.each([1, 2, 3])('goes on behind call %i, pays none twice, and ends as if nothing had been', async (maxCalls) => {
    const whole = script();
    const expected = await ask(whole, {});
    expect(tasksOf(whole)).toEqual(TASKS);
    expect(expected).toMatchObject({ type: 'answered', result: { rows: [['Fjord'], ['Mill'], ['Dune']] }, calls: 4 });
    const journal = memoryJournal();
    const model = script();
    const stopped = await ask(model, { journal, budget: { maxCalls } });
    expect(stopped).toMatchObject({ type: 'budgetExceeded', calls: maxCalls });
    const again = script();
    const outcome = await resume(again, { journal });
    expect([...tasksOf(model), ...tasksOf(again)]).toEqual(TASKS);
    // The budget warns where it has to guess what a call used; a run without one does not.
    const gist = ({ sql, calls, explanation, inspection }: typeof outcome) => ({ sql, calls, explanation, inspection });
    expect(gist(outcome)).toEqual(gist(expected));
  });
});

describe('a question that an outage broke off', () => {
  it('goes on when the provider is back, with the plan that it began with', async () => {
    const journal = memoryJournal();
    const down = new AskemaError('MODEL_UNAVAILABLE', 'It does not answer.', { retryable: true });
    const sequence = (name: string) => [from('painting'), where('framed_by', '=', name), select('title')];
    const generate = () => gives(...sequence('todd casey'));
    const broken = inspectModel({ generate, revise: () => down });
    const outcome = await askInspect(
      museum,
      broken,
      { hideTriedColumns: false },
      { options: { journal }, ask: { runId: 'r1' } },
    );
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_UNAVAILABLE' } });
    expect(outcome.sql).toContain('todd casey');
    expect(outcome.inspection?.findings.map(({ code }) => code)).toContain('value-not-found');
    const mended = inspectModel({ revise: () => revises([], ...sequence('Todd Casey')) });
    expect(await resume(mended, { journal })).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] } });
    expect(JSON.stringify(mended.requests[0]?.messages)).toContain('framed_by TEXT');
  });
});
