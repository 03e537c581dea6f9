import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, scriptedConfig, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
});
afterAll(() => project.remove());

let configurations = 0;

/** Asks with a model that answers with these statements. */
async function ask(statements: readonly string[], flags: readonly string[] = [], env: Record<string, string> = {}) {
  // A module is loaded once, so each configuration has a name of its own.
  configurations += 1;
  const config = project.write(`config-${configurations}.ts`, scriptedConfig(statements));
  const parameters = ['ask', 'shop.sqlite', QUESTION, '--config', config, ...flags];
  return runInProcess(parameters, { cwd: project.folder, env });
}

/** It names the columns of the answers below, so that nothing is doubted. */
const QUESTION = 'Which name, city or total is there?';
const ALL = 'SELECT name, city FROM customer ORDER BY id';

describe('askema ask', () => {
  it('prints rows on stdout, and the SQL, its explanation and the costs on stderr', async () => {
    project.write('askema.config.ts', scriptedConfig([ALL]));
    const flags = ['ask', 'shop.sqlite', QUESTION];
    const { code, stdout, stderr } = await runAskema(flags, { cwd: project.folder });
    expect(stdout).toBe(
      'name   | city\n-------+---------\nAda    | London\nGrace  | New York\nEdsger | NULL\n東京   | Tokyo\n       | Rome\n(5 rows)\n',
    );
    expect(stderr).toMatch(/^SELECT name, city FROM customer ORDER BY id\nScripted\.\n/);
    expect(stderr).toMatch(/scripted:scripted · auto · 1 model call .*· 1 statement · /);
    expect(code).toBe(0);
  });

  it('prints nothing but data in csv', async () => {
    const { code, stdout } = await ask([ALL], ['--format', 'csv']);
    expect(stdout).toBe('name,city\r\nAda,London\r\nGrace,New York\r\nEdsger,\r\n東京,Tokyo\r\n"",Rome\r\n');
    expect(code).toBe(0);
  });

  it('prints one exact document in json', async () => {
    const { code, stdout, stderr } = await ask(['SELECT id, total FROM "order" ORDER BY id'], ['--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'answered',
      question: QUESTION,
      sql: 'SELECT id, total FROM "order" ORDER BY id',
      result: {
        columns: [{ name: 'id' }, { name: 'total', type: 'NUMERIC' }],
        rows: [
          [1, 10.5],
          [2, 20],
          [3, { $bigint: '9007199254740993' }],
        ],
      },
      calls: 1,
      executions: 1,
      origin: { model: 'scripted:scripted', flow: 'auto' },
    });
    expect(JSON.parse(stdout).result).not.toHaveProperty('truncated');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('prints a table in markdown', async () => {
    const { stdout } = await ask(['SELECT 1 AS "a|b"'], ['--format', 'markdown']);
    expect(stdout).toBe('| a\\|b |\n| ---: |\n| 1 |\n');
  });

  it('says when the result was cut', async () => {
    const table = await ask([ALL], ['--max-rows', '2']);
    expect(table.stdout).toMatch(/\(2 rows, more were cut off\)\n$/);
    expect(table.stderr).toMatch(/only its first 2 rows were read\. Raise --max-rows/);
    const json = await ask([ALL], ['--max-rows', '2', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ result: { truncated: 'rows' } });
  });

  it('repairs a statement that failed and shows the one that ran', async () => {
    const { code, stdout, stderr } = await ask(['SELECT nam FROM customer', 'SELECT count(*) AS n FROM customer']);
    expect(code).toBe(0);
    expect(stdout).toBe('n\n-\n5\n(1 row)\n');
    expect(stderr).toMatch(/^SELECT count/);
    expect(stderr).toContain('2 model calls');
  });

  it('stops at --max-calls and says so', async () => {
    const { code, stdout, stderr } = await ask(['SELECT nam FROM customer', ALL], ['--max-calls', '1']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('[BUDGET_EXCEEDED]');
  });

  it('exits with 1 when no statement works, and says why', async () => {
    const { code, stdout, stderr } = await ask(['SELECT a FROM x', 'SELECT b FROM x', 'SELECT c FROM x']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error: .*no such table: x.*\[QUERY_FAILED, SQLITE_ERROR\]/s);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses to write without --write, and the file stays as it is', async () => {
    const before = readFileSync(project.path('shop.sqlite'));
    const { code, stderr } = await ask(['DELETE FROM customer', 'DELETE FROM customer', 'DELETE FROM customer']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/read|write/i);
    expect(readFileSync(project.path('shop.sqlite'))).toEqual(before);
  });

  it('changes data with --write --yes', async () => {
    project.database('mutable.sqlite', SHOP_SQL);
    const statement = "UPDATE customer SET city = 'Delft' WHERE name = 'Edsger'";
    project.write('writing.ts', scriptedConfig([statement]));
    const flags = ['ask', 'mutable.sqlite', 'Move Edsger to Delft', '--write', '--yes', '--config', 'writing.ts'];
    const done = await runInProcess(flags, { cwd: project.folder });
    expect(done).toMatchObject({ code: 0, stdout: '1 row changed.\n' });
  });

  it('reads the question from stdin and evidence from a file', async () => {
    project.write('evidence.txt', 'A VIP is Ada.');
    project.write(
      'echo.ts',
      `import { scriptedModel } from '@askema/testkit';
       const json = { outcome: 'sql', sql: 'SELECT 1 AS n', explanation: '', not_understood: [] };
       export default { models: { echo: () => scriptedModel((request) => {
         const text = JSON.stringify(request.messages);
         for (const part of ['Who is a VIP?', 'A VIP is Ada.']) if (!text.includes(part)) return new Error('missing: ' + part);
         return { json };
       }) } };`,
    );
    const flags = [
      'ask',
      'shop.sqlite',
      '-',
      '--evidence',
      '@evidence.txt',
      '--model',
      'echo',
      '--format',
      'csv',
      '--config',
      'echo.ts',
    ];
    const { code, stdout } = await runInProcess(flags, { cwd: project.folder, stdin: 'Who is a VIP?\n' });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'n\r\n1\r\n' });
  });

  it('keeps values at home with --no-samples', async () => {
    const config = project.write(
      'listening.ts',
      `import { scriptedModel } from '@askema/testkit';
       const answer = (sql) => ({ json: { outcome: 'sql', sql, explanation: '', not_understood: [] } });
       export default { models: { spy: () => scriptedModel((request) =>
         answer(JSON.stringify(request.messages).includes('Edsger') ? "SELECT 'seen' AS v" : "SELECT 'unseen' AS v")) } };`,
    );
    const flags = ['ask', 'shop.sqlite', 'Who?', '--model', 'spy', '--config', config, '--format', 'csv'];
    expect((await runInProcess(flags, { cwd: project.folder })).stdout).toBe('v\r\nseen\r\n');
    const without = await runInProcess([...flags, '--no-samples'], { cwd: project.folder });
    expect(without.stdout).toBe('v\r\nunseen\r\n');
    expect(without.stderr).toContain(' · auto · ');
    const refused = await runInProcess([...flags, '--no-samples', '--effort', 'medium'], { cwd: project.folder });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Only --effort low')]);
  });

  it('says how sure an answer is by a table of confidence, and refuses what is none', async () => {
    const table = {
      schemaVersion: 1,
      model: 'scripted:scripted',
      flow: 'auto',
      fittedOn: '2026-11-29',
      questions: 90,
      right: 80,
    };
    const fitted = { ...table, intercept: 3, weights: { hasManyRows: -1 }, sureFrom: 0.9 };
    project.write('tables/sure.json', JSON.stringify(fitted));
    project.write('tables/other.json', JSON.stringify({ ...fitted, weights: 'none' }));
    project.write('tables/text.json', 'no JSON');
    const config = project.write('sure.ts', scriptedConfig(['SELECT COUNT(*) FROM customer']));
    const ask = (file: string, ...more: readonly string[]) =>
      runInProcess(
        ['ask', 'shop.sqlite', 'How many customers are there?', '--config', config, '--confidence', file, ...more],
        { cwd: project.folder },
      );
    expect((await ask('tables/sure.json')).stderr).toContain('confidence 95 %, sure');
    for (const [file, reason] of [
      ['tables/none.json', /--confidence tables\/none\.json cannot be read/],
      ['tables/text.json', /--confidence tables\/text\.json is no JSON/],
      ['tables/other.json', /no table of confidence: `weights` is "none"/],
    ] as const) {
      const { code, stderr } = await ask(file);
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)]);
    }
    const plain = await ask('tables/sure.json', '--flow', 'plain');
    expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('Add --flow auto')]);
  });

  it.each(['table', 'csv', 'markdown', 'json'])('%s cannot move the cursor of a terminal', async (format) => {
    const config = project.write(
      `hostile-${format}.ts`,
      scriptedConfig(['SELECT char(27) || \'[2J\' || char(8238) AS "a\u0007"']),
    );
    const flags = ['ask', 'shop.sqlite', 'Which?', '--format', format, '--config', config];
    const { code, stdout, stderr } = await runInProcess(flags, {
      cwd: project.folder,
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\[2J/);
    expect(unsafeCharacters(stdout, '\n')).toEqual([]);
    expect(unsafeCharacters(stderr.replaceAll('\r\u001b[2K', ''), '\n')).toEqual([]);
  });

  it('closes the database, also when something else goes wrong', async () => {
    const config = project.write(
      'closing.ts',
      `import { appendFileSync } from 'node:fs';
       import { sqlite } from '@askema/sqlite';
       export default { databases: { shop: () => {
         const spec = sqlite({ file: ${JSON.stringify(project.path('shop.sqlite'))} });
         return { ...spec, close: async () => { appendFileSync(${JSON.stringify(project.path('closed.txt'))}, 'x'); await spec.close(); } };
       } } };`,
    );
    const flags = ['ask', 'shop', 'Who?', '--model', 'nobody', '--config', config];
    expect((await runInProcess(flags, { cwd: project.folder })).code).toBe(2);
    expect(readFileSync(project.path('closed.txt'), 'utf8')).toBe('x');
  });

  it('colours only when it is asked to', async () => {
    expect((await ask([ALL])).stdout).not.toContain('\u001b');
    expect((await ask([ALL], [], { FORCE_COLOR: '1' })).stdout).toContain('\u001b[1m');
    expect((await ask([ALL], [], { FORCE_COLOR: '0', NO_COLOR: '1' })).stderr).not.toContain('\u001b');
  });

  it('writes a trace as JSON lines, or as a tree, and no secret into either', async () => {
    const sql = "SELECT 'sk-abcdefghijklmnopqrstuvwx' AS key";
    const file = await ask([sql], ['--trace', 'run.jsonl']);
    expect(file.code).toBe(0);
    const text = readFileSync(project.path('run.jsonl'), 'utf8');
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; runId: string });
    expect(events[0]?.type).toBe('run-started');
    expect(events.at(-1)?.type).toBe('run-finished');
    expect(new Set(events.map((event) => event.runId)).size).toBe(1);
    expect(text).not.toContain('sk-abcdefghijklmnop');
    const tree = await ask([ALL], ['--trace']);
    expect(tree.stderr).toMatch(/0\.000s run auto/);
    expect(tree.stderr).toMatch(/> \w+/);
    expect(tree.stdout).toMatch(/\(5 rows\)\n$/);
  });
});
