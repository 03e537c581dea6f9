import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryHostOptions } from '../../testing/memory-host.ts';
import { POTTERY, POTTERY_REPLIES, potteryConfig, potteryReport } from '../../testing/pottery-design.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('pottery.md', POTTERY);
  project.write('askema.config.ts', potteryConfig(POTTERY_REPLIES));
});
afterEach(() => project.remove());

const run = (flags: readonly string[], options: MemoryHostOptions = {}) =>
  runInProcess(['design', ...flags], { cwd: project.folder, ...options });
/** The roles in the order of SchemaAgent. */
const paper = (flags: readonly string[], options: MemoryHostOptions = {}) =>
  run([...flags, '--preset', 'paper'], options);
const read = (name: string): string => readFileSync(project.path(name), 'utf8');

const FILES = [
  'design.json',
  'diagram.mmd',
  'diagram.svg',
  'phases',
  'report.md',
  'run-1.jsonl',
  'schema.dbml',
  'schema.drizzle.ts',
  'schema.json',
  'schema.postgres.sql',
  'schema.prisma',
  'schema.sqlite.sql',
  'transcript.json',
];

describe('askema design', { timeout: 60_000 }, () => {
  it('lets a model choose who speaks next where nobody was named, and goes on with the same one alone', async () => {
    const chooses = { 'agents_choose-speaker': [{ reason: 'as usual', next: 'logical-designer' }] };
    project.write('askema.config.ts', potteryConfig({ ...POTTERY_REPLIES, ...chooses }));
    const { code } = await paper(['pottery.md', '--administrator', 'potter']);
    expect(code).toBe(0);
    expect(read('pottery.design/transcript.json')).toContain('"chosenBy": "administrator"');
    const without = await paper(['pottery.md']);
    expect(without.code).toBe(2);
    expect(without.stderr).toMatch(/administrator was "scripted:scripted" and is none/);
  });

  it('puts the DDL on stdout, notes on stderr, and everything into a folder', async () => {
    const { code, stdout, stderr } = await paper(['pottery.md']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CREATE TABLE Potter \(/);
    expect(stdout).toMatch(/FOREIGN KEY \("Kiln Code"\) REFERENCES Kiln \("Kiln Code"\)/);
    expect(stderr).not.toContain('CREATE TABLE');
    expect(stderr).toMatch(/pottery\.design: schema\.json, schema\.sqlite\.sql, .*phases\/5-test-report\.json\n/);
    expect(stderr).toMatch(
      /scripted:scripted · schema-agent \(paper\) · 7 model calls · 5 rounds · 60 of 60 test steps passed · [\d.]+ m?s/,
    );
    expect(stderr).not.toMatch(/warning|not written/);
    expect(readdirSync(project.path('pottery.design')).sort()).toEqual(FILES);
    expect(readdirSync(project.path('pottery.design/phases')).sort()).toEqual([
      '1-report.json',
      '2-conceptual-model.json',
      '3-logical-design.json',
      '4-test-plan.json',
      '5-test-report.json',
    ]);
    expect(read('pottery.design/schema.sqlite.sql')).toBe(stdout);
    expect(read('pottery.design/diagram.svg')).toMatch(/^<\?xml|^<svg/);
    expect(read('pottery.design/diagram.mmd')).toContain('erDiagram');
    expect(read('pottery.design/schema.dbml')).toMatch(/Table/);
    expect(read('pottery.design/schema.prisma')).toMatch(/provider = "sqlite"[\s\S]*model Potter/);
    expect(read('pottery.design/schema.drizzle.ts')).toContain('sqliteTable("Potter"');
    expect(JSON.parse(read('pottery.design/schema.json'))).toMatchObject({ relations: [{ name: 'Potter' }, {}, {}] });
    expect(read('pottery.design/report.md')).toMatch(/^# Firings/);
    expect(JSON.parse(read('pottery.design/transcript.json'))).toHaveLength(8);
  });

  it('writes the DDL of each dialect, and the ORM schemas of the first one that they know', async () => {
    const flags = ['pottery.md', '--out', 'out/here', '--dialect', 'snowflake,MySQL', '--dialect', 'bigquery,duckdb'];
    const { code, stdout } = await paper(flags);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^-- Snowflake does not enforce/);
    const sql = readdirSync(project.path('out/here')).filter((name) => name.endsWith('.sql'));
    expect(sql.sort()).toEqual(['bigquery', 'duckdb', 'mysql', 'snowflake'].map((name) => `schema.${name}.sql`));
    expect(read('out/here/schema.prisma')).toContain('provider = "mysql"');
  });

  it('--format json: one document', async () => {
    const { code, stdout } = await paper(['pottery.md', '-f', 'json']);
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(document).toMatchObject({
      schemaVersion: 1,
      type: 'designed',
      accepted: true,
      schema: { relations: [{ name: 'Potter' }, {}, {}] },
      artefacts: { testReport: { run: { counts: { passed: 60 } } } },
      messages: 8,
      folder: 'pottery.design',
      problems: [],
    });
    expect(document.files).toContain('schema.postgres.sql');
  });

  it('--verbose says who handed to whom, without the words', async () => {
    const { stderr } = await paper(['pottery.md', '--verbose']);
    const turns = stderr.split('\n').flatMap((line) => /^ +\d+\.\d s {2}(.*)$/.exec(line)?.[1] ?? []);
    expect(turns).toEqual([
      'Product manager → Conceptual designer  forward',
      'Conceptual designer → Conceptual reviewer  forward',
      'Conceptual reviewer → Logical designer  forward',
      'Logical designer → QA engineer  forward',
      'QA engineer → Test executor  forward',
      'Test executor  TERMINAL',
    ]);
  });

  it('shows on a terminal who works', async () => {
    const { stdout, stderr } = await paper(['pottery.md'], { columns: 120 });
    for (const words of ['Product manager: writing', 'Conceptual reviewer: reviewing', 'Test executor: running'])
      expect(stderr).toContain(words);
    expect(stderr).toMatch(/\d model calls/);
    expect(stdout).not.toContain('model call');
  });

  it('runs a baseline, which has no phases', async () => {
    const { code, stdout, stderr } = await run(['pottery.md', '--strategy', 'one-shot'], { columns: 100 });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CREATE TABLE Kiln/);
    expect(stderr).toMatch(/one-shot: designing/);
    expect(readdirSync(project.path('pottery.design/phases'))).toEqual(['3-logical-design.json']);
    const again = await run(['pottery.md', '--strategy', 'one-shot', '--from', 'logical']);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toMatch(/--from belongs to --strategy schema-agent; one-shot has no phases/);
  });

  it('leaves out the parts of --without', async () => {
    const { code, stderr } = await paper(['pottery.md', '--without', 'tests,reviewer', '--without', 'product-manager']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/· 3 model calls · 2 rounds ·/);
    expect(readdirSync(project.path('pottery.design/phases'))).toEqual([
      '2-conceptual-model.json',
      '3-logical-design.json',
    ]);
    const again = await paper(['pottery.md', '--without', 'tests,reviewer,product-manager', '--from', 'logical']);
    expect(again.code).toBe(0);
  });

  it('reads the requirement from stdin', async () => {
    const { code } = await paper(['-'], { stdin: POTTERY });
    expect(code).toBe(0);
    expect(existsSync(project.path('requirement.design/schema.json'))).toBe(true);
  });

  it('writes what can be written where a dialect cannot have a name, and says so', async () => {
    const long = 'Kiln'.repeat(20);
    const replies = JSON.parse(JSON.stringify(POTTERY_REPLIES).replaceAll('"Kiln"', `"${long}"`)) as object;
    project.write('long.config.ts', potteryConfig(replies as typeof POTTERY_REPLIES));
    const { code, stdout, stderr } = await paper(['pottery.md', '-d', 'mysql,sqlite', '--config', 'long.config.ts']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/not written: schema\.mysql\.sql: .*64/);
    expect(read('pottery.design/schema.sqlite.sql')).toContain(long);
  });

  it('a design that was not accepted says why, once, and is there', async () => {
    const { code, stdout, stderr } = await paper(['pottery.md', '--max-rounds', '3']);
    expect(code).toBe(0);
    expect(stdout).toContain('CREATE TABLE');
    expect(stderr.match(/3 rounds were used up/g)).toHaveLength(1);
    expect(stderr).toMatch(/not accepted: The 3 rounds/);
  });

  it('ends with what there is when the calls are used up, and goes on with more', async () => {
    const { code, stdout, stderr } = await paper(['pottery.md', '--max-calls', '2']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/error: .*\[BUDGET_EXCEEDED\]\nThe same command goes on where it stopped\./);
    expect(read('pottery.design/report.md')).toMatch(/^# Firings/);
    expect((await paper(['pottery.md'])).code).toBe(0);
  });
});

describe('a requirement', { timeout: 60_000 }, () => {
  const QUOTES = ['Each potter fires in one kiln.', 'A potter may fire in many kilns.'];
  const clarifications = [
    {
      kind: 'contradiction',
      question: 'In how many kilns does a potter fire?',
      quotes: QUOTES,
      assumption: 'In many.',
    },
  ];

  it.each([
    ['nothing', ' \n'],
    ['no words', '123 - 456'],
    ['a control character', 'Potters \u0001 fire.'],
  ])('of %s: exit 2 with a code, and nothing is written', async (_name, text) => {
    project.write('pottery.md', text);
    const { code, stdout, stderr } = await paper(['pottery.md']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/The requirement (is|has) .*\[INPUT_INVALID\]/);
    expect(existsSync(project.path('pottery.design'))).toBe(false);
  });

  it('that is not about data is refused with its reason', async () => {
    const refusal = potteryReport({ outcome: 'refusal', reason: 'A poem\u001b[2J stores nothing.', subjects: [] });
    project.write('refusal.config.ts', potteryConfig(refusal));
    const { code, stdout, stderr } = await paper(['pottery.md', '--config', 'refusal.config.ts']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/refused: A poem\\u\{1b\}\[2J stores nothing\./);
    expect(existsSync(project.path('pottery.design/schema.json'))).toBe(false);
    expect(read('pottery.design/report.md')).toContain('stores nothing.');
  });

  it('that contradicts itself: both sentences, and what was assumed', async () => {
    project.write('pottery.md', `${POTTERY}${QUOTES.join(' ')}`);
    project.write('two.config.ts', potteryConfig(potteryReport({ clarifications })));
    const { code, stderr } = await paper(['pottery.md', '--config', 'two.config.ts']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /contradiction: In how many kilns .*\n {2}“Each potter fires in one kiln\.”\n {2}“A potter may fire in many kilns\.”\n {2}assumed: In many\.\n/,
    );
    for (const quote of QUOTES) expect(read('pottery.design/report.md')).toContain(quote);
  });

  it('--ask asks on a terminal, and the answer stands in the report', async () => {
    project.write('pottery.md', `${POTTERY}${QUOTES.join(' ')}`);
    const asking = potteryReport({ clarifications });
    const report = [...(asking.report ?? []), ...(POTTERY_REPLIES.report ?? [])];
    project.write('ask.config.ts', potteryConfig({ ...asking, report }));
    const flags = ['pottery.md', '--ask', '--config', 'ask.config.ts'];
    const { code, stderr } = await paper(flags, { columns: 100, stdin: 'In one.\n' });
    expect(code).toBe(0);
    expect(stderr).toMatch(/1\. In how many kilns does a potter fire\?.*\n {2}“Each potter/);
    expect(stderr).toContain('[In many.]');
    expect(stderr).toContain('answered: In one.');
    expect(JSON.parse(read('pottery.design/phases/1-report.json'))).toMatchObject({
      clarifications: [{ answer: 'In one.' }],
    });
  });

  it('--ask without a terminal is refused', async () => {
    const { code, stderr } = await paper(['pottery.md', '--ask']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--ask asks on a terminal/);
    expect((await paper(['-', '--ask'], { columns: 80, stdin: POTTERY })).code).toBe(2);
  });

  it('in Chinese has its report in Chinese', async () => {
    project.write('pottery.md', '陶工有编号和姓名。窑有代码和大小。陶工在窑里烧制,记录日期。');
    const chinese = { language: 'zh', title: '烧制', summary: '陶艺坊记录谁在哪座窑烧制。', functions: ['录入烧制。'] };
    project.write('zh.config.ts', potteryConfig(potteryReport(chinese)));
    const { code } = await paper(['pottery.md', '--config', 'zh.config.ts']);
    expect(code).toBe(0);
    const report = read('pottery.design/report.md');
    expect(report).toMatch(/^# 烧制/);
    const headings = report.match(/^## .*/gm) ?? [];
    expect(headings.length).toBeGreaterThan(4);
    expect(headings.filter((heading) => !/\p{Script=Han}/u.test(heading))).toEqual(['## DDL']);
  });
});

describe('wrong usage', () => {
  it.each([
    [['pottery.md', '--dialect', 'postgers'], /`--dialect` is "postgers".*`postgres`/],
    [['pottery.md', '--strategy', 'one-shoot'], /`--strategy` is "one-shoot".*`one-shot`/],
    [['pottery.md', '--without', 'reviewr'], /`--without` is "reviewr".*`reviewer`/],
    [['pottery.md', '--strategy', 'guided', '--without', 'tests'], /--without belongs to --strategy schema-agent/],
    [
      ['pottery.md', '--strategy', 'guided', '--administrator', 'potter'],
      /--administrator belongs to --strategy schema-/,
    ],
    [['pottery.md', '--preset', 'paper', '--administrator', 'poter'], /no model or provider.*`potter`/],
    [['pottery.md', '--administrator', 'potter'], /--administrator belongs to --preset paper/],
    [['pottery.md', '--preset', 'papr'], /`--preset` is "papr".*`paper`/],
    [['pottery.md', '--preset', 'tested', '--strategy', 'guided'], /--preset belongs to --strategy schema-agent/],
    [['pottery.md', '--preset', 'paper', '--without', 'mutation-check'], /mutation-check belongs to --preset tested/],
    [
      ['pottery.md', '--from', 'conceptual'],
      /`--from` is "conceptual"; it must be 'report', 'logical', 'requirement-tests' or/,
    ],
    [['pottery.md', '--from', 'logicl'], /`--from` is "logicl".*`logical`/],
    [['pottery.md', '--max-rounds', '0'], /--max-rounds "0" must be a whole number/],
    [['pottery.md', '--model', 'poter'], /no model or provider.*`potter`/],
    [['pottery.md', '--model', 'lexical'], /lexical cannot answer/],
    [['pottery.md', '--out', 'pottery.md'], /--out pottery\.md/],
    [['pottery.md', '--format', 'yaml'], /format/],
    [['pottrey.md'], /pottrey\.md cannot be read: ENOENT/],
    [['.'], /it is a folder/],
    [[], /REQUIREMENT is missing/],
  ])('%j: exit 2, and nothing is written', async (flags, text) => {
    const { code, stdout, stderr } = await run(flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(text);
    expect(existsSync(project.path('pottery.design'))).toBe(false);
  });

  it('a file that is no text', async () => {
    project.write('pottery.md', '\u0000\u0001');
    const { code, stderr } = await run(['pottery.md']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/pottery\.md is no text in UTF-8/);
  });

  it('no model: what to do', async () => {
    project.write('none.config.ts', 'export default {};');
    const { code, stderr } = await run(['pottery.md', '--config', 'none.config.ts']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/No model was found.*--model; `askema models`.*\[CONFIG_INVALID\]/);
    expect(existsSync(project.path('pottery.design'))).toBe(false);
  });

  it('a folder with files of somebody else is not written over', async () => {
    project.write('site/report.md', 'mine');
    project.write('site/schema.prisma', 'mine');
    const { code, stderr } = await run(['pottery.md', '--out', 'site']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/site holds report\.md, schema\.prisma, which no design of this command wrote.*--force/);
    expect(read('site/report.md')).toBe('mine');
  });
});
