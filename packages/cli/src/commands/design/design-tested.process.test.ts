import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryHostOptions } from '../../testing/memory-host.ts';
import { POTTERY, potteryConfig, potteryReport } from '../../testing/pottery-design.ts';
import { potteryDraft, TESTED_REPLIES } from '../../testing/pottery-tested.ts';
import { groupEnds } from '../../testing/process-group.ts';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let finished: TemporaryProject;
beforeAll(async () => {
  finished = temporaryProject();
  finished.write('pottery.md', POTTERY);
  finished.write('askema.config.ts', potteryConfig(TESTED_REPLIES));
  expect((await runInProcess(['design', 'pottery.md'], { cwd: finished.folder })).code).toBe(0);
}, 60_000);
afterAll(() => finished.remove());

/** A design that went to its end. */
const takeFinished = (): void =>
  cpSync(finished.path('pottery.design'), project.path('pottery.design'), { recursive: true });

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('pottery.md', POTTERY);
  project.write('askema.config.ts', potteryConfig(TESTED_REPLIES));
  // The same model by name, which answers nothing.
  project.write('silent.config.ts', potteryConfig({}));
});
afterEach(() => project.remove());

const run = (flags: readonly string[] = [], options: MemoryHostOptions = {}) =>
  runInProcess(['design', 'pottery.md', ...flags], { cwd: project.folder, ...options });
const read = (name: string): string => readFileSync(project.path(`pottery.design/${name}`), 'utf8');
const edit = (name: string, change: (text: string) => string): void => {
  project.write(`pottery.design/${name}`, change(read(name)));
};
const phases = (): string[] => readdirSync(project.path('pottery.design/phases')).sort();
const TESTS = 'phases/4-requirement-tests.json';

describe('the preset tested', { timeout: 60_000 }, () => {
  it('drafts, tests, attacks and repairs; says what became of the tests, and keeps each phase', async () => {
    const { code, stdout, stderr } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/CREATE TABLE Firing[\s\S]*PRIMARY KEY \("Potter Number", "Kiln Code", "?Day"?\)/);
    expect(stderr).toContain('assumed: A potter may fire in the same kiln again.\n');
    expect(stderr).toMatch(/^accepted: 6 tests: 6 passed; \d+ of \d+ planted mistakes noticed$/m);
    expect(stderr).toMatch(/schema-agent \(tested\) · 4 model calls · \d rounds · 6 of 6 tests passed/);
    expect(stderr).not.toMatch(/warning|not written|not accepted/);
    expect(phases()).toEqual([
      '3-assumptions.json',
      '3-logical-design.json',
      '4-requirement-tests.json',
      '5-mutation-check.json',
      '5-test-report.json',
    ]);
    const report = read('report.md');
    expect(report).toMatch(/## Tests\n\nRun on a scratch database \(sqlite\)/);
    expect(report).toMatch(/## Counter-examples of the reviewer[\s\S]*Two potters share a kiln on one day\. \| passed/);
    expect(report).toContain('## Assumptions\n\n- A potter may fire in the same kiln again.');
    expect(report).not.toContain('Entity-relationship model');
  });

  it('tells what did not pass, and why it is not accepted', async () => {
    const draft = [potteryDraft(['Potter Number', 'Kiln Code'])];
    project.write('stubborn.config.ts', potteryConfig({ ...TESTED_REPLIES, draft }));
    const { code, stdout, stderr } = await run(['--config', 'stubborn.config.ts']);
    expect(code).toBe(0);
    expect(stdout).toContain('CREATE TABLE Firing');
    expect(stderr).toMatch(/^6 tests: 5 passed, 1 failed; /m);
    expect(stderr).toMatch(/^ {2}test 4 \(event\): Ada fires in the kiln again\. Firing "f2" .*was refused: .*UNIQUE/m);
    expect(stderr).toMatch(/not accepted: 1 of 6 tests did not pass/);
  });

  it('--verbose writes each turn, and each run of the tests with what did not pass', async () => {
    const { stderr } = await run(['--verbose']);
    const lines = stderr.split('\n').flatMap((line) => /^ +\d+\.\d s {2}(.*)$/.exec(line)?.[1] ?? []);
    expect(lines.map((line) => line.replace(/;.*/, ''))).toEqual([
      'Logical designer → QA engineer  forward',
      'QA engineer → Test executor  forward',
      '5 tests: 4 passed, 1 failed',
      'Test executor → Conceptual reviewer  forward',
      'Conceptual reviewer → Test executor  forward',
      '6 tests: 5 passed, 1 failed',
      'Test executor → Logical designer  feedback',
      'Logical designer → Test executor  forward',
      '6 tests: 6 passed',
      'Test executor  TERMINAL',
    ]);
    expect(stderr.match(/^ +test 4 \(event\): Ada fires in the kiln again\./gm)).toHaveLength(2);
  });

  it('shows on a terminal who works, and what the last run of the tests came to', async () => {
    const { stderr } = await run([], { columns: 160 });
    expect(stderr).toContain('QA engineer: writing tests from the requirement alone');
    expect(stderr).toMatch(/Conceptual reviewer: looking for counter-examples · 5 tests: 4 passed, 1 failed; /);
  });

  it('--format json has assumptions, tests and the check of planted mistakes', async () => {
    const { stdout } = await run(['--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      accepted: true,
      preset: 'tested',
      assumptions: ['A potter may fire in the same kiln again.'],
      artefacts: {
        requirementTests: [{ isSample: true }, {}, {}, {}, {}, { by: 'conceptual-reviewer' }],
        testReport: { run: { counts: { passed: 6 } } },
        mutationCheck: { planted: expect.any(Number) },
      },
    });
  });

  it('--ask: the product manager asks before the draft', async () => {
    const question = 'May two potters share a kiln?';
    const clarifications = [{ kind: 'ambiguity', question, quotes: [], assumption: 'They may.' }];
    const asking = { ...potteryReport({ clarifications }), ...TESTED_REPLIES };
    const report = [...(asking.report ?? []), ...(potteryReport({}).report ?? [])];
    project.write('ask.config.ts', potteryConfig({ ...asking, report }));
    const flags = ['--ask', '--config', 'ask.config.ts'];
    const { code, stderr } = await run(flags, { columns: 100, stdin: 'Never.\n' });
    expect(code).toBe(0);
    expect(stderr).toMatch(/answered: Never\.[\s\S]*accepted: 6 tests: 6 passed/);
    expect(JSON.parse(read('phases/1-report.json'))).toMatchObject({ clarifications: [{ answer: 'Never.' }] });
  });

  it('leaves out the parts of --without', async () => {
    const { stderr } = await run(['--without', 'mutation-check,reviewer']);
    expect(stderr).toMatch(/^accepted: 5 tests: 5 passed$/m);
    expect(phases()).not.toContain('5-mutation-check.json');
    const again = await run(['--without', 'tests,reviewer,mutation-check', '--force']);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('· 1 model call ·') });
    expect(phases()).toEqual(['3-assumptions.json', '3-logical-design.json', 'run-1']);
  });
});

describe('a second start of the preset tested', { timeout: 60_000 }, () => {
  it('after a kill goes on behind what was finished', async () => {
    project.write('hanging/askema.config.ts', potteryConfig(TESTED_REPLIES, { hang: 'counter-examples' }));
    const flags = ['design', '../pottery.md', '--out', '../pottery.design'];
    const stopped = startAskema(flags, { cwd: project.path('hanging') });
    await new Promise<void>((resolve) => {
      stopped.child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('the model hangs')) resolve();
      });
    });
    process.kill(-stopped.pid, 'SIGKILL');
    await stopped.finished;
    expect(await groupEnds(stopped.pid)).toBe(true);
    expect(phases()).toContain('4-requirement-tests.json');
    const { 'requirement-tests': _, draft = [], ...later } = TESTED_REPLIES;
    project.write('later.config.ts', potteryConfig({ ...later, draft: draft.slice(1) }));
    const again = await run(['--config', 'later.config.ts']);
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/^pottery\.design: going on with what is there\n/);
    expect(again.stderr).toMatch(/accepted: 6 tests: 6 passed; .*\n[\s\S]*· 4 model calls ·/);
  });

  it('with another preset is refused; a folder of before there were presets is of paper', async () => {
    takeFinished();
    const other = await run(['--preset', 'paper']);
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toMatch(/preset was "tested" and is "paper"\).*--force/);
    edit('design.json', (text) => text.replace(/\n *"preset": "tested",/, ''));
    expect((await run()).stderr).toMatch(/preset was "paper" and is "tested"/);
  });

  it('--from tests runs tests that were edited, on the design that is there', async () => {
    takeFinished();
    edit(TESTS, (text) =>
      text.replace('Ada fires in the kiln again.', 'Ada comes back.').replace('2026-03-08', '2026-03-01'),
    );
    const passedOver = await run(['--config', 'silent.config.ts']);
    expect(passedOver.code).toBe(2);
    expect(passedOver.stderr).toMatch(/4-requirement-tests\.json was edited\. Go on from it with --from tests/);
    const none = [{ thinking: '', places: [], tests: [] }];
    const draft = [potteryDraft(['Potter Number', 'Kiln Code', 'Day'])];
    project.write('later.config.ts', potteryConfig({ 'counter-examples': none, draft }));
    const { code, stderr } = await run(['--from', 'tests', '--config', 'later.config.ts']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/test 4 \(event\): Ada comes back\. .*was refused/);
    expect(read('phases/run-1/5-test-report.json')).toContain('"accepted": true');
    expect(existsSync(project.path('pottery.design/phases/run-1/4-requirement-tests.json'))).toBe(false);
  });

  it('a design that was edited goes on with the tests that are there', async () => {
    takeFinished();
    edit('phases/3-logical-design.json', (text) => text.replace('"NUMERIC"', '"TEXT"'));
    expect((await run()).stderr).toMatch(/3-logical-design\.json was edited\. Go on from it with --from tests/);
    const { draft: _, 'requirement-tests': __, ...rest } = TESTED_REPLIES;
    project.write('rest.config.ts', potteryConfig(rest));
    const { code, stdout } = await run(['--from', 'tests', '--config', 'rest.config.ts']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Size TEXT/) });
  });

  it('--from requirement-tests writes the tests anew for the design that is there', async () => {
    takeFinished();
    const { draft: _, ...rest } = TESTED_REPLIES;
    project.write('rest.config.ts', potteryConfig(rest));
    const { code, stderr } = await run(['--from', 'requirement-tests', '--config', 'rest.config.ts']);
    expect(code).toBe(0);
    expect(stderr).toContain('assumed: A potter may fire in the same kiln again.');
    expect(stderr).toMatch(/accepted: 6 tests: 6 passed; [\s\S]*· 2 model calls ·/);
    expect(existsSync(project.path('pottery.design/phases/run-1/4-requirement-tests.json'))).toBe(true);
  });

  it('--from tests without tests, and with tests of another form, names the file', async () => {
    expect((await run(['--from', 'tests', '--out', 'elsewhere'])).stderr).toMatch(
      /--from tests needs elsewhere\/phases\/3-logical-design\.json/,
    );
    takeFinished();
    edit(TESTS, (text) => text.replace('"refusal"', '"denial"'));
    const { code, stderr } = await run(['--from', 'tests']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/4-requirement-tests\.json cannot be worked with: \[4\]\.kind: /);
  });
});
