import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DATASET_FORMATS, METRICS } from '@askema/eval';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SAMPLE, SAMPLE_CONFIG, sampleProject } from '../../testing/sample-questions.ts';
import type { TemporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
beforeEach(() => {
  project = sampleProject();
  project.write('askema.config.ts', SAMPLE_CONFIG);
});
afterEach(() => project.remove());

const askema = (...parameters: readonly string[]) =>
  runInProcess(['eval', ...parameters], { cwd: project.folder, env: { NO_COLOR: '1' } });

const run = (out: string, ...flags: readonly string[]) => askema('run', ...SAMPLE, '--out', out, ...flags);

/** The last result of each question of a run. */
function results(out: string): Map<string, { verdict: string; costUsd?: number; scores?: Record<string, number> }> {
  const lines = readFileSync(project.path(`${out}/results.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map((result) => [result.id, result]));
}

const calls = (): readonly string[] =>
  existsSync(project.path('calls.txt')) ? readFileSync(project.path('calls.txt'), 'utf8').trimEnd().split('\n') : [];

describe('what a run costs', { timeout: 60_000 }, () => {
  it('asks nothing when the budget cannot be kept', async () => {
    const { code, stderr } = await run('runs/a', '--model', 'poor', '--budget-usd', '1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--budget-usd cannot be kept: there is no price for `scripted:poor`.*--price-input/);
    expect({ calls: calls(), isThere: existsSync(project.path('runs')) }).toEqual({ calls: [], isThere: false });
  });

  it('ends at the budget with 1, and goes on with a higher one, paying nothing twice', async () => {
    const flags = ['--model', 'good', '--concurrency', '1'];
    const first = await run('runs/a', ...flags, '--budget-usd', '0.05');
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(
      /The budget ended the run with 19 to go: \$0\.0500 of \$0\.0500 are spent\..*same command.*higher --budget-usd/,
    );
    expect(calls()).toHaveLength(5);
    const second = await run('runs/a', ...flags, '--budget-usd', '1');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('0.2400 USD') });
    expect(new Set(calls()).size).toBe(24);
    expect(calls()).toHaveLength(24);
  });

  it('takes prices of the command line before those of the configuration', async () => {
    const prices = ['--price-input', '1', '--price-output', '10'];
    await run('runs/a', '--model', 'good', '--ids', 'count-1', ...prices);
    expect(results('runs/a').get('count-1')?.costUsd).toBeCloseTo(0.002, 10);
  });

  it('takes limits a minute', async () => {
    const rates = ['--requests-per-minute', '100', '--tokens-per-minute', '1000000'];
    expect(await run('runs/a', '--model', 'good', '--limit', '3', ...rates)).toMatchObject({ code: 0 });
    expect(calls()).toHaveLength(3);
  });
});

/** With one call a question, right or wrong. */
const POOR = ['--model', 'poor', '--flow', 'plain'];

describe('parts of a run', { timeout: 120_000 }, () => {
  it('are put together as if one machine had done it', async () => {
    const part = (shard: string) => run(`runs/${shard[0]}`, ...POOR, '--shard', shard);
    expect((await part('1/3')).code).toBe(0);
    expect((await part('2/3')).code).toBe(0);
    const lacking = await askema('merge', 'runs/1', 'runs/2', '--out', 'runs/lacking');
    expect(lacking).toMatchObject({ code: 0, stderr: expect.stringMatching(/Not among these folders: part 3\/3/) });
    expect((await part('3/3')).code).toBe(0);
    const merged = await askema('merge', 'runs/1', 'runs/2', 'runs/3/results.jsonl', '--out', 'runs/whole');
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    await run('runs/alone', ...POOR);
    const verdicts = (out: string) => [...results(out)].map(([id, { verdict }]) => `${id} ${verdict}`).sort();
    expect(verdicts('runs/whole')).toEqual(verdicts('runs/alone'));
    expect(calls()).toHaveLength(48);
  });
});

describe('askema eval score', { timeout: 60_000 }, () => {
  it('scores what something else wrote, keeps it as a run, and names what has no prediction', async () => {
    const predicted = 'examples/store-questions/predicted.jsonl';
    const flags = ['--database', 'examples/store.sqlite', '--metric', 'valid-sql'];
    const scored = await askema('score', 'examples/store-questions', predicted, ...flags, '--out', 'runs/predicted');
    expect(scored).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^23 predictions \(jsonl\) · store-questions: 24 questions/),
    });
    const found = results('runs/predicted');
    expect(['count-1', 'list-2', 'superlative-6'].map((id) => found.get(id)?.verdict)).toEqual([
      'right',
      'wrong',
      'failed',
    ]);
    expect(found.get('count-1')?.scores).toMatchObject({ 'valid-sql': 1 });
    expect(calls()).toEqual([]);
  });

  it('leaves nothing behind without --out, and lists lines that belong to no question', async () => {
    writeFileSync(
      project.path('own.jsonl'),
      `${JSON.stringify({ id: 'count-1', sql: 'SELECT 240' })}\n{"id":"count-x","sql":"SELECT 1"}\n`,
    );
    const { code, stdout, stderr } = await askema(
      'score',
      ...SAMPLE.slice(0, 1),
      'own.jsonl',
      ...SAMPLE.slice(1),
      '--ids',
      'count-1',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/all +1 +1 +0/);
    expect(stderr).toMatch(/Predictions that cannot be used: 1\n {2}line 2: .*count-x/);
  });
});

describe('names', { timeout: 60_000 }, () => {
  it.each([
    [['--metric', 'bird-exx'], /no metric `bird-exx`.*bird-ex/],
    [['--format', 'spidr'], /no dataset format `spidr`.*`spider`/],
    [['--report', 'report.pdf'], /--report "report\.pdf".*\.html/],
    [['--shard', '3/2'], /--shard "3\/2"/],
    [['--requests-per-minute', '0'], /--requests-per-minute "0" must be a whole number of at least 1/],
    [['--queue', 'redis://host'], /--queue "redis:\/\/host" must be the address of a PostgreSQL database/],
  ])('%j exits with 2 before anything is asked', async (flags, message) => {
    const { code, stderr } = await run('runs/a', '--model', 'good', ...flags);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(calls()).toEqual([]);
  });

  it('are those that there are in the help', async () => {
    const { stdout } = await runInProcess(['eval', 'run', '--help']);
    const words = stdout.replace(/\s+/g, ' ');
    for (const name of DATASET_FORMATS) expect(words).toContain(name);
    for (const { id } of METRICS) expect(words).toContain(id);
  });
});
