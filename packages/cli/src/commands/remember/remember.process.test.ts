import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const MODEL = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: customers
    source: customer
    fields:
      - { name: name, expression: { dialects: [{ dialect: ANSI_SQL, expression: name }] }, dimension: {} }
metrics:
  - name: customer_count
    expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(customers.name) }] }
`;
const SCRIPT = `
  import { scriptedModel } from '@askema/testkit';
  const sql = (sql) => ({ json: { outcome: 'sql', sql, explanation: '', not_understood: [], other_readings: [], would_agree: 'ten' } });
  const metric = { kind: 'metric', name: 'customer_count', expression: 'COUNT(DISTINCT customers.name)', filter: '', time: '', synonyms: [], about: [] };
  export default { models: {
    seven: () => scriptedModel([sql('SELECT 7 AS n')]),
    eight: () => scriptedModel([sql("SELECT 8 AS n WHERE 'Bonn' = 'Bonn' OR '2024-01-01' = 'x'")]),
    teacher: () => scriptedModel([{ json: metric }]),
  } };`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.write('knowledge/models/shop.ossie.yaml', MODEL);
  project.write('askema.config.ts', SCRIPT);
});
afterEach(() => project.remove());

const run = (...parameters: readonly string[]) =>
  runInProcess(parameters, { cwd: project.folder, env: { ASKEMA_HISTORY: project.path('history') } });
const ask = (question: string, ...flags: string[]) =>
  run(
    'ask',
    'shop.sqlite',
    question,
    '--knowledge',
    'knowledge',
    '--format',
    'csv',
    '--flow',
    'plain',
    '--model',
    'seven',
    ...flags,
  );
const remember = (...flags: string[]) => run('remember', '--by', 'ann', ...flags);

describe('askema remember', { timeout: 60_000 }, () => {
  it('proposes the last answer, which nobody sees before it is accepted, and which then answers', async () => {
    expect((await ask('How lucky are we?')).stdout).toBe('n\r\n7\r\n');
    const kept = await remember();
    expect(kept).toMatchObject({
      code: 0,
      stdout: [
        'question  How lucky are we?',
        'sql       SELECT 7 AS n',
        'proposed  query:how-lucky-are-we',
        'file      proposals/by/ann/sql/how-lucky-are-we.md\n',
      ].join('\n'),
    });
    const next = 'askema knowledge accept query:how-lucky-are-we --of ann';
    expect(kept.stderr).toBe(`Nothing uses it before somebody accepts it: ${next}\n`);
    expect((await ask('How lucky are we?')).stderr).not.toContain('verified query');
    const list = await run('knowledge', 'list', '--state', 'proposed');
    expect(list.stdout).toMatch(/^proposed +query:how-lucky-are-we +confirmed by ann +proposals\/by\/ann\/sql/);
    expect((await run('knowledge', 'accept', '--all', '--yes')).stderr).toMatch(
      /stays; .*--of ann[\s\S]*Nothing is proposed/,
    );
    const accepted = await run(...next.split(' ').slice(1), '--yes', '--by', 'kim');
    expect(accepted.stdout).toBe('query:how-lucky-are-we sql/how-lucky-are-we.md (proposed by ann)\n');
    const answer = await run(
      'ask',
      'shop.sqlite',
      'how lucky are we',
      '--knowledge',
      'knowledge',
      '--flow',
      'auto',
      '--model',
      'seven',
    );
    expect(answer.stderr).toContain('based on: verified query how-lucky-are-we (accepted)');
    expect((await remember()).stderr).toContain('An accepted query answers that already');
  });

  it('keeps values as holes, and tells two persons apart', async () => {
    await ask('Luck in Bonn?', '--model', 'eight');
    const twice = await remember('--parameter', 'city=Bonn');
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('2 times as a literal')]);
    await ask('Luck since 2024-01-01?', '--model', 'eight');
    expect((await remember('--parameter', 'start=2024-01-01')).stdout).toContain('Luck since {start}?');
    await run('remember', '--by', '../Bob', '--parameter', 'start=2024-01-01');
    expect(existsSync(project.path('knowledge/proposals/by/%2e%2e%2f%42ob/sql/luck-since-start.md'))).toBe(true);
    const both = await run('knowledge', 'accept', 'query:luck-since-start', '--yes');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--of ../Bob, --of ann')]);
    expect((await run('knowledge', 'diff')).stdout).toContain('query:luck-since-start added by ../Bob');
    const check = await run('knowledge', 'check', 'shop.sqlite');
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('0 errors')]);
  });

  it.each([
    [['What luck?', '--evidence', 'luck is seven'], [], 'what was said beside it'],
    [['What luck today?', '--model', 'eight'], [], '"today" means other days'],
    [['What luck?', '--write', '--yes'], [], 'could change data'],
    [['Luck of {who}?'], [], 'would be a hole'],
    [['What luck?'], ['--wrong', '--correct', 'x'], 'give one of these'],
    [['What luck?'], ['--model', 'seven'], 'give it with --correct'],
    [['What luck?'], ['--parameter', 'city'], 'must be name=value'],
    [['What luck?'], ['--by', 'a\u202eb'], 'is no name of a person'],
    [['What luck?'], ['--folder', 'nowhere'], 'There is no folder of knowledge'],
  ])('does not keep %j with %j', async ([question = '', ...flags], more, message) => {
    await ask(question, ...flags);
    const { code, stdout, stderr } = await remember(...more);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(existsSync(project.path('knowledge/proposals'))).toBe(false);
  });

  it('keeps what was told beside the question in a question that says it all', async () => {
    await ask('What luck?', '--evidence', 'luck is seven');
    const kept = await remember('--question', 'What is seven?', '--json');
    expect(JSON.parse(kept.stdout)).toMatchObject({
      schemaVersion: 1,
      kind: 'proposed',
      question: 'What is seven?',
      by: 'ann',
      next: 'askema knowledge accept query:what-is-seven --of ann',
    });
  });

  it('takes back what is wrong, and names what the answer stood on', async () => {
    await ask('customer count', '--flow', 'auto');
    await remember('--question', 'customer count');
    const wrong = await remember('--wrong');
    expect(wrong.stdout).toBe('question  customer count\nremoved   query:customer-count\n');
    expect(wrong.stderr).toContain(
      'The answer stands on the accepted metric:customer_count, in models/shop.ossie.yaml.',
    );
    expect((await remember('--wrong')).stderr).toContain('You have proposed nothing for that question.');
  });

  it('keeps a correction in the words of the person, or as a metric with what it changes', async () => {
    project.write('knowledge/sql/all.md', '---\nnl: All of them?\nsql: SELECT metric(customer_count) AS n\n---\n');
    await ask('customer count', '--flow', 'auto');
    const rule = await remember('--correct', 'no, each name once');
    expect(rule.stdout).toMatch(
      /proposed {2}rule:no-each-name-once\nrule {6}On "customer count": no, each name once\nabout {5}customer_count/,
    );
    expect(rule.stderr).toContain('How metric:customer_count is computed, no rule changes');
    const metric = await remember('--correct', 'no, each name once', '--model', 'teacher');
    expect(metric.stdout).toContain('formula   COUNT(DISTINCT customers.name)\n');
    expect(metric.stderr).toContain(
      'It would change the accepted metric:customer_count, which is COUNT(customers.name)',
    );
    expect(metric.stderr).toContain('askema knowledge diff --run shop.sqlite --of ann');
    const diff = await run('knowledge', 'diff', '--run', 'shop.sqlite', '--of', 'ann');
    expect(diff.stdout).toMatch(/^same +metric:customer_count +\d+ +\d+ +-$/m);
    expect(diff.stdout).toMatch(/^same +query:all +\d+ +\d+ +-$/m);
    expect(diff.stderr).toContain('1 metric defined anew; 1 question, 1 with the same answer');
    expect(readFileSync(project.path('knowledge/models/shop.ossie.yaml'), 'utf8')).toBe(MODEL);
  });

  it('says so where nothing was asked', async () => {
    expect(await remember()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing was asked in this folder'),
    });
  });
});
