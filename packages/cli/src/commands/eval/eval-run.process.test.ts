import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  mkdirSync(project.path('set/databases'), { recursive: true });
  project.database('set/databases/shop.sqlite', SHOP_SQL);
  const questions = [
    {
      id: 'q1',
      category: 'core',
      difficulty: 'easy',
      question: 'How many customers are there?',
      gold_sql: 'SELECT count(*) FROM customer',
    },
    {
      id: 'q2',
      category: 'core',
      difficulty: 'hard',
      question: 'List the cities',
      gold_sql: 'SELECT city FROM customer',
    },
    {
      id: 'q3',
      category: 'extra',
      difficulty: 'hard',
      question: 'Total of all orders',
      gold_sql: 'SELECT sum(total) FROM "order"',
    },
  ];
  const lines = questions.map((question) => JSON.stringify({ db_id: 'shop', ...question }));
  project.write('set/questions.jsonl', `${lines.join('\n')}\n`);
  project.write('askema.config.ts', CONFIG);
});
afterEach(() => project.remove());

/** Right, wrong, and, on its first call, slow enough to be stopped. */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const answer = (sql) => ({ json: { outcome: 'sql', sql, explanation: '', not_understood: [] } });
  const reply = (request) => {
    const text = JSON.stringify(request.messages.at(-1));
    if (text.includes('customers')) return answer('SELECT count(*) FROM customer');
    if (text.includes('cities')) return answer('SELECT name FROM customer');
    return answer('SELECT sum(total) FROM "order"');
  };
  export default {
    models: {
      steady: () => scriptedModel(reply),
      slow: () => scriptedModel(async (request, index) => {
        if (index === 1) await new Promise((_, reject) => {
          const timer = setInterval(() => {}, 1_000);
          request.context.signal.addEventListener('abort', () => {
            clearInterval(timer);
            reject(request.context.signal.reason);
          });
        });
        return reply(request);
      }, { modelId: 'steady' }),
    },
  };
`;

const evaluate = (flags: readonly string[]) =>
  runInProcess(['eval', 'run', 'set', '--out', 'run', ...flags], { cwd: project.folder });

const results = () =>
  readFileSync(project.path('run/results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; verdict: string });

// Databases are read by processes; on a loaded machine one start takes seconds.
describe('askema eval run', { timeout: 60_000 }, () => {
  it('asks nothing on a database that is not there, and says what a run failed of', async () => {
    project.write('own.csv', 'question,sql\nHow many customers?,SELECT count(*) FROM customer\n');
    const own = (...flags: string[]) =>
      runInProcess(['eval', 'run', 'own.csv', '--model', 'steady', '--out', 'own', ...flags], { cwd: project.folder });
    const misspelt = await own('--database', 'set/databases/shap.sqlite');
    expect(misspelt.stderr).toContain('shop.sqlite');
    expect(misspelt.code).toBe(2);
    expect(existsSync(project.path('own'))).toBe(false);
    const failed = await own('--database', 'set/databases/{id}/none.sqlite');
    expect(failed.stdout).toMatch(
      /Failed, by the code of the error: 1\n {2}1 DATABASE_NOT_FOUND, first row-1: There is no/,
    );
    expect(failed.stderr).toContain('Every question failed, so nothing was measured');
    expect(failed.code).toBe(1);
  });

  it('asks every question and prints a summary on stdout', async () => {
    const { code, stdout, stderr } = await evaluate(['--model', 'steady', '--concurrency', '2']);
    expect(code).toBe(0);
    expect(Object.fromEntries(results().map(({ id, verdict }) => [id, verdict]))).toEqual({
      q1: 'right',
      q2: 'wrong',
      q3: 'right',
    });
    expect(stdout).toMatch(/core/);
    expect(stdout).toMatch(/extra/);
    expect(stdout).toMatch(/66\.7|67/);
    expect(stderr).toMatch(/scripted:scripted \(.*`steady`.*\) · auto · set: 3 questions/);
  });

  it('stops the statement of the dataset at --timeout as well', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
    project.write('own.csv', `question,sql\nHow many customers?,"${endless}"\n`);
    const words = ['eval', 'run', 'own.csv', '--model', 'steady', '--out', 'own', '--timeout', '3s'];
    const { stdout } = await runInProcess([...words, '--database', 'set/databases/shop.sqlite'], {
      cwd: project.folder,
    });
    const result = readFileSync(project.path('own/results.jsonl'), 'utf8');
    expect(result).toContain('within 3000 ms');
    expect(stdout).toMatch(/unscored|gold/i);
  });

  it('asks only the chosen questions', async () => {
    const chosen = await evaluate(['--model', 'steady', '--ids', 'q1,q3', '--difficulty', 'hard']);
    expect(chosen.code).toBe(0);
    expect(results().map(({ id }) => id)).toEqual(['q3']);
  });

  it('asks databases of other kinds by what is in them, and those of a configuration by their name', async () => {
    const question = { id: 'f1', question: 'How many customers are there?', gold_sql: 'SELECT count(*) FROM customer' };
    project.write('other/questions.jsonl', `${JSON.stringify({ db_id: 'files', ...question })}\n`);
    project.write('other/databases/files/customer.csv', 'id,name\n1,Ada\n2,Grace\n');
    const byFolder = await runInProcess(['eval', 'run', 'other', '--out', 'run', '--model', 'steady'], {
      cwd: project.folder,
    });
    expect(byFolder).toMatchObject({ code: 0 });
    expect(results()).toMatchObject([{ id: 'f1', verdict: 'right' }]);
    project.write('far/questions.jsonl', `${JSON.stringify({ db_id: 'shop', ...question })}\n`);
    const far = [
      'eval',
      'run',
      'far',
      '--out',
      'run-far',
      '--model',
      'steady',
      '--database',
      'set/databases/{id}.sqlite',
    ];
    const byAddress = await runInProcess(far, { cwd: project.folder });
    expect(byAddress).toMatchObject({ code: 0 });
    expect(readFileSync(project.path('run-far/results.jsonl'), 'utf8')).toContain('"verdict":"right"');
  });

  it('stops at Ctrl-C, and the same command goes on from there', async () => {
    const run = startAskema(['eval', 'run', 'set', '--out', 'run', '--model', 'slow'], { cwd: project.folder });
    for (let waited = 0; waited < 50_000; waited += 20) {
      try {
        if (results().length > 0) break;
      } catch {
        // Not there yet.
      }
      await delay(20);
    }
    await delay(100);
    process.kill(run.pid, 'SIGINT');
    const stopped = await run.finished;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/Stopped with 2 to go\..*same command/);
    expect(results()).toHaveLength(1);

    const resumed = await evaluate(['--model', 'steady', '--force']);
    expect(resumed.code).toBe(0);
    expect(
      results()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['q1', 'q2', 'q3']);
  });

  it.each([
    [['--limit', '0'], /--limit "0" must be a whole number of at least 1/],
    [['--ids', 'q9'], /No question has the id q9/],
    [['--category', 'cor'], /No question has the category cor.*`core`/],
    [['--flow', 'plane'], /no flow `plane`.*`plain`/],
  ])('%j exits with 2', async (flags, message) => {
    const { code, stdout, stderr } = await evaluate(['--model', 'steady', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('exits with 2 where there is no data set', async () => {
    const { code, stderr } = await runInProcess(['eval', 'run', 'nowhere', '--out', 'run'], { cwd: project.folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/no questions\.jsonl in .*nowhere.*\[DATASET_INVALID\]/s);
  });

  it('asks with what the business means, and lets no verified query answer its own question', async () => {
    project.write('kn/shop/rules/counting.md', 'An order counts once.\n');
    const query = '---\nnl: Total of all orders\nsql: SELECT 1\nverified_by: ann\n---\n';
    project.write('kn/shop/sql/total.md', query);
    const { code, stdout, stderr } = await evaluate(['--model', 'steady', '--flow', 'auto', '--knowledge', 'kn']);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toMatch(/all +3 +2 /);
    const { configuration } = JSON.parse(readFileSync(project.path('run/run.json'), 'utf8'));
    expect(configuration.knowledge).toMatch(/^[0-9a-f]{12}$/);
    project.write('kn/shop/sql/total.md', query.replace('SELECT 1', 'SELECT 2'));
    const other = await evaluate(['--model', 'steady', '--flow', 'auto', '--knowledge', 'kn']);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('begun with something else: knowledge was'),
    ]);
  });

  it('says what a folder of knowledge has to be', async () => {
    project.write('kn/other/rules/a.md', 'A.\n');
    const { code, stderr } = await evaluate(['--model', 'steady', '--knowledge', 'kn']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no knowledge.yml')]);
  });
});
