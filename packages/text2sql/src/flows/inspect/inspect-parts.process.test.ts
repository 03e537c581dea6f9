import type { InspectionRule } from '@askema/lint';
import type { ScriptedReply } from '@askema/testkit';
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

const by = (name: string, column = 'framed_by') => [from('painting'), where(column, '=', name), select('title')];

describe('a schema of which something was left out', () => {
  it('is shown in full where the model asks for it', async () => {
    const asks = { json: { ...(gives() as { json: object }).json, expand: ['painting'] } } as ScriptedReply;
    const model = inspectModel({
      generate: ({ visit }) =>
        visit === 1 ? asks : gives(from('painting'), where('title', '=', 'Mill'), select('title')),
    });
    const outcome = await askInspect(museum, model, {}, { options: { maxSchemaTokens: 1 } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Mill']] }, calls: 2 });
    const [first, second] = model.requests.map(({ messages }) => JSON.stringify(messages));
    expect(first).not.toContain('CREATE TABLE painting');
    expect(second).toContain('CREATE TABLE painting');
  });
});

describe('the structure of conditions', () => {
  const two = (link: string) => [
    from('painting'),
    where('title', '=', 'Mill'),
    where('title', '=', 'Dune', link),
    select('made_in'),
  ];
  const structure = (text: string): ScriptedReply => ({ json: { structures: [{ clause: 1, structure: text }] } });

  it('is asked for only where the actions do not say it', async () => {
    const model = inspectModel({ generate: () => gives(...two('none')), connect: () => structure('2 or 3') });
    // What AND of both makes of it is no matter here.
    const outcome = await askInspect(museum, model, { severities: { contradiction: 'note' } });
    expect(tasksOf(model)).toEqual(['generate-actions', 'connect-conditions']);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[1911], [1920]] }, calls: 2 });
    const said = inspectModel({ generate: () => gives(...two('or')) });
    const question = 'When were the Mill and the Dune made?';
    expect(await askInspect(museum, said, {}, { question })).toMatchObject({
      type: 'answered',
      result: { rows: [[1911], [1920]] },
      calls: 1,
    });
  });

  it('is AND, with a warning, where nothing usable is said', async () => {
    const model = inspectModel({ generate: () => gives(...two('none')), connect: () => structure('2 xor 3') });
    const outcome = await askInspect(museum, model, { severities: { contradiction: 'note' } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] } });
    expect(outcome.warnings).toEqual([expect.stringContaining('connected by AND')]);
  });
});

describe('set operations', () => {
  it('merge two queries', async () => {
    const model = inspectModel({
      generate: () =>
        gives(...by('Todd Casey'), { action: 'add_merge', operator: 'union' }, ...by('Todd Casey', 'restored_by')),
    });
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Fjord'], ['Harbour']] } });
  });
});

describe('native tool calls', () => {
  const calls = (...actions: readonly { readonly [key: string]: unknown }[]): ScriptedReply => ({
    toolCalls: actions.map(({ action, ...rest }, at) => ({
      id: `c${at}`,
      name: String(action),
      arguments: rest as never,
    })),
  });
  const [first, ...rest] = by('Todd Casey') as [ReturnType<typeof from>, ...ReturnType<typeof from>[]];

  it('make a sequence, also over several turns', async () => {
    const model = inspectModel({ generate: ({ visit }) => (visit === 1 ? calls(first) : calls(...rest)) }, true);
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 2 });
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
      'other_readings',
      'add_from',
      'add_where',
      'add_group_by',
      'add_having',
      'add_order_by',
      'add_limit',
      'add_select',
      'add_merge',
      'qa',
      'decline',
    ]);
  });

  it('that come one a turn are asked for in structured form when the turns are used up', async () => {
    const model = inspectModel(
      {
        generate: ({ visit, request }) =>
          request.tools === undefined ? gives(first, ...rest) : calls(where('title', '<>', String(visit))),
      },
      true,
    );
    const outcome = await askInspect(museum, model, { limits: { maxTurns: 2 } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] }, calls: 3 });
  });

  it('that begin again replace what was there', async () => {
    const model = inspectModel(
      { generate: ({ visit }) => (visit === 1 ? calls(from('artist')) : calls(first, ...rest)) },
      true,
    );
    expect(await askInspect(museum, model)).toMatchObject({
      type: 'answered',
      result: { rows: [['Harbour']] },
      calls: 2,
    });
  });

  it('decide on findings, and decline', async () => {
    const model = inspectModel(
      {
        generate: () => calls(...by('Nobody')),
        revise: () => calls({ action: 'decide', ...decides(1, 'keep') }, ...by('Nobody')),
      },
      true,
    );
    expect(await askInspect(museum, model)).toMatchObject({ type: 'answered', result: { rows: [] }, calls: 2 });
    const decline = {
      action: 'decline',
      outcome: 'unanswerable',
      explanation: 'No frames.',
      not_understood: ['frame'],
    };
    const declining = inspectModel({ generate: () => calls(decline) }, true);
    expect(await askInspect(museum, declining)).toMatchObject({
      type: 'unanswerable',
      notUnderstood: ['frame'],
      calls: 1,
    });
  });

  it('may come as text, and are asked for a bounded number of times', async () => {
    const text = gives(first, ...rest) as { json: object };
    const model = inspectModel({ generate: () => `Here: ${JSON.stringify(text.json)}` }, true);
    expect(await askInspect(museum, model)).toMatchObject({ type: 'answered', calls: 1 });
    const never = inspectModel({ generate: () => 'I am a teapot.' }, true);
    const outcome = await askInspect(museum, never);
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' }, calls: 4 });
  });

  it('are not used where structured output is wanted', async () => {
    const model = inspectModel(
      { generate: ({ request }) => (request.tools ? undefined : gives(first, ...rest)) },
      true,
    );
    expect(await askInspect(museum, model, { actions: 'structured' })).toMatchObject({ type: 'answered' });
    const without = inspectModel({});
    const outcome = await askInspect(museum, without, { actions: 'tools' });
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'CAPABILITY_UNSUPPORTED' } });
  });
});

describe('switches', () => {
  const NO_RULES = { detector: false, planner: false } as const;

  it('without the retriever, values are not looked up', async () => {
    const model = inspectModel({ generate: () => gives(...by('todd casey')) });
    const outcome = await askInspect(museum, model, { stages: { retriever: false } });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [] }, inspection: { iterations: 0 } });
  });

  it('without the detector, only the values are', async () => {
    const model = inspectModel({
      generate: () => gives(from('painting'), where('made_in', '=', 'x'), select('title')),
    });
    const outcome = await askInspect(museum, model, { stages: NO_RULES });
    expect(outcome.inspection?.findings.every(({ code }) => code === 'value-not-found')).toBe(true);
    const spelled = inspectModel({
      generate: () => gives(...by('todd casey')),
      revise: () => revises([], ...by('Todd Casey')),
    });
    expect(await askInspect(museum, spelled, { stages: NO_RULES })).toMatchObject({ result: { rows: [['Harbour']] } });
  });

  it("puts the database's own errors in the detector's place", async () => {
    const model = inspectModel({
      generate: () => gives(from('painting'), select('nosuchfunction(title)')),
      revise: ({ prompt }) =>
        prompt.includes('engine-error') ? revises([], from('painting'), select('title')) : undefined,
    });
    const stages = { ...NO_RULES, retriever: false, engineErrors: true };
    const outcome = await askInspect(museum, model, { stages });
    expect(outcome).toMatchObject({ type: 'answered', inspection: { iterations: 1 } });
  });

  it('rules of the user stand beside the others, and severities can be changed', async () => {
    const rule: InspectionRule = {
      code: 'custom/no-titles',
      severity: 'error',
      title: 'Titles are secret.',
      check: ({ sql }) =>
        sql.includes('title')
          ? [{ message: 'A title is selected.', advice: 'Select another column.', span: { start: 7, end: 12 } }]
          : [],
    };
    const question = 'What did Ove Berg frame?';
    const script = {
      generate: () => gives(...by('Ove Berg')),
      revise: () => revises([], from('painting'), where('framed_by', '=', 'Ove Berg'), select('made_in')),
    };
    const model = inspectModel(script);
    const outcome = await askInspect(museum, model, { rules: [rule] }, { question });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[1911], [1911], [1920]] }, calls: 2 });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('(action 3, error custom/no-titles)');
    const severities = async (severity: 'off' | 'warning') => {
      const changed = { rules: [rule], severities: { 'custom/no-titles': severity } };
      const { calls, inspection } = await askInspect(museum, inspectModel(script), changed, { question });
      return [calls, inspection?.findings.some(({ code }) => code === 'custom/no-titles')];
    };
    expect(await severities('off')).toEqual([1, false]);
    // Below `reviseFrom`: nobody is asked, and the outcome tells.
    expect(await severities('warning')).toEqual([1, true]);
  });

  it('may leave tried columns in the schema', async () => {
    const model = inspectModel({ generate: () => gives(...by('Nobody')), revise: () => revises([decides(1, 'keep')]) });
    await askInspect(museum, model, { hideTriedColumns: false });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('framed_by TEXT');
  });

  it('a stage may have a model of its own', async () => {
    const revising = inspectModel({ revise: () => revises([decides(1, 'keep')]) });
    const model = inspectModel({ generate: () => gives(...by('Nobody')) });
    await askInspect(museum, model, { models: { revise: revising } });
    expect([tasksOf(model), tasksOf(revising)]).toEqual([['generate-actions'], ['revise-actions']]);
  });
});
