import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatProject, chatProject } from '../../../testing/chat-project.ts';
import { runInProcess } from '../../../testing/run-in-process.ts';

const COUNT = 'How many customers are there?';
const NAMES = 'Names of customers?';
const WHY = 'why so many?';
const MANY = 'All numbers?';
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) SELECT i FROM n';

let project: ChatProject;
beforeAll(async () => {
  project = chatProject({
    read: {
      'only the first': { kind: 'refine', turn: 1, question: 'Name of the first customer?' },
      [WHY]: { kind: 'explain', turn: 1, question: WHY, questions: ['Totals?', 'Cities?'] },
    },
    write: {
      [COUNT]: 'SELECT count(*) AS customers FROM customer',
      'How many customers since yesterday?': "SELECT count(*) AS customers FROM customer WHERE id > '2026-01-01'",
      [NAMES]: 'SELECT name, city FROM customer ORDER BY id',
      [MANY]: NUMBERS,
      'Name of the first customer?': 'SELECT name FROM customer WHERE id = 1',
      'Totals?': `SELECT 'Ada' AS name, 30 AS total UNION ALL SELECT 'Grace', 20`,
      'Cities?': `SELECT 'Oslo' AS city, 3 AS customers UNION ALL SELECT 'Rome', 2`,
      'Total by customer?': `SELECT 'Ada' AS name, 30 AS total UNION ALL SELECT 'Grace', 20`,
    },
  });
  const knowledge = (...words: readonly string[]) => runInProcess(['knowledge', ...words], { cwd: project.folder });
  await knowledge('init', 'shop.sqlite');
  await knowledge('accept', '--all', '--yes');
});
afterAll(() => project.remove());

const read = (name: string): string => readFileSync(project.path(name), 'utf8');

describe('showing', () => {
  it('/sql gives the last statement, or that of a turn', async () => {
    const { stdout } = await project.chat([COUNT, NAMES, '/sql', '/sql 1']);
    expect(stdout).toMatch(
      /\nSELECT name, city FROM customer ORDER BY id\nSELECT count\(\*\) AS customers FROM customer\n$/,
    );
    expect((await project.chat(['/sql'])).stderr).toContain('Nothing was answered yet.');
    expect((await project.chat([COUNT, '/sql 7'])).stderr).toContain('Turn 7 has no SQL.');
  });

  it('/why says how the question was read, and what was assumed', async () => {
    const { stdout } = await project.chat([NAMES, 'only the first', '/why']);
    expect(stdout).toMatch(/message +only the first\nunderstood +Name of the first customer\?\nsql +SELECT name FROM/);
    expect(stdout).toMatch(/explained +Scripted\./);
  });

  it('/rows gives the rows once more, and /turns what was said', async () => {
    const { stdout } = await project.chat([COUNT, '/rows', '/turns']);
    expect(stdout.match(/\(1 row\)\n/g)).toHaveLength(3);
    expect(stdout).toContain(`  1  ${COUNT}  (1 row)\n`);
  });

  it('/chart draws, here or in a file', async () => {
    project.write('before.txt', 'mine');
    symlinkSync('before.txt', project.path('totals.svg'));
    const { stderr } = await project.chat(['Total by customer?', '/chart', '/chart totals.svg', '/chart totals.png']);
    expect(stderr).toMatch(/Ada.*[█▏▎▍▌▋▊▉]/);
    expect(read('totals.svg')).toMatch(/^<svg/);
    expect(stderr).toContain('The chart is in totals.svg\n');
    expect(read('before.txt')).toBe('mine');
    expect(stderr).toContain('/chart "totals.png": the name of a chart ends in .svg');
  });

  it('/chart has the question as title, but for a statement of one’s own', async () => {
    const total = "SELECT 'Bob' AS name, 7 AS total UNION ALL SELECT 'Eve', 9";
    const lines = ['Total by customer?', '/chart asked.svg', `/edit ${total}`, '/chart own.svg', '/chart none/own.svg'];
    const { code, stderr } = await project.chat(lines);
    expect(read('asked.svg')).toContain('Total by customer?');
    expect(read('own.svg')).toContain('Bob');
    expect(read('own.svg')).not.toMatch(/Total by customer\?|SELECT/);
    expect(stderr).toContain('The chart none/own.svg cannot be written: its folder is not there.');
    expect(code).toBe(1);
  });

  it('a chart of an explanation is one for each part, with its question', async () => {
    const { stderr } = await project.chat([COUNT, WHY, '/chart why.svg'], ['shop.sqlite', '--chart']);
    expect(stderr).toMatch(/\n *Totals\? *\n.*Ada.*\n *Cities\? *\n.*Oslo/s);
    expect(stderr).not.toMatch(/\n *why so many\? *\n.*█/);
    expect(read('why-1.svg')).toContain('Totals?');
    expect(read('why-2.svg')).toContain('Cities?');
  });

  it('/schema gives relations with their columns, or those that have a word in a name', async () => {
    project.database(
      'views.sqlite',
      'CREATE TABLE a (id INTEGER, "x\u001b[2J" TEXT); CREATE VIEW ab AS SELECT id FROM a;',
    );
    const all = await project.chat(['/schema', '/schema AB', '/schema x', '/schema nope'], ['views.sqlite']);
    const a = 'a\n  id INTEGER\n  x\\u{1b}[2J TEXT\n';
    expect(all.stdout).toBe(`${a}ab (view)\n  id INTEGER\nab (view)\n  id INTEGER\n${a}`);
    expect(all.stderr).toContain('No relation or column of views holds "nope" in its name.');
  });

  it('/help names every command', async () => {
    const { code, stdout } = await project.chat(['/help']);
    const named = stdout.match(/^\/[a-z]+/gm);
    expect(named).toEqual(
      [
        'help',
        'sql',
        'edit',
        'why',
        'rows',
        'chart',
        'export',
        'schema',
        'use',
        'turns',
        'undo',
        'back',
        'as',
        'remember',
        'new',
        'quit',
      ].map((name) => `/${name}`),
    );
    expect(code).toBe(0);
  });
});

describe('/edit', () => {
  it('runs the statement, and what is said next goes on from it', async () => {
    const { code, stdout } = await project.chat([COUNT, "/edit SELECT 'mine' AS whose", '/sql', '/undo', '/sql']);
    expect(stdout).toMatch(/whose\n-+\nmine\n\(1 row\)\nSELECT 'mine' AS whose\nSELECT count\(\*\)/);
    expect(code).toBe(0);
  });

  it('changes nothing in the database, and leaves the answer before it as it was', async () => {
    const { code, stdout, stderr } = await project.chat([
      COUNT,
      '/edit DELETE FROM customer',
      '/edit SELECT nope',
      '/sql',
    ]);
    expect(stderr).toMatch(/no such column: nope/);
    expect(stderr).toContain('DELETE would change the database, and this call may only read.');
    expect(stderr).not.toContain('adapter');
    expect(stdout).toMatch(/\nSELECT count\(\*\) AS customers FROM customer\n$/);
    expect(code).toBe(1);
    expect((await project.chat([COUNT])).stdout).toContain('        5');
  });

  it('says how without an editor', async () => {
    const { stderr } = await project.chat([COUNT, '/edit']);
    expect(stderr).toContain('/edit SELECT …');
  });
});

describe('going back', () => {
  it('/undo takes a turn back, and /back and /branch go on from any', async () => {
    const lines = [COUNT, NAMES, '/undo', '/undo', '/undo', '/back 2', '/branch 1', '/back 9', '/turns'];
    const { stdout, stderr } = await project.chat(lines);
    const places = stderr.split('\n').filter((line) => /^(Going|At the|error)/.test(line));
    expect(places).toEqual([
      `Going on after turn 1: ${COUNT}`,
      'At the beginning.',
      expect.stringContaining('There is no turn to take back.'),
      `Going on after turn 2: ${NAMES}`,
      `Going on after turn 1: ${COUNT}`,
      expect.stringContaining('no turn 9'),
    ]);
    expect(stdout).toMatch(/\n {2}1 {2}How many customers are there\? {2}\(1 row\)\n$/);
  });

  it('/as asks in place of a misread message', async () => {
    const { code, stdout } = await project.chat([NAMES, 'only the first', `/as ${COUNT}`, '/turns']);
    expect(stdout).toMatch(/ {2}1 {2}Names of customers\?.*\n {2}3 {2}How many customers are there\? {2}\(1 row\)\n$/);
    expect(code).toBe(0);
  });

  it('/as that is refused takes nothing back', async () => {
    const { stdout, stderr } = await project.chat([COUNT, `/as ${'x'.repeat(20_001)}`, '/turns']);
    expect(stderr).toContain('20001 characters');
    expect(stdout).toMatch(/\n {2}1 {2}How many customers are there\? {2}\(1 row\)\n$/);
  });

  it('/new begins anew, and /quit reads no further line', async () => {
    const { code, stdout } = await project.chat([COUNT, '/new', '/turns', NAMES, '/turns', '/quit', 'A broken one?']);
    expect(stdout).toMatch(/\n {2}1 {2}Names of customers\? {2}\(5 rows\)\n$/);
    expect(code).toBe(0);
  });
});

describe('/export', () => {
  it('writes all rows, also those beyond an answer', async () => {
    const lines = [MANY, '/rows', '/export n.csv', '/export n.jsonl', '/export n.json'];
    const { stderr } = await project.chat(lines);
    expect(stderr.match(/\/export FILE writes all rows; \/rows shows those that were read/g)).toHaveLength(2);
    expect(stderr).toContain('12,000 rows in n.csv');
    expect(read('n.csv').split('\r\n')).toHaveLength(12_002);
    expect(read('n.jsonl').trim().split('\n')).toHaveLength(12_000);
    expect(JSON.parse(read('n.json')).at(-1)).toEqual({ i: 12_000 });
  });

  it('writes the conversation, in which no text can leave its place', async () => {
    const hostile = 'Names of customers? ```<script>';
    const obeyed = 'Names of customers? \u001b[2J\u202e';
    await project.chat([COUNT, hostile, obeyed, '/export talk.md']);
    const text = read('talk.md');
    expect(text).toContain('```sql\nSELECT count(*) AS customers FROM customer\n```');
    expect(text).toContain(`\`\`\`\`text\n${hostile}\n\`\`\`\``);
    expect(text).toContain('Names of customers? \\u{1b}[2J\\u{202e}\n');
    expect(text).toMatch(/\| Ada +\| London +\|/);
  });

  it('writes the rows of older turns, too, or says in their place why it cannot', async () => {
    project.database(
      'gone.sqlite',
      'CREATE TABLE customer (id); CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (42);',
    );
    const flags = ['gone.sqlite', '--id', 'gone'];
    const more = Array.from({ length: 6 }, (_, at) => `/edit SELECT ${at} AS n`);
    await project.chat([COUNT, '/edit SELECT i AS answer FROM t', ...more, '/export all.md'], [...flags]);
    expect(read('all.md')).toMatch(/FROM t\n```\n\n\| answer +\|\n.*\n\| +42 +\|\n/);
    project.database('gone.sqlite', 'DROP TABLE t;');
    await project.chat(['/export again.md'], flags);
    expect(read('again.md')).toMatch(/FROM t\n```\n\nIts rows cannot be read any more:\n\n```text\n.*no such table/);
    expect(read('again.md')).toMatch(/\| +5 +\|/);
    const others = await project.chat(['/export other.md'], ['shop.sqlite', '--id', 'gone']);
    expect(read('other.md')).toContain('That was about the database `gone`');
    expect(others.code).toBe(0);
  });

  it('takes names of any length that a file may have', async () => {
    const name = `${'n'.repeat(250)}.csv`;
    await project.chat([COUNT, `/export ${name}`]);
    expect(readFileSync(project.path(name), 'utf8')).toBe('customers\r\n5\r\n');
  });

  it('leaves nothing behind where it fails', async () => {
    const { stderr } = await project.chat([COUNT, '/export rows.xlsx', '/export none/rows.csv', '/export']);
    expect(stderr).toContain('/export "rows.xlsx": the name of the file ends in .csv, .jsonl, .json, .md');
    expect(stderr).toContain('/export none/rows.csv: it cannot be written: its folder is not there. Make the folder');
    expect(stderr).not.toMatch(/ENOENT|\.tmp/);
    expect(existsSync(project.path('none'))).toBe(false);
  });
});

describe('/remember', () => {
  it('keeps the last answer, or says what would be right', async () => {
    const lines = [COUNT, '/remember', '/remember only those with a city'];
    const { stdout, stderr } = await project.chat(lines, ['shop.sqlite', '--knowledge', 'knowledge']);
    expect(stdout).toMatch(/question +How many customers are there\?\nsql +SELECT count.*\nproposed +/);
    expect(stdout).toMatch(/rule +.*only those with a city/);
    expect(stderr).toContain('askema knowledge accept');
    expect(stderr).toContain('once it is accepted and the chat begins anew');
  });

  it('says what helps in a chat, where the question does not say all', async () => {
    const flags = ['shop.sqlite', '--knowledge', 'knowledge'];
    const days = ['How many customers since yesterday?', '/remember'];
    const { code, stderr } = await project.chat(days, flags);
    expect(stderr).toMatch(/"yesterday" means other days tomorrow.* Ask it with \/as QUESTION/);
    const told = await project.chat([COUNT, '/remember'], [...flags, '--evidence', 'Test customers count.']);
    expect(told.stderr).toMatch(
      /together with what was said beside it\. Outside the chat: askema remember \S+ --question/,
    );
    expect([code, told.code]).toEqual([1, 1]);
    expect(stderr + told.stderr).not.toContain('on the command line');
  });

  it('needs knowledge, and says so', async () => {
    expect((await project.chat([COUNT, '/remember'])).stderr).toMatch(/Begin it with --knowledge FOLDER/);
    const flags = ['shop.sqlite', '--knowledge', 'knowledge', '--no-history'];
    expect((await project.chat([COUNT, '/remember'], flags)).stderr).toMatch(/this chat keeps none/);
  });
});

it('a chart is drawn after each answer with --chart, where it says more than the table', async () => {
  const { stderr } = await project.chat(['Total by customer?', COUNT], ['shop.sqlite', '--chart']);
  expect(stderr.match(/[█▏▎▍▌▋▊▉]/g)).not.toBeNull();
  expect(stderr).not.toContain('chart:');
});
