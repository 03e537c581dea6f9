import type { JsonValue } from '@askema/core';
import type { ScriptedReply } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../../fixtures/scripted-adapter.ts';
import { inspect } from './inspect.ts';
import {
  askInspect,
  decides,
  from,
  gives,
  inspectModel,
  type Museum,
  openMuseum,
  qa,
  revises,
  select,
  where,
} from './inspect-fixture.ts';

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
}, 60_000);
afterAll(() => museum.close());

const framed = (name: string) => [from('painting'), where('framed_by', '=', name), select('title')];
const restored = (name: string, likelihood = 'equal') => ({
  meaning: 'Those that he restored.',
  sql: `SELECT title FROM painting WHERE restored_by = '${name}'`,
  likelihood,
});

function withReadings(reply: ScriptedReply, ...readings: readonly JsonValue[]): ScriptedReply {
  const { json } = reply as { readonly json: { readonly [key: string]: JsonValue } };
  return { json: { ...json, other_readings: readings } };
}

describe('a question with two readings', () => {
  it('is asked back with what each gives, by the stored values, and the choice runs without a model', async () => {
    const model = inspectModel({
      generate: () => withReadings(gives(...framed('todd casey')), restored('todd casey')),
      revise: () => revises([decides(1, 'use_cell')], ...framed('Todd Casey')),
    });
    const { adapter, parser } = museum;
    const flow = inspect({ reviseFrom: 'error' });
    const text2sql = createText2Sql({ adapter, parser, model, flow, sampleValues: 0 });
    const outcome = await text2sql.ask('Which paintings did todd casey work on?', { runId: 'r' });
    expect(outcome).toMatchObject({
      type: 'needsClarification',
      choices: [{ gives: 'Harbour' }, { meaning: 'Those that he restored.', gives: 'Fjord' }],
      calls: 2,
    });
    expect(await text2sql.resume('r', { answer: '2' })).toMatchObject({
      type: 'answered',
      sql: restored('Todd Casey').sql,
      explanation: 'Those that he restored.',
      result: { rows: [['Fjord']] },
      calls: 0,
    });
    await text2sql.close();
  });

  it('is answered with an assumption where the other one is less likely', async () => {
    const lower = restored('Todd Casey', 'lower');
    const model = inspectModel({ generate: () => withReadings(gives(...framed('Todd Casey')), lower) });
    expect(await askInspect(museum, model)).toMatchObject({
      type: 'answered',
      result: { rows: [['Harbour']] },
      assumptions: [{ text: 'It can also be read as: Those that he restored. That gives Fjord.' }],
    });
  });

  it('is none where the other one compares with a value that was given up', async () => {
    const other = {
      meaning: 'Of Norway.',
      sql: "SELECT full_name FROM artist WHERE country <> 'Nowhere'",
      likelihood: 'equal',
    };
    const of = (...more: readonly ReturnType<typeof where>[]) => [from('artist'), ...more, select('artist_id')];
    const model = inspectModel({
      generate: () => withReadings(gives(...of(where('country', '=', 'Nowhere'))), other),
      revise: () => revises([decides(1, 'drop')], ...of()),
    });
    expect(await askInspect(museum, model)).toMatchObject({ type: 'answered', assumptions: [], executions: 1 });
  });

  it('is read so by tools, too, and only where the whole question is asked', async () => {
    const tools = (...actions: readonly { readonly [key: string]: JsonValue }[]): ScriptedReply => ({
      toolCalls: actions.map(({ action, ...rest }) => ({ name: String(action), arguments: rest })),
    });
    const model = inspectModel(
      {
        generate: ({ question }) =>
          question.startsWith('Who')
            ? tools(from('painting'), where('title', '=', 'Harbour'), select('framed_by'))
            : tools(
                { action: 'other_readings', readings: [restored('Todd Casey')] },
                qa('framer', 'Who framed Harbour?'),
                from('painting'),
                where('framed_by', '=', '$framer'),
                select('title'),
              ),
      },
      true,
    );
    const outcome = await askInspect(museum, model);
    expect(outcome).toMatchObject({ type: 'needsClarification', choices: [{ gives: 'Harbour' }, { gives: 'Fjord' }] });
    const offered = model.requests.map((request) => request.tools?.some(({ name }) => name === 'other_readings'));
    expect(offered).toEqual([true, false]);
  });

  it('is asked anew where the database refuses what was chosen', async () => {
    let isRefused = false;
    const adapter = scriptedAdapter((sql) => {
      if (sql.includes('chosen')) return isRefused ? failedQuery('no such column: chosen') : [['Ann']];
      return [['Bob']];
    });
    const chosen = { meaning: 'The chosen one.', sql: 'SELECT chosen FROM customer', likelihood: 'equal' };
    const model = inspectModel({ generate: () => withReadings(gives(from('customer'), select('name')), chosen) });
    const flow = inspect({ reviseFrom: 'error', stages: { retriever: false } });
    const text2sql = createText2Sql({ adapter, parser: museum.parser, model, flow });
    await text2sql.ask('Who?', { runId: 'r' });
    isRefused = true;
    expect(await text2sql.resume('r', { answer: '2' })).toMatchObject({
      type: 'answered',
      result: { rows: [['Bob']] },
      calls: 1,
    });
    await text2sql.close();
  });
});
