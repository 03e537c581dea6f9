import { linkSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChatProject, chatProject } from '../../testing/chat-project.ts';
import { groupEnds } from '../../testing/process-group.ts';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';

const COUNT = 'How many customers are there?';
const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let project: ChatProject;
beforeEach(() => {
  project = chatProject({
    read: {
      'those of Ada': { kind: 'unclear', detail: 'Which?', questions: ['Orders of Ada?', 'Cities of Ada?'] },
      'those with most orders': { kind: 'answer', turn: 1, detail: 'those with most orders' },
      'and in Rome?': { kind: 'refine', turn: 1, question: 'How many customers in Rome?' },
    },
    decided: { 'those with most orders': "SELECT 'Ada' AS best" },
    write: {
      [COUNT]: 'SELECT count(*) AS customers FROM customer',
      'Orders of Ada?': 'SELECT 2 AS of_ada',
      'How many customers in Rome?': "SELECT count(*) AS in_rome FROM customer WHERE city = 'Rome'",
      'Who are the best?': {
        outcome: 'needs_clarification',
        sql: '',
        explanation: 'Best by what?',
        not_understood: [],
      },
      'For ever?': ENDLESS,
    },
  });
});
afterEach(() => project.remove());

const modeOf = (path: string): number => statSync(project.path(path)).mode & 0o777;

describe('--continue', () => {
  it('goes on with the last conversation of the folder, and asks the same databases', async () => {
    await project.chat([COUNT]);
    const { code, stdout, stderr } = await project.chat(['and in Rome?', '/rows', '/turns'], ['--continue']);
    expect(code).toBe(0);
    expect(stderr).toContain(`Going on after turn 1: ${COUNT}`);
    expect(stderr).toContain('→ How many customers in Rome?');
    expect(stdout).toMatch(/ {2}1 {2}How many.*\n {2}2 {2}and in Rome\? → How many/);
  });

  it('reads the rows again that an earlier process has shown', async () => {
    await project.chat([COUNT]);
    const { stdout } = await project.chat(['/rows', '/export kept.csv'], ['--continue']);
    expect(stdout).toBe('customers\n---------\n        5\n(1 row)\n');
  });

  it('with a database goes on with the last one about the same, or says that there is none', async () => {
    project.database('hr.sqlite', 'CREATE TABLE staff (id INTEGER PRIMARY KEY)');
    await project.chat([COUNT]);
    await project.chat([COUNT], ['hr.sqlite']);
    const same = await project.chat(['/turns'], ['./shop.sqlite', '--continue']);
    expect(same.stdout).toContain(`1  ${COUNT}  (1 row)`);
    const other = await project.chat([COUNT], ['people=hr.sqlite', '--continue']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toContain(
      'No conversation of this folder is about people (hr.sqlite); the last one is about hr',
    );
  });

  it('shows what was asked back, and the next line answers it', async () => {
    await project.chat([COUNT, 'those of Ada']);
    const { code, stdout, stderr } = await project.chat(['1'], ['--continue']);
    expect(stderr).toMatch(/Please decide: Which\?\n {2}1 {2}Orders of Ada\?/);
    expect(stdout).toMatch(/of_ada\n-+\n +2\n/);
    expect(code).toBe(0);
  });

  it('goes on with a question that the database of rows has left open', async () => {
    await project.chat(['Who are the best?']);
    const { code, stdout, stderr } = await project.chat(['those with most orders'], ['--continue']);
    expect(stderr).toMatch(/Please decide: Best by what\?\nThe next line answers\./);
    expect(stdout).toMatch(/best\n-+\nAda\n/);
    expect(code).toBe(0);
  });

  it('goes on after a process was killed', async () => {
    const run = startAskema(['chat', 'shop.sqlite'], {
      cwd: project.folder,
      env: project.env,
      stdin: `${COUNT}\nFor ever?\n`,
    });
    await new Promise<void>((resolve) => run.child.stdout?.on('data', () => resolve()));
    // The endless question is in the journal as soon as it is said.
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(run.pid, 'SIGKILL');
    await run.finished;
    expect(await groupEnds(run.pid)).toBe(true);
    const { code, stdout, stderr } = await project.chat(['and in Rome?', '/turns'], ['--continue']);
    expect(stderr).toContain('The last message was broken off; say it again to go on: For ever?');
    expect(stdout).toContain('in_rome');
    expect(stdout).not.toContain('For ever?');
    expect(code).toBe(0);
  });
});

describe('what is kept', () => {
  it('stands in files that this user alone can read, without a row', async () => {
    await project.chat([COUNT], ['shop.sqlite', '--id', 'first']);
    expect(readdirSync(project.path('history/chats/first')).sort()).toEqual(['about.json', 'turns.jsonl']);
    expect(modeOf('history/chats')).toBe(0o700);
    expect(modeOf('history/chats/first')).toBe(0o700);
    expect(modeOf('history/chats/first/about.json')).toBe(0o600);
  });

  it('is listed, newest first, and gone on with by its name', async () => {
    await project.chat([COUNT], ['shop.sqlite', '--id', 'first']);
    await project.chat(['How many customers in Rome?'], ['shop.sqlite', '--id', 'second']);
    const { stdout } = await project.chat([], ['--list']);
    expect(stdout).toMatch(
      /^second {2}.*shop\.sqlite {2}How many customers in Rome\?\nfirst {2}.*How many customers are/,
    );
    expect((await project.chat(['/turns'], ['--id', 'first'])).stdout).toContain(COUNT);
  });

  it('is never half written: a full disk would take its name from it', async () => {
    await project.chat([COUNT], ['shop.sqlite', '--id', 'first']);
    const about = project.path('history/chats/first/about.json');
    const before = readFileSync(about, 'utf8');
    linkSync(about, project.path('before.json'));
    await project.chat(['and in Rome?'], ['shop.sqlite', 'again=shop.sqlite', '--id', 'first']);
    expect(readFileSync(about, 'utf8')).toContain('again');
    expect(readFileSync(project.path('before.json'), 'utf8')).toBe(before);
    expect(readdirSync(project.path('history/chats/first')).sort()).toEqual(['about.json', 'turns.jsonl']);
  });

  it('can be shown and repeated as every run', async () => {
    await project.chat([COUNT]);
    const history = (...words: readonly string[]) =>
      runInProcess(['history', ...words], { cwd: project.folder, env: project.env });
    const { stdout } = await history('list');
    const [id = ''] = stdout.split(' ');
    expect(stdout).toMatch(/answered .*How many customers are there\?/);
    expect((await history('repeat', id)).stdout).toContain('        5');
    await history('forget', '--all');
    expect(readdirSync(project.path('history'))).toEqual([]);
  });

  it('is nothing with --no-history, and where nothing was said', async () => {
    expect((await project.chat([COUNT, '/why'], ['shop.sqlite', '--no-history'])).code).toBe(0);
    await project.chat(['/help']);
    expect(() => statSync(project.path('history'))).toThrow();
  });
});

it('a conversation that cannot be written is told, with what to do', async () => {
  project.write('history/chats/first/about.json/x', 'a folder in place of the file');
  const { code, stdout, stderr } = await project.chat([COUNT], ['shop.sqlite', '--id', 'first']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/cannot be kept in .*chats: .*--no-history\. \[CONFIG_INVALID\]/);
});

it('a folder that others can write to is refused for each message, and nothing else breaks', async () => {
  await project.chat([COUNT]);
  const { chmodSync } = await import('node:fs');
  chmodSync(project.path('history/chats'), 0o777);
  const { code, stderr } = await project.chat([COUNT, '/help', COUNT]);
  expect(code).toBe(1);
  expect(stderr.match(/can be written by others/g)).toHaveLength(2);
});
