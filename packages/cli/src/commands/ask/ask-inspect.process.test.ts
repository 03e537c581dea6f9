import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/**
 * A model that first compares with a value as it was asked, and then, when it is told so, with the stored one (or keeps
 * it).
 */
const CONFIG = `
  import { defineConfig } from 'askema';
  import { scriptedModel } from '@askema/testkit';
  const actions = (city) => [
    { action: 'add_from', relation: 'customer', alias: '', joins: [] },
    { action: 'add_where', left: 'city', operator: '=', right: [{ kind: 'text', value: city }], link: '', group: 0 },
    { action: 'add_select', distinct: false, items: [{ expression: 'name', alias: '' }] },
  ];
  const answer = (city, decisions) => ({
    json: { thinking: '', outcome: 'actions', explanation: 'Scripted.', not_understood: [], decisions, actions: actions(city) },
  });
  const model = (city) => () => scriptedModel(
    (request) => request.output.name.includes('revise')
      ? answer(city, [{ finding: 1, decision: city === 'Londn' ? 'keep' : 'use_cell', reason: 'so' }])
      : answer('Londn', []),
    { capabilities: { structuredOutput: true, tools: false } },
  );
  export default defineConfig({
    models: { scripted: model('London'), stubborn: model('Londn') },
    defaults: { model: 'scripted', flow: 'inspect' },
    lint: { severities: { 'redundant-join': 'off' } },
  });
`;

let project: TemporaryProject;
let config = '';
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  config = project.write('config-inspect.ts', CONFIG);
});
afterAll(() => project.remove());

const ask = (...flags: readonly string[]) =>
  runInProcess(['ask', 'shop.sqlite', 'Who lives in Londn?', '--config', config, ...flags], { cwd: project.folder });

// The first question loads everything.
describe('askema ask --flow inspect', { timeout: 60_000 }, () => {
  it('answers with the stored value, and tells that it took another one', async () => {
    const { code, stdout, stderr } = await ask();
    expect([code, stdout]).toEqual([0, 'name\n----\nAda\n(1 row)\n']);
    expect(stderr).toMatch(/warning: “Londn” was read as the stored “London”/);
    expect(stderr).toMatch(/ · inspect · 2 model calls .* · 1 revision/);
    expect(stderr).not.toContain('still open');
  });

  it('tells what was still open at the end', async () => {
    const { stderr } = await ask('--model', 'stubborn');
    expect(stderr).toMatch(/still open: .*Londn.* \[value-not-found\]/);
  });

  it('in json, carries the inspection', async () => {
    const { stdout } = await ask('--format', 'json');
    expect(JSON.parse(stdout).inspection).toMatchObject({
      iterations: 1,
      findings: [],
      tries: [{ findings: [{ code: 'value-not-found' }] }, { findings: [] }],
    });
  });

  it('inspects with an index of values, less often, and without a tool', async () => {
    await runInProcess(['index', 'shop.sqlite', '--out', 'shop.values'], { cwd: project.folder });
    expect(await ask('--value-index', 'shop.values')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Ada'),
    });
    expect((await ask('--max-inspections', '0')).stderr).toContain('· 0 revisions');
    expect((await ask('--without', 'retriever')).stdout).toContain('(0 rows)');
    expect((await ask('--without', 'retriever', '--engine-errors')).stderr).toContain('· 0 revisions');
  });

  it.each([
    [['--flow', 'plain', '--max-inspections', '2'], 'Add --flow inspect'],
    [['--flow', 'refine', '--without', 'retriever'], '--without retriever belongs to the flow `inspect`'],
    [['--without', 'detecter'], 'Did you mean `detector`?'],
    [['--threads', '2'], 'Add --flow refine'],
    [['--engine-errors', '--without', 'planner'], 'give one of them'],
    [['--max-inspections', 'x'], '--max-inspections'],
    [['--no-samples'], 'shows it cells'],
    [['--value-index', 'gone.values'], 'askema index DATABASE'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await ask(...flags);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('askema eval run --flow inspect', { timeout: 60_000 }, () => {
  it('measures it with the indexes of a folder, and says what fewer revisions would be worth', async () => {
    mkdirSync(project.path('set/databases'), { recursive: true });
    project.database('set/databases/shop.sqlite', SHOP_SQL);
    const question = { id: 'q1', db_id: 'shop', question: 'Who lives in Londn?', category: 'c', difficulty: 'easy' };
    const gold_sql = "SELECT name FROM customer WHERE city = 'London'";
    project.write('set/questions.jsonl', `${JSON.stringify({ ...question, gold_sql })}\n`);
    const cwd = project.folder;
    await runInProcess(['index', 'set/databases/shop.sqlite', '--out', 'values/shop.values.sqlite'], { cwd });
    const flags = ['--out', 'run', '--config', config, '--value-index', 'values'];
    const { code, stdout } = await runInProcess(['eval', 'run', 'set', ...flags], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('1.00 revisions a question; accuracy by the most revisions: 0: 0.0 %, 1: 100.0 %');
    expect(JSON.parse(readFileSync(project.path('run/results.jsonl'), 'utf8')).inspection).toEqual({
      iterations: 1,
      findings: [],
      rightByTry: [false, true],
    });
  });
});
