import { type Adapter, AskemaError, defineStep, type LanguageModel, type Outcome, type Solver } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedSolver, sqlOutput } from '../fixtures/scripted-solver.ts';
import { auto } from '../flows/auto/auto.ts';
import { direct } from '../flows/direct/direct.ts';
import { inspect } from '../flows/inspect/inspect.ts';
import { from, gives, inspectModel, type Museum, openMuseum, select, where } from '../flows/inspect/inspect-fixture.ts';
import { plain } from '../flows/plain/plain.ts';
import { react } from '../flows/react/react.ts';
import { judged, written } from '../flows/refine/cte/cte-fixture.ts';
import { refine } from '../flows/refine/refine.ts';
import { BARE, changes, threadModel, writes } from '../flows/refine/refine-fixture.ts';
import { text2SqlFlow } from '../question/flow-spec.ts';
import type { Text2SqlOptions } from '../text2sql-options.ts';

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
}, 60_000);
afterAll(() => museum.close());

const framed = (name: string) => `SELECT title FROM painting WHERE framed_by = '${name}'`;
const READ_AS = '“tod casey” was read as the stored “Todd Casey” of painting.framed_by.';

async function ask(model: LanguageModel | Solver, options: Partial<Text2SqlOptions> = {}): Promise<Outcome> {
  const { adapter, parser } = museum;
  const text2sql = createText2Sql({ adapter, parser, model, flow: plain(), alignValues: true, ...options });
  const outcome = await text2sql.ask('Which titles of paintings did tod casey frame?');
  await text2sql.close();
  return outcome;
}

const solver = (sql: string) => scriptedSolver([sql]);
const model = (sql: string) => scriptedModel([{ json: sqlOutput(sql) }]);

/** The plain flow with a step of one's own. */
function ownFlow() {
  const base = plain();
  const note = defineStep<object>()({ name: 'note', exec: () => null, post: () => undefined });
  return text2SqlFlow({ ...base, flow: base.flow.before('execute-sql', note).with({ name: 'mine' }) });
}

const WRITTEN = framed('tod casey');
/** Each flow, with a model that writes the name as the question does. */
const FLOWS: Readonly<Record<string, () => readonly [LanguageModel | Solver, Text2SqlOptions['flow']]>> = {
  plain: () => [solver(WRITTEN), plain()],
  'one of ones own': () => [solver(WRITTEN), ownFlow()],
  auto: () => [model(WRITTEN), auto()],
  direct: () => [scriptedModel([WRITTEN]), direct()],
  react: () => [
    scriptedModel([{ toolCalls: [{ id: 'end', name: 'terminate', arguments: sqlOutput(WRITTEN) }] }], {
      capabilities: { tools: true, structuredOutput: true },
    }),
    react(),
  ],
  inspect: () => [
    inspectModel({
      generate: () => gives(from('painting'), where('framed_by', '=', 'tod casey'), select('title')),
    }),
    inspect({ stages: { retriever: false } }),
  ],
  refine: () => [
    threadModel({ write: () => writes(WRITTEN) }),
    refine({ stages: { ...BARE, format: false }, limits: { threads: 1 } }),
  ],
  'refine, CTE by CTE,': () => [
    scriptedModel(({ output }) =>
      output?.name.includes('judge') === true
        ? judged('right')
        : written(`WITH framed AS (${WRITTEN}) SELECT title FROM framed`),
    ),
    refine({ stages: { ...BARE, format: false, cte: 'only' }, limits: { threads: 1 } }),
  ],
};

describe('alignValues', { timeout: 60_000 }, () => {
  it.each(Object.keys(FLOWS))('runs the statement of the flow %s with the stored value, and says so', async (name) => {
    const [asked, flow] = FLOWS[name]?.() ?? [];
    const outcome = await ask(asked as LanguageModel, { flow });
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [['Harbour']] } });
    expect(outcome.sql?.replaceAll(/\s+/g, ' ')).toContain("framed_by = 'Todd Casey'");
    expect(outcome.explanation).toContain(READ_AS);
    expect(outcome.warnings).toEqual([READ_AS]);
    expect(outcome.candidates.filter(({ status }) => status === 'chosen')).toMatchObject([{ sql: outcome.sql }]);
  });

  it('is off unless asked for', async () => {
    const outcome = await ask(solver(WRITTEN), { alignValues: undefined });
    expect(outcome).toMatchObject({ sql: WRITTEN, explanation: 'read as asked', warnings: [], result: { rows: [] } });
  });

  it('warns of nothing where only case differs', async () => {
    const outcome = await ask(solver(framed('todd casey')));
    expect(outcome).toMatchObject({ type: 'answered', sql: framed('Todd Casey'), warnings: [] });
    expect(outcome.explanation).toBe(
      'read as asked “todd casey” was read as the stored “Todd Casey” of painting.framed_by.',
    );
  });

  it('aligns other readings, and says it in what they mean', async () => {
    const other = { meaning: 'Who restored it.', likelihood: 'equal' };
    const sql = "SELECT title FROM painting WHERE restored_by = 'tod casey'";
    const outcome = await ask(scriptedSolver([sqlOutput(WRITTEN, { other_readings: [{ ...other, sql }] as never[] })]));
    expect(outcome).toMatchObject({
      type: 'needsClarification',
      choices: [
        { meaning: `read as asked ${READ_AS}`, resolution: { sql: framed('Todd Casey') } },
        {
          meaning: 'Who restored it. “tod casey” was read as the stored “Todd Casey” of painting.restored_by.',
          resolution: { sql: sql.replace('tod casey', 'Todd Casey') },
        },
      ],
    });
  });

  it('shows no cell to a model that mends what the database refused', async () => {
    const broken = `${WRITTEN} AND nothing = 1`;
    const mending = scriptedSolver([broken, { sql: WRITTEN, explanation: 'mended' }]);
    const outcome = await ask(mending, { sampleValues: 0, linkValues: false });
    expect(outcome).toMatchObject({ type: 'answered', sql: framed('Todd Casey'), explanation: `mended ${READ_AS}` });
    expect(mending.asked[1]?.input).toMatchObject({ sql: broken });
    expect(JSON.stringify(mending.asked)).not.toContain('Todd');
  });

  it('says what a thread read otherwise, also where a later statement was written with it', async () => {
    const reviewed = `${framed('Todd Casey')} ORDER BY title`;
    const asked = threadModel({
      write: () => writes(WRITTEN),
      review: ({ visit }) => (visit === 1 ? changes(reviewed) : undefined),
    });
    const flow = refine({
      stages: { ...BARE, format: false },
      rules: { review: 'always' },
      limits: { threads: 1, agreements: 2 },
    });
    const outcome = await ask(asked, { flow });
    expect(outcome).toMatchObject({ type: 'answered', sql: reviewed });
    expect(outcome.explanation).toContain(READ_AS);
  });

  it('aligns a revision of the flow auto, and says it of the answer that stands alone', async () => {
    const revision = { assessment: '', is_right: 'no', sql: WRITTEN, explanation: 'revised' };
    const first = sqlOutput("SELECT title FROM painting WHERE title = 'harbor' AND made_in = 1");
    const outcome = await ask(scriptedModel([{ json: first }, { json: revision }]), { flow: auto() });
    expect(outcome).toMatchObject({ type: 'answered', sql: framed('Todd Casey'), warnings: [READ_AS] });
    expect(outcome.explanation).toBe(`revised ${READ_AS}`);
    expect(outcome.candidates[0]?.sql).toContain("title = 'Harbour'");
  });

  it('goes on where cells cannot be looked up, and says it', async () => {
    const failing: Text2SqlOptions['parser'] = {
      parse: async () => {
        throw new AskemaError('DEPENDENCY_MISSING', 'There is no parser.');
      },
    };
    expect(await ask(solver(WRITTEN), { parser: failing })).toMatchObject({
      type: 'answered',
      sql: WRITTEN,
      warnings: ['Values of conditions could not be looked up: There is no parser.'],
    });
  });

  it('looks cells up in the given index', async () => {
    const texts: string[] = [];
    const valueIndex: Text2SqlOptions['valueIndex'] = {
      find: async ({ text }) => {
        texts.push(text);
        return [];
      },
      close: async () => undefined,
    };
    expect(await ask(solver(WRITTEN), { valueIndex, linkValues: false })).toMatchObject({ sql: WRITTEN });
    expect(texts).toContain('tod casey');
  });

  it('sends a statement that changes something as it was written', async () => {
    const sent: string[] = [];
    const adapter: Adapter = {
      ...museum.adapter,
      access: 'write',
      query: async (sql, options) => {
        if (!/^(?:update|delete)/i.test(sql)) return museum.adapter.query(sql, options);
        sent.push(sql);
        return { columns: [], rows: [], affectedRows: 0, elapsedMs: 0 };
      },
    };
    const update = "UPDATE painting SET title = 'x' WHERE framed_by = 'tod casey'";
    await ask(solver(update), { adapter, access: 'write' });
    expect(sent).toEqual([update]);
  });

  it('is true or false', () => {
    const create = () =>
      createText2Sql({ adapter: museum.adapter, model: solver(''), alignValues: 'yes' as unknown as boolean });
    expect(create).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
