import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { jsonlJournal } from '@askema/core/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POTTERY, POTTERY_REPLIES, potteryConfig } from '../../testing/pottery-design.ts';
import { groupEnds } from '../../testing/process-group.ts';
import { startAskema } from '../../testing/run-askema.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let finished: TemporaryProject;
beforeAll(async () => {
  finished = temporaryProject();
  finished.write('pottery.md', POTTERY);
  finished.write('askema.config.ts', potteryConfig(POTTERY_REPLIES));
  const { code } = await runInProcess(['design', 'pottery.md', '--preset', 'paper'], { cwd: finished.folder });
  expect(code).toBe(0);
}, 60_000);
afterAll(() => finished.remove());

/** A design that went to its end. */
const takeFinished = (): void =>
  cpSync(finished.path('pottery.design'), project.path('pottery.design'), { recursive: true });

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('pottery.md', POTTERY);
  project.write('askema.config.ts', potteryConfig(POTTERY_REPLIES));
  // The same model by name, which answers nothing.
  project.write('silent.config.ts', potteryConfig({}));
});
afterEach(() => project.remove());

const run = (...flags: readonly string[]) =>
  runInProcess(['design', 'pottery.md', '--preset', 'paper', ...flags], { cwd: project.folder });
const silent = (...flags: readonly string[]) => run('--config', 'silent.config.ts', ...flags);
const read = (name: string): string => readFileSync(project.path(`pottery.design/${name}`), 'utf8');
const edit = (name: string, change: (text: string) => string): void => {
  project.write(`pottery.design/${name}`, change(read(name)));
};
const MODEL = 'phases/2-conceptual-model.json';
const LOGICAL = 'phases/3-logical-design.json';

describe('a second start', { timeout: 60_000 }, () => {
  it('of a finished design gives the same without a call of the model, in other dialects too', async () => {
    takeFinished();
    const first = read('schema.sqlite.sql');
    const again = await silent('--dialect', 'sqlite,mysql');
    expect(again).toMatchObject({ code: 0, stdout: first });
    expect(again.stderr).toMatch(/^pottery\.design: going on with what is there\n/);
    expect(read('schema.mysql.sql')).toContain('CREATE TABLE Potter');
  });

  it('after a model that failed goes on behind what was finished', async () => {
    const { review: _, ...replies } = POTTERY_REPLIES;
    project.write('half.config.ts', potteryConfig(replies));
    const first = await run('--config', 'half.config.ts');
    expect(first).toMatchObject({ code: 1, stdout: '' });
    expect(first.stderr).toMatch(/\[RECORDING_MISSING\]\nThe same command goes on where it stopped\./);
    expect(read('report.md')).toMatch(/^# Firings/);
    const { report: __, ...others } = POTTERY_REPLIES;
    project.write('rest.config.ts', potteryConfig(others));
    expect((await run('--config', 'rest.config.ts')).code).toBe(0);
  });

  it('with another requirement, model or switch is refused, and --force begins anew', async () => {
    takeFinished();
    const before = read('design.json');
    const other = await run('--without', 'tests');
    expect(other).toMatchObject({ code: 2, stdout: '' });
    expect(other.stderr).toMatch(/without was \[\] and is \["tests"\]\).*--out.*--force/);
    project.write('pottery.md', `${POTTERY} Kilns rest on Sundays.`);
    const changed = await run();
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(/pottery\.design holds a design .*\(the requirement was another one\).*--force/);
    expect((await run('--from', 'logical')).stderr).toMatch(/the requirement was another one/);
    expect(read('design.json')).toBe(before);
    const forced = await run('--force', '--without', 'tests');
    expect(forced.code).toBe(0);
    expect(readdirSync(project.path('pottery.design/phases'))).toEqual([
      '1-report.json',
      '2-conceptual-model.json',
      '3-logical-design.json',
      'run-1',
    ]);
    expect(existsSync(project.path('pottery.design/phases/run-1/5-test-report.json'))).toBe(true);
  });

  it('after a run that finished nothing may be of another model and another requirement', async () => {
    expect((await silent()).code).toBe(1);
    project.write('pottery.md', `${POTTERY} Kilns rest on Sundays.`);
    const { code, stderr } = await run('--without', 'tests');
    expect(code).toBe(0);
    expect(stderr).not.toContain('going on');
  });

  it('while another process works in the folder changes nothing', async () => {
    takeFinished();
    const report = read('report.md');
    const journal = await jsonlJournal({ file: project.path('pottery.design/run-1.jsonl') }).open('design-1');
    const { code, stdout, stderr } = await silent();
    await journal.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/\[JOURNAL_LOCKED\]/);
    expect(read('report.md')).toBe(report);
  });

  it('a folder whose design.json is of something else is left alone', async () => {
    project.write('pottery.design/design.json', '{"colour":"red"}');
    const { code, stderr } = await run();
    expect(code).toBe(2);
    expect(stderr).toMatch(/pottery\.design\/design\.json is none of this command's/);
    project.write('pottery.design/design.json', '{"run":1,');
    expect((await run()).stderr).toMatch(/design\.json cannot be read: .*JSON/);
  });
});

describe('a phase that was edited', { timeout: 60_000 }, () => {
  beforeEach(takeFinished);

  it('--from logical works with it, and leaves the report alone', async () => {
    edit(MODEL, (text) => text.replaceAll('"Size"', '"Volume"'));
    const proposal = JSON.stringify(POTTERY_REPLIES).replaceAll('"Size"', '"Volume"').replaceAll('"size"', '"volume"');
    const {
      'logical-design': logical = [],
      'test-plan': plan = [],
      'test-report': verdict = [],
    } = JSON.parse(proposal) as typeof POTTERY_REPLIES;
    const later = { 'logical-design': logical, 'test-plan': plan, 'test-report': verdict };
    project.write('later.config.ts', potteryConfig(later));
    const report = read('phases/1-report.json');
    const { code, stdout, stderr } = await run('--from', 'logical', '--config', 'later.config.ts');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Volume NUMERIC/);
    expect(stderr).toContain('4 model calls');
    expect(read('phases/1-report.json')).toBe(report);
    expect(read('phases/run-1/3-logical-design.json')).toContain('"Size"');
    expect(read(LOGICAL)).toContain('"Volume"');
    expect((await silent()).stdout).toBe(stdout);
  });

  it('--from tests runs the tests again on a schema that was edited', async () => {
    edit(LOGICAL, (text) => text.replace('"NUMERIC"', '"TEXT"'));
    const { code, stdout } = await run('--from', 'tests');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Size TEXT/);
  });

  it('is not passed over in silence without --from', async () => {
    edit(MODEL, (text) => text.replaceAll('"Size"', '"Volume"'));
    const { code, stderr } = await silent();
    expect(code).toBe(2);
    expect(stderr).toMatch(/2-conceptual-model\.json was edited\. Go on from it with --from logical, or begin anew/);
    expect(read(MODEL)).toContain('"Volume"');
  });

  it.each([
    [MODEL, (text: string) => text.replace(',', ''), /2-conceptual-model\.json cannot be read: .*line \d+ column \d+/],
    [
      MODEL,
      (text: string) => text.replace('"many"', '"lots"'),
      /2-conceptual-model\.json .*relationshipSets\[0\]\.participants\[0\]\.cardinality: /,
    ],
    ['phases/1-report.json', () => '[]', /1-report\.json cannot be worked with: .*expected object/],
  ] as const)('broken in %s: a clear error with file and place, and nothing is changed', async (name, change, text) => {
    edit(name, change);
    const state = read('design.json');
    const { code, stdout, stderr } = await silent('--from', 'logical');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(text);
    expect(read('design.json')).toBe(state);
    expect(read('schema.sqlite.sql')).toContain('CREATE TABLE');
  });

  it('--from report does everything again, of another requirement too', async () => {
    project.write('pottery.md', `${POTTERY} Kilns rest on Sundays.`);
    const { code, stderr } = await run('--from', 'report');
    expect(code).toBe(0);
    expect(stderr).toContain('7 model calls');
    expect(read('design.json')).toContain('"run": 2');
  });

  it('--from a phase whose files are not there', async () => {
    const { code, stderr } = await run('--from', 'logical', '--out', 'elsewhere');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--from logical needs elsewhere\/phases\/1-report\.json, which is not there/);
    expect(existsSync(project.path('elsewhere'))).toBe(false);
  });
});

describe('Ctrl-C', { timeout: 60_000 }, () => {
  it('leaves finished phases and a report behind, and the same command goes on', async () => {
    project.write('hanging/askema.config.ts', potteryConfig(POTTERY_REPLIES, { hang: 'logical-design' }));
    const flags = ['design', '../pottery.md', '--preset', 'paper', '--out', '../pottery.design'];
    const stopped = startAskema(flags, { cwd: project.path('hanging') });
    await new Promise<void>((resolve) => {
      stopped.child.stderr?.on('data', (chunk) => {
        if (String(chunk).includes('the model hangs')) resolve();
      });
    });
    const sentAt = performance.now();
    process.kill(-stopped.pid, 'SIGINT');
    const { code, stdout, stderr } = await stopped.finished;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('Stopped. The same command goes on where it stopped.');
    expect(performance.now() - sentAt).toBeLessThan(5_000);
    expect(await groupEnds(stopped.pid)).toBe(true);
    expect(readdirSync(project.path('pottery.design/phases'))).toEqual(['1-report.json', '2-conceptual-model.json']);
    expect(read('report.md')).toMatch(/^# Firings[\s\S]*Potter/);

    const { report: _, 'conceptual-model': __, review: ___, ...later } = POTTERY_REPLIES;
    project.write('later.config.ts', potteryConfig(later));
    const again = await run('--config', 'later.config.ts');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('CREATE TABLE Potter');
    expect(again.stderr).toContain('7 model calls');
  });
});

it('reads and writes through no link that leads out of the folder', async () => {
  project.write('elsewhere/notes.txt', 'precious');
  for (const name of ['design.json', 'run-1.jsonl', 'phases']) {
    mkdirSync(project.path('pottery.design'), { recursive: true });
    symlinkSync(
      project.path(name === 'phases' ? 'elsewhere' : 'elsewhere/notes.txt'),
      project.path(`pottery.design/${name}`),
    );
    const { code, stderr } = await run();
    expect(code).not.toBe(0);
    expect(stderr).toContain(`${name} is a link that leads out of`);
    rmSync(project.path('pottery.design'), { recursive: true });
  }
  mkdirSync(project.path('pottery.design'));
  symlinkSync(project.path('elsewhere/notes.txt'), project.path('pottery.design/design.json.part'));
  expect((await run()).code).toBe(0);
  expect(readdirSync(project.path('elsewhere'))).toEqual(['notes.txt']);
  expect(readFileSync(project.path('elsewhere/notes.txt'), 'utf8')).toBe('precious');
});
