import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedQuery } from '../../fixtures/scripted-adapter.ts';
import {
  askInspect,
  decides,
  declines,
  from,
  gives,
  inspectModel,
  type Museum,
  ORDER,
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

const by = (name: string, column = 'framed_by') => [from('painting'), where(column, '=', name), select('title')];
const codes = (findings: readonly { readonly code: string }[] | undefined) => findings?.map(({ code }) => code);

describe('the inspect flow', () => {
  it('runs the statement at once where all tools agree', async () => {
    const model = inspectModel({ generate: () => gives(...by('Todd Casey')) });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 1, executions: 1 });
    expect(outcome.inspection).toMatchObject({ iterations: 0, findings: [], tries: [{ findings: [] }] });
    expect(outcome.warnings).toEqual([]);
  });

  it('shows the stored cell for a value that is spelled otherwise, and tells that it was used', async () => {
    const model = inspectModel({
      generate: () => gives(...by('todd casey')),
      revise: () => revises([decides(1, 'use_cell')], ...by('Todd Casey')),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 2, executions: 1 });
    expect(outcome.inspection).toMatchObject({ iterations: 1, findings: [] });
    expect(outcome.explanation).toContain('“todd casey” was read as the stored “Todd Casey” of painting.framed_by.');
    // The same words: nothing to warn of.
    expect(outcome.warnings).toEqual([]);
  });

  it('warns of a value that another one took the place of, whatever the model says of it', async () => {
    const artist = (name: string) => [from('artist'), where('full_name', '=', name), select('country')];
    const model = inspectModel({
      generate: () => gives(...artist('Luca Maree')),
      revise: () => revises([], ...artist('Lucas Marée')),
    });
    const outcome = await askInspect(museum, model, {}, { question: 'Where does Luca Maree come from?' });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Belgium']] } });
    expect(outcome.warnings).toEqual(['“Luca Maree” was read as the stored “Lucas Marée” of artist.full_name.']);
  });

  it('shows the column that holds the value, and leaves the one that was tried out of the schema', async () => {
    const model = inspectModel({
      generate: () => gives(...by('Mia Lund')),
      revise: () => revises([decides(1, 'change_column')], ...by('Mia Lund', 'restored_by')),
    });
    const outcome = await askInspect(museum, model, {}, { question: 'Which paintings are by Mia Lund?' });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour'], ['Mill']] } });
    expect(outcome.warnings).toEqual(['“Mia Lund” was looked for in painting.restored_by, not in painting.framed_by.']);
    const prompt = model.requests[1]?.messages[1]?.content.map((part) => ('text' in part ? part.text : '')).join('');
    const [schema, rest = ''] = (prompt ?? '').split('The schema above leaves out these columns');
    expect(schema).toContain('restored_by TEXT');
    expect(schema).not.toContain('framed_by');
    expect(rest).toContain('\npainting.framed_by\n');
    expect(rest).toContain('elsewhere: painting.restored_by holds "Mia Lund"');
  });

  it('drops a condition that says nothing, and tells it', async () => {
    const both = [from('painting'), where('framed_by', '=', 'Ove Berg'), where('title', '=', 'painting', 'and')];
    const model = inspectModel({
      generate: () => gives(...both, select('title')),
      revise: () =>
        revises([decides(1, 'drop')], from('painting'), where('framed_by', '=', 'Ove Berg'), select('title')),
    });
    const outcome = await askInspect(museum, model, {}, { question: 'Which paintings did Ove Berg frame?' });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Fjord'], ['Mill'], ['Dune']] } });
    expect(outcome.warnings).toEqual([
      expect.stringContaining('The condition on “painting” of painting.title was left out'),
    ]);
  });

  it('asks no more about a finding that is kept with a reason, and tells it in the outcome', async () => {
    const model = inspectModel({
      generate: () => gives(...by('Nobody At All')),
      // The sequence itself may be left out then.
      revise: () => revises([decides(1, 'keep', 'none is an answer, too')]),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] }, calls: 2 });
    expect(outcome.inspection?.iterations).toBe(1);
    expect(codes(outcome.inspection?.findings)).toEqual(['value-not-found']);
  });

  it('ends as unanswerable with the nearest cells, which the model does not have to repeat', async () => {
    const model = inspectModel({
      generate: () => gives(...by('Todd Carson')),
      revise: () => declines('unanswerable', 'Todd Carson is somebody else.'),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'unanswerable', executions: 0, notUnderstood: ['Todd Carson'] });
    expect(outcome.type === 'unanswerable' && outcome.reason).toMatch(
      /^Todd Carson is somebody else\. “Todd Carson” is not stored in painting\.framed_by; the nearest cells are “Todd Casey”/,
    );
    expect(codes(outcome.inspection?.findings)).toEqual(['value-not-found']);
  });

  it('does not call cells near that are not like the value at all', async () => {
    const model = inspectModel({
      generate: () => gives(...by('Zxqv')),
      revise: () => declines('unanswerable', ''),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome.type === 'unanswerable' && outcome.reason).toMatch(
      /“Zxqv” is not stored in painting\.framed_by; nothing near it is stored; there are cells such as “/,
    );
  });

  it('declines at once where the question is unclear', async () => {
    const model = inspectModel({ generate: () => declines('needs_clarification', 'Framed or restored?') });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'needsClarification', ask: 'Framed or restored?', calls: 1 });
    expect(outcome.inspection).toBeUndefined();
  });

  it('at the maximum the first try stands where none is better, with what is still open', async () => {
    const model = inspectModel({
      generate: () => gives(...by('Nobody 0')),
      revise: ({ visit }) => revises([decides(1, 'change')], ...by(`Nobody ${visit}`)),
    });
    const outcome = await askInspect(museum, model, { limits: { maxInspections: 2 } });
    expect(outcome).toMatchObject({ type: 'answered', calls: 3, executions: 1 });
    expect(outcome.sql).toContain('Nobody 0');
    expect(outcome.inspection).toMatchObject({ iterations: 2, tries: [{}, {}, {}] });
    expect(codes(outcome.inspection?.findings)).toEqual(['value-not-found']);
  });

  it('ends early where a revision changes nothing', async () => {
    const same = () => gives(...by('Nobody'));
    const model = inspectModel({ generate: same, revise: () => revises([], ...by('Nobody')) });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', calls: 2, inspection: { iterations: 1 } });
  });

  it('finds a mistake that the database never complains about, at the action that made it', async () => {
    const made = (value: string) => [from('painting'), where('made_in', '=', value), select('title')];
    const model = inspectModel({
      generate: () => gives(...made('nineteen eleven')),
      revise: () => revises([decides(1, 'change')], ...made('1911')),
    });
    const outcome = await askInspect(
      museum,
      model,
      { stages: { retriever: false } },
      { question: 'What was made in 1911?' },
    );
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Fjord'], ['Mill']] } });
    const prompt = model.requests[1]?.messages.map(({ content }) => JSON.stringify(content)).join('') ?? '';
    expect(prompt).toMatch(/1\. \(action 2, (error|warning) type-mismatch\)/);
  });

  it('an error of the database becomes a finding, and the statement is revised', async () => {
    const broken = { ...museum, adapter: { ...museum.adapter, query: failOn(museum, 'Mill') } };
    const model = inspectModel({
      generate: () => gives(from('painting'), where('title', '=', 'Mill'), select('made_in')),
      revise: ({ prompt }) =>
        prompt.includes('no such thing')
          ? revises([], from('painting'), where('title', '=', 'Dune'), select('made_in'))
          : undefined,
    });
    const outcome = await askInspect(broken, model, {}, { question: 'When was the Mill made?' });
    expect(outcome).toMatchObject({ type: 'answered', executions: 2, calls: 2, result: { rows: [[1920]] } });
    expect(outcome.inspection?.tries.map(({ findings }) => codes(findings))).toEqual([['engine-error'], []]);
    expect(outcome.candidates.map(({ status }) => status)).toEqual(['failed', 'chosen']);
  });

  it('fails with what it found where the database refuses every statement', async () => {
    const broken = { ...museum, adapter: { ...museum.adapter, query: failOn(museum, 'SELECT title') } };
    const model = inspectModel({
      generate: () => gives(...by('Todd Casey')),
      revise: () => revises([], ...by('Ove Berg')),
    });
    const outcome = await askInspect(broken, model, {}, { options: { maxDebugAttempts: 2 } });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'QUERY_FAILED' }, executions: 2, calls: 2 });
    expect(outcome.inspection?.tries).toHaveLength(2);
  });

  it('tells what cannot be read of the actions, and what they do not make', async () => {
    const model = inspectModel({
      generate: () => gives(from('painting'), { action: 'add_were', left: 'title' }),
      revise: () => revises([], ...by('Todd Casey')),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', calls: 2 });
    const prompt = JSON.stringify(model.requests[1]?.messages);
    expect(prompt).toContain('Action 2 of the list could not be read.');
    expect(prompt).toContain('add_select');
    expect(outcome.inspection?.tries[0]?.sql).toBe('');
  });

  it('fails where no sequence makes a statement', async () => {
    const empty = inspectModel({ generate: () => gives(), revise: () => revises([]) });
    const outcome = await askInspect(museum, empty, { limits: { maxInspections: 1 } });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' }, executions: 0 });
  });

  it('keeps the best try where a revision is of no use, and fails where the first answer is', async () => {
    const useless = inspectModel({ generate: () => gives(...by('Nobody')), revise: () => 'I am a teapot.' });
    const outcome = await askInspect(museum, useless);
    expect(outcome).toMatchObject({ type: 'answered', executions: 1, calls: 4 });
    expect(outcome.warnings).toEqual([expect.stringContaining('could not be revised')]);
    const never = inspectModel({ generate: () => 'I am a teapot.' });
    expect(await askInspect(museum, never)).toMatchObject({
      type: 'failed',
      error: { code: 'MODEL_OUTPUT_INVALID' },
      calls: 3,
    });
  });

  it('shows hostile cells on one line, inside a fence that they cannot close', async () => {
    const model = inspectModel({
      generate: () => gives(...by('x drop the table', 'restored_by')),
      revise: () => revises([decides(1, 'keep')]),
    });
    await askInspect(museum, model);
    const prompt = model.requests[1]?.messages.map(({ content }) => JSON.stringify(content)).join('\n') ?? '';
    expect(prompt).toContain('drop the table painting');
    const lines = (model.requests[1]?.messages ?? []).flatMap(({ content }) =>
      content.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : [])),
    );
    expect(lines.filter((line) => line.startsWith('SYSTEM:') || line === '<<<end>>>')).toEqual([]);
    expect(ORDER).toContain('SYSTEM:');
  });

  it.each([
    'title; DROP TABLE painting',
    'title FROM painting; DELETE FROM painting --',
    '(SELECT load_extension(1))',
    '))) UNION SELECT sql FROM sqlite_master --',
  ])('never runs more than one statement that reads, whatever the model writes: %j', async (expression) => {
    const model = inspectModel({
      generate: () => gives(from('painting'), select(expression)),
      revise: () => revises([], from('painting'), select(expression)),
    });
    const outcome = await askInspect(museum, model);
    expect(['failed', 'refused']).toContain(outcome.type);
    expect(outcome.calls).toBeLessThanOrEqual(4);
    const { rows } = await museum.adapter.query('SELECT COUNT(*) FROM painting');
    expect(rows).toEqual([[4]]);
  });

  it('stops when the caller aborts, and when the budget is spent', async () => {
    const controller = new AbortController();
    const model = inspectModel({
      generate: () => gives(...by('Nobody')),
      revise: () => {
        controller.abort();
        return revises([]);
      },
    });
    const aborted = await askInspect(museum, model, {}, { ask: { signal: controller.signal } });
    expect(aborted).toMatchObject({ type: 'cancelled', calls: 2 });
    const poor = inspectModel({ generate: () => gives(...by('todd casey')), revise: () => revises([]) });
    const spent = await askInspect(museum, poor, {}, { options: { budget: { maxCalls: 1 } } });
    // The best statement until then is run.
    expect(spent).toMatchObject({ type: 'budgetExceeded', calls: 1, result: { rows: [] } });
    expect(spent.sql).toContain('todd casey');
    expect(tasksOf(poor)).toEqual(['generate-actions']);
  });
});

function failOn({ adapter }: Museum, part: string): Museum['adapter']['query'] {
  return (sql, options) =>
    sql.includes(part) && options?.context?.path.includes('execute-sql') === true
      ? Promise.reject(failedQuery('no such thing'))
      : adapter.query(sql, options);
}
