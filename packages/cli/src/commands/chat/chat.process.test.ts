import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatProject, chatProject } from '../../testing/chat-project.ts';

const BY_CITY = 'How many customers are there, by city?';
const WHY = 'why is London so high?';

let project: ChatProject;
beforeAll(() => {
  project = chatProject({
    read: {
      'and by city?': { kind: 'refine', turn: 1, question: BY_CITY },
      thanks: { kind: 'none' },
      'show me the SQL': { kind: 'about', turn: 1, detail: 'sql' },
      [WHY]: { kind: 'explain', turn: 1, question: WHY, questions: ['Orders in London?', 'Customers in London?'] },
      'compare them': {
        kind: 'explain',
        turn: 1,
        question: 'Compare them',
        questions: ['people: Staff there?', 'shop: Customers there?'],
      },
      'those of Ada': { kind: 'unclear', detail: 'Which?', questions: ['Orders of Ada?', 'Cities of Ada?'] },
    },
    tell: { [WHY]: 'London has [[1:1:1]] orders.', 'How many of them?': 'There are 12.' },
    write: {
      'How many customers are there?': 'SELECT count(*) AS customers FROM customer',
      [BY_CITY]: 'SELECT city, count(*) AS customers FROM customer GROUP BY city ORDER BY city DESC LIMIT 2',
      'Orders in London?': 'SELECT 2 AS orders',
      'Customers in London?': 'SELECT 1 AS customers',
      'Staff there?': 'SELECT count(*) AS staff FROM staff',
      'Customers there?': 'SELECT count(*) AS customers FROM customer',
      'Orders of Ada?': 'SELECT 2 AS of_ada',
      'Something hostile?': `SELECT 'a' || char(27) || '[2J' || char(8238) AS "x${'\u001b'}[31m"`,
      'How many staff?': 'SELECT 7 AS staff',
      '/etc/passwd?': 'SELECT 1 AS slash',
      'How many of them?': 'SELECT 5 AS customers',
      'Nothing like it?': { outcome: 'unanswerable', sql: '', explanation: 'There is none.', not_understood: [] },
    },
  });
  project.database('hr.sqlite', 'CREATE TABLE staff (id INTEGER PRIMARY KEY); INSERT INTO staff VALUES (1);');
});
afterAll(() => project.remove());

describe('askema chat in a pipe', () => {
  it('asks each line, and shows what was understood; rows alone are on stdout', async () => {
    const { code, stdout, stderr } = await project.chat(['How many customers are there?', 'and by city?']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'customers\n---------\n        5\n(1 row)\ncity  | customers\n------+----------\nTokyo |         1\nRome  |         1\n(2 rows)\n',
    );
    expect(stderr).toContain(`→ ${BY_CITY}\n`);
    expect(stderr).not.toContain('askema>');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('→ How many customers are there?');
  });

  it('tells what is known without asking', async () => {
    const lines = ['How many customers are there?', 'show me the SQL', 'thanks'];
    const { code, stdout, stderr } = await project.chat(lines);
    expect(code).toBe(0);
    expect(stderr.match(/\/schema shows what can be asked about, \/help the commands\./g)).toHaveLength(1);
    expect(stdout).toContain('SELECT count(*) AS customers FROM customer');
  });

  it('asks why part by part, each with its rows', async () => {
    const { code, stdout, stderr } = await project.chat(['How many customers are there?', WHY]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/1\. Orders in London\?\n2\. Customers in London\?/);
    expect(stdout).toMatch(/orders\n-+\n +2\n\(1 row\)\ncustomers\n-+\n +1\n\(1 row\)\nLondon has 2 orders\.\n$/);
  });

  it('tells each answer in sentences with --summarize, and says where those are refused', async () => {
    const { code, stdout, stderr } = await project.chat(['How many of them?'], ['shop.sqlite', '--summarize']);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('12') });
    expect(stderr).toMatch(/note: no sentences: .*12/);
  });

  it('takes the next line as the answer to what was asked back', async () => {
    const { code, stdout, stderr } = await project.chat(['How many customers are there?', 'those of Ada', '1']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/Please decide: Which\?\n {2}1 {2}Orders of Ada\?\n {2}2 {2}Cities of Ada\?\nThe next line/);
    expect(stdout).toMatch(/of_ada\n-+\n +2\n/);
    expect((await project.chat(['How many customers are there?', 'those of Ada'])).code).toBe(1);
  });

  it('ends with 1 where the last message was not answered, and goes on after a failure', async () => {
    const { code, stdout, stderr } = await project.chat(['A broken one?', 'How many customers are there?']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/error: .*the model is gone/);
    expect(stdout).toContain('customers');
    expect((await project.chat(['How many customers are there?', 'A broken one?'])).code).toBe(1);
    const unanswered = await project.chat(['Nothing like it?']);
    expect(unanswered.stderr).toMatch(/No answer: There is none\.\n.*\/help the commands/);
    expect((await project.chat([])).code).toBe(0);
  });

  it('refuses a line that is far too long, and goes on', async () => {
    const lines = ['x'.repeat(200_000), 'y'.repeat(3_000_000), 'How many customers are there?'];
    const { code, stdout, stderr } = await project.chat(lines);
    expect(code).toBe(0);
    expect(stderr).toMatch(/error: The message has 200000 characters, and 20000 are allowed/);
    expect(stderr).toMatch(/error: A line may have 1000000 characters, and this one has more/);
    expect(stderr.length).toBeLessThan(2_000);
    expect(stdout).toContain('        5');
  });

  it('names the nearest command, and takes // as a message that begins with /', async () => {
    const { code, stdout, stderr } = await project.chat(['/slq', '///etc/passwd?'.slice(1)]);
    expect(stderr).toMatch(/error: There is no command `\/slq`.*Did you mean `\/sql`\? \[INPUT_INVALID\]/);
    expect(stdout).toContain('slash');
    expect(code).toBe(1);
  });

  it('shows no character that a terminal obeys', async () => {
    const { stdout, stderr } = await project.chat(['Something hostile?', '/sql', '/why', '/rows', '/turns']);
    expect(stdout).toContain('a\\u{1b}[2J\\u{202e}');
    expect(stdout).toContain('x\\u{1b}[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters must not be there
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
  });

  it('writes a line of JSON for each turn, with the outcome in its published form', async () => {
    const lines = ['How many customers are there?', 'and by city?', WHY, 'z'.repeat(30_000), '/undo'];
    const { code, stdout } = await project.chat(lines, ['shop.sqlite', '--format', 'json']);
    const turns = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(turns).toMatchObject([
      {
        schemaVersion: 1,
        turn: 1,
        answer: { type: 'answered' },
        outcome: { type: 'answered', result: { rows: [[5]] } },
      },
      { turn: 2, after: 1, understood: { kind: 'refine', of: 1, question: BY_CITY }, calls: 2 },
      { turn: 3, answer: { type: 'explained' }, outcomes: [{ result: { rows: [[2]] } }, { result: { rows: [[1]] } }] },
      { error: { code: 'INPUT_INVALID' } },
    ]);
    expect(turns[0].conversation).toBe(turns[2].conversation);
    expect(turns[3].message).toHaveLength(1_000);
  });
});

describe('several databases', () => {
  it('are told apart by name', async () => {
    const read = await project.chat(['How many staff?'], ['shop.sqlite', 'people=hr.sqlite']);
    expect(read.stderr).toMatch(/Please decide: .*\n.*shop.*\n.*people/);
    const lines = ['How many staff?', 'people', '/why'];
    const { code, stdout, stderr } = await project.chat(lines, ['shop.sqlite', 'people=hr.sqlite']);
    expect(code).toBe(0);
    expect(stderr).toContain('→ (people) How many staff?');
    expect(stdout).toMatch(/database +people/);
  });

  it('/use asks one of them, and /use alone none in particular', async () => {
    const edited = await project.chat(
      [
        '/use people',
        'How many staff?',
        '/use shop',
        '/edit SELECT count(*) AS here FROM customer',
        '/use people',
        '/edit SELECT count(*) AS there FROM staff',
      ],
      ['shop.sqlite', 'people=hr.sqlite'],
    );
    expect(edited.stdout).toMatch(/here\n-+\n +5\n\(1 row\)\nthere\n-+\n +1\n/);
    const lines = ['/use people', 'How many staff?', '/schema', '/use', 'How many customers are there?', '/use peple'];
    const { code, stdout, stderr } = await project.chat(lines, ['shop.sqlite', 'people=hr.sqlite']);
    expect(stderr).toMatch(/All messages ask people.*\n→ \(people\) How many staff\?/);
    expect(stdout).toBe('staff\n-----\n    7\n(1 row)\nstaff\n  id INTEGER\n');
    expect(stderr).toMatch(/Each message decides .*shop, people\.\nPlease decide: /s);
    expect(stderr).toMatch(/\/use peple: no database is called so\. Open are: shop, people\. Did you mean `people`\?/);
    expect(code).toBe(1);
  });

  it('are named beside the parts of an explanation, whose statements run there again', async () => {
    const lines = ['/use people', 'How many staff?', '/use', 'compare them', '/why'];
    const flags = ['shop.sqlite', 'people=hr.sqlite', '--id', 'both'];
    const { stdout, stderr } = await project.chat(lines, flags);
    expect(stderr).toMatch(/1\. \(people\) Staff there\?\n2\. \(shop\) Customers there\?/);
    expect(stdout).toMatch(
      /question +Staff there\?\ndatabase +people\n.*question +Customers there\?\ndatabase +shop\n/s,
    );
    expect((await project.chat(['/rows'], flags)).stdout).toMatch(/^staff\n-+\n +1\n\(1 row\)\ncustomers\n-+\n +5\n/);
  });

  it('of one name are refused, with how to name them', async () => {
    const { code, stderr } = await project.chat([], ['shop.sqlite', './shop.sqlite']);
    expect(code).toBe(2);
    expect(stderr).toContain('Two databases are called `shop`: shop.sqlite and ./shop.sqlite.');
    expect(stderr).toContain('other=./shop.sqlite');
  });
});

describe('wrong usage', () => {
  let fresh: ChatProject;
  beforeAll(() => {
    fresh = chatProject({ write: {} });
  });
  afterAll(() => fresh.remove());

  it.each([
    [[], /DATABASE is missing/],
    [['none.sqlite'], /none\.sqlite/],
    [['shop.sqlite', '--timeout', '5'], /--timeout "5" is no time/],
    [['shop.sqlite', '--no-history', '--continue'], /--no-history keeps no conversation/],
    [['shop.sqlite', '--id', '../x'], /--id "\.\.\/x"/],
    [['shop.sqlite', '--continue', '--id', 'x'], /give one/],
    [['--continue'], /No conversation was held in this folder/],
    [['shop.sqlite', '--document', 'none.md'], /none\.md/],
  ])('%j ends with 2 and says what is wrong', async (flags, message) => {
    const { code, stdout, stderr } = await fresh.chat(['How many customers are there?'], flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
