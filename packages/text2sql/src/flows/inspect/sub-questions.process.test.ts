import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askInspect,
  decides,
  declines,
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

const by = (name: string) => [from('painting'), where('framed_by', '=', name), select('title')];
const LATER = [
  qa('mean', 'What is the mean year of paintings?'),
  from('painting'),
  where('made_in', '>', '$mean', 'none', 'expression'),
  select('title'),
];

describe('sub-questions', () => {
  it('are answered in a call of their own, and their findings are mended there', async () => {
    const model = inspectModel({
      generate: ({ question }) =>
        question.startsWith('What is')
          ? gives(from('painting'), where('framed_by', '=', 'ove berg'), select('AVG(made_in)'))
          : gives(...LATER),
      revise: ({ question, prompt }) =>
        question.startsWith('What is') && prompt.includes('"Ove Berg"')
          ? revises(
              [decides(1, 'use_cell')],
              from('painting'),
              where('framed_by', '=', 'Ove Berg'),
              select('AVG(made_in)'),
            )
          : undefined,
    });
    const outcome = await askInspect(
      museum,
      model,
      {},
      { question: 'Which paintings are later than the mean of Ove Berg?' },
    );
    // The question itself is not asked again: nothing was found in its own actions.
    expect(tasksOf(model)).toEqual(['generate-actions', 'generate-actions', 'revise-actions']);
    expect(outcome).toMatchObject({
      type: 'answered',
      result: { rows: [['Dune']] },
      calls: 3,
      inspection: { iterations: 1 },
    });
    expect(outcome.explanation).toContain('“ove berg” was read as the stored “Ove Berg” of painting.framed_by.');
    const sub = model.requests[1]?.messages[1]?.content.map((part) => ('text' in part ? part.text : '')).join('');
    expect(sub).toContain('used as a single value');
    expect(sub?.trimEnd().endsWith('Question: What is the mean year of paintings?')).toBe(true);
  });

  it('may be kept as they are', async () => {
    const model = inspectModel({
      generate: ({ question }) =>
        question.startsWith('What is')
          ? gives(from('painting'), where('framed_by', '=', 'Nobody'), select('AVG(made_in)'))
          : gives(...LATER),
      revise: () => revises([decides(1, 'keep')]),
    });
    const outcome = await askInspect(museum, model, {}, { question: 'Which paintings are later than the mean?' });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, inspection: { iterations: 1 } });
    expect(outcome.inspection?.findings.map(({ code }) => code)).toContain('value-not-found');
  });

  it('that are known are not asked again', async () => {
    const sequence = (column: string) => [...LATER.slice(0, 3), where('title', '=', 'Dune', 'and'), select(column)];
    const model = inspectModel({
      generate: ({ question }) =>
        question.startsWith('What is')
          ? gives(from('painting'), select('AVG(made_in)'))
          : gives(...sequence('maid_in')),
      revise: () => revises([], ...sequence('made_in')),
    });
    const outcome = await askInspect(museum, model, {}, { question: 'Is Dune later than the mean?' });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, result: { rows: [[1920]] } });
  });

  it('that are the same are asked once', async () => {
    const model = inspectModel({
      generate: ({ question }) =>
        question.startsWith('What is')
          ? gives(from('painting'), select('AVG(made_in)'))
          : gives(
              ...LATER.slice(0, 3),
              qa('again', ' What is the mean  year of paintings'),
              where('made_in', '<', '$again + 20', 'and', 'expression'),
              select('title'),
            ),
    });
    const outcome = await askInspect(museum, model, { limits: { maxSubQuestions: 1 } });
    expect(tasksOf(model)).toEqual(['generate-actions', 'generate-actions']);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Fjord'], ['Mill'], ['Dune']] }, calls: 2 });
  });

  it('that nobody answers are a finding of the sequence', async () => {
    const model = inspectModel({
      generate: ({ question }) =>
        question.startsWith('What is') ? declines('unanswerable', 'There are no years.') : gives(...LATER),
      revise: ({ prompt }) =>
        prompt.includes('was not answered (unanswerable): There are no years.')
          ? revises([], ...by('Ove Berg'))
          : undefined,
    });
    expect(await askInspect(museum, model)).toMatchObject({
      type: 'answered',
      calls: 3,
      inspection: { iterations: 1 },
    });
  });

  it('go no deeper than allowed', async () => {
    // Every question asks for another one.
    const model = inspectModel({ generate: () => gives(...LATER), revise: () => revises([], ...by('Ove Berg')) });
    const outcome = await askInspect(museum, model, { limits: { maxDepth: 2 } });
    expect(tasksOf(model).filter((task) => task === 'generate-actions')).toHaveLength(3);
    expect(outcome).toMatchObject({ type: 'answered' });
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('Ask no sub-question: none is answered here.');
  });
});
