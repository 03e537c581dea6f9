import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SHOP_SQL, type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { unsafeCharacters } from '../../testing/unsafe-characters.ts';

const RULE = `
  export default {
    databases: { shop: './shop.sqlite' },
    lint: {
      rules: [{
        code: 'custom/no-star', severity: 'error', title: 'Stars are not allowed.',
        *check({ blocks }) {
          for (const { block } of blocks)
            for (const item of block.items)
              if (item.kind === 'star') yield { message: 'A star.', advice: 'Name the columns.', span: item.span };
        },
      }],
      severities: { 'value-not-found': 'note' },
    },
  };
`;

let project: TemporaryProject;
beforeAll(() => {
  project = temporaryProject();
  project.database('shop.sqlite', SHOP_SQL);
  project.database(
    'hostile.sqlite',
    `CREATE TABLE t (a TEXT, "b\u001b[2J" TEXT); INSERT INTO t VALUES ('evil\u001b[2J\u202e', 'x')`,
  );
  project.write('rules.mjs', RULE);
});
afterAll(() => project.remove());

const lint = (parameters: readonly string[], more: { stdin?: string; columns?: number } = {}) =>
  runInProcess(['lint', ...parameters], { cwd: project.folder, ...more });

// The first statement loads the parser.
describe('askema lint', { timeout: 30_000 }, () => {
  it('has nothing to say about a statement that is right', async () => {
    const { code, stdout, stderr } = await lint([
      'shop.sqlite',
      "SELECT name FROM customer WHERE city = 'London' ORDER BY name",
    ]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: '1 statement: 0 errors, 0 warnings, 0 notes\n',
    });
  });

  it('shows where a name is wrong and which one is near; an error ends with 1', async () => {
    const { code, stdout, stderr } = await lint(['shop.sqlite', 'SELECT nmae\nFROM customer']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^sql:1:8 error: .*nmae.* \[unknown-column\]\n {4}SELECT nmae\n {11}\^{4}\n/);
    expect(stdout).toContain('nearest: ');
    expect(stderr).toContain('1 error');
  });

  it('shows the cell that a condition meant', async () => {
    const { stdout } = await lint(['shop.sqlite', "SELECT name FROM customer WHERE city = 'london'"]);
    expect(stdout).toContain('[value-not-found]');
    expect(stdout).toContain("stored: 'London' in customer.city");
    const without = await lint([
      'shop.sqlite',
      "SELECT name FROM customer WHERE city = 'london'",
      '--without',
      'retriever',
    ]);
    expect(without).toMatchObject({ code: 0, stdout: '' });
  });

  it('tells each statement of a file by its own place', async () => {
    project.write('two.sql', '-- first\nSELECT name FROM customer;\n\nSELECT naem\n  FROM customer;\n');
    const { code, stdout, stderr } = await lint(['shop.sqlite', '--file', 'two.sql']);
    expect([code, stdout.split(' ')[0]]).toEqual([1, 'two.sql:4:8']);
    expect(stderr).toMatch(/^2 statements: 1 error/);
  });

  it('reads a statement from stdin', async () => {
    const { code, stdout } = await lint(['shop.sqlite'], { stdin: 'SELECT naem FROM customer' });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^stdin:1:8 error:/)]);
  });

  it('prints the fixed statement alone on stdout, and what is left on stderr', async () => {
    const sql = "/* who */ SELECT name FROM customer WHERE city = 'london' AND nmea = 'x' -- end";
    const { code, stdout, stderr } = await lint(['shop.sqlite', sql, '--fix']);
    expect(stdout).toContain("city = 'London'");
    expect(stdout).toMatch(/^\/\* who \*\/ SELECT[\s\S]* -- end\n$/);
    expect(stderr).toMatch(/fixed: .*london/);
    expect(code === 1).toBe(/ error: /.test(stderr));
  });

  it('changes the file only with --write', async () => {
    const text = "SELECT 1;\r\nSELECT name FROM customer WHERE city = 'london';\r\n";
    const file = project.write('report.sql', text);
    await lint(['shop.sqlite', '--file', 'report.sql', '--fix']);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const { stdout } = await lint(['shop.sqlite', '--file', 'report.sql', '--fix', '--write']);
    expect([stdout, readFileSync(file, 'utf8')]).toEqual(['', text.replace('london', 'London')]);
  });

  it('in json, carries everything with its place', async () => {
    const sql = "SELECT 1; SELECT name FROM customer WHERE city = 'london'";
    const { stdout } = await lint(['shop.sqlite', sql, '--format', 'json', '--fix']);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      counts: { error: 0 },
      statements: [
        { sql: 'SELECT 1', line: 1, column: 1, findings: [] },
        { sql: "SELECT name FROM customer WHERE city = 'London'", column: 11, fixed: [{ code: 'value-not-found' }] },
      ],
    });
  });

  it('says what the question asks for and the statement forgets', async () => {
    const sql = 'SELECT total FROM "order"';
    const asked = await lint(['shop.sqlite', sql, '--question', 'What are the top 2 order totals?']);
    expect(asked.stdout).toMatch(/\[(order|limit)-asked\]/);
    expect((await lint(['shop.sqlite', sql])).stdout).toBe('');
  });

  it('takes rules and severities of the configuration; the command line wins', async () => {
    const sql = "SELECT * FROM customer WHERE city = 'london'";
    const { code, stdout } = await lint(['shop', sql, '--config', 'rules.mjs']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/error: A star\. \[custom\/no-star\]/);
    expect(stdout).toMatch(/note: .*\[value-not-found\]/);
    const off = ['--severity', 'custom/no-star=off', '--severity', 'value-not-found=error'];
    const other = await lint(['shop', sql, '--config', 'rules.mjs', ...off]);
    expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/^sql:1:\d+ error: .*\[value-not-found\]/)]);
    expect(other.stdout).not.toContain('no-star');
  });

  it('cannot be made to move the cursor by cells and names', async () => {
    const { stdout } = await lint(['hostile.sqlite', "SELECT c FROM t WHERE a = 'evil'"], { columns: 100 });
    expect(stdout).toContain('[value-not-found]');
    // What is left without the colours that lint itself writes.
    const text = [22, 1, 31, 39, 2].reduce((rest, code) => rest.replaceAll(`\u001b[${code}m`, ''), stdout);
    expect(unsafeCharacters(text, '\n')).toEqual([]);
  });

  it.each([
    [['shop.sqlite'], 'SQL is missing'],
    [['shop.sqlite', '/* nothing */'], 'holds no statement'],
    [['shop.sqlite', 'SELECT 1', '--file', 'two.sql'], 'give one of them'],
    [['shop.sqlite', '--file', 'gone.sql'], '--file gone.sql cannot be read'],
    [['shop.sqlite', 'SELECT 1', '--severity', 'redundant-jion=off'], 'Did you mean `redundant-join`?'],
    [
      ['shop.sqlite', 'SELECT 1', '--severity', 'redundant-join=loud'],
      "it must be 'error', 'warning', 'note' or 'off'",
    ],
    [['shop.sqlite', 'SELECT 1', '--severity', 'redundant-join'], 'CODE='],
    [['shop.sqlite', 'SELECT 1', '--without', 'detecter'], 'Did you mean `detector`?'],
    [['shop.sqlite', 'SELECT 1', '--without', 'retriever,detector,planner'], 'leaves nothing'],
    [['shop.sqlite', 'SELECT 1', '--write'], 'give both'],
    [['shop.sqlite', 'SELECT 1', '--fix', '--write'], 'there is none'],
    [['shopp.sqlite', 'SELECT 1'], 'Did you mean'],
  ])('refuses %j', async (parameters, message) => {
    const { code, stdout, stderr } = await lint(parameters);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});
