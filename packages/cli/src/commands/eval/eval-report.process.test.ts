import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { SAMPLE, SAMPLE_CONFIG, sampleProject } from '../../testing/sample-questions.ts';
import type { TemporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
const askema = (...parameters: readonly string[]) => runInProcess(['eval', ...parameters], { cwd: project.folder });

beforeAll(async () => {
  project = sampleProject();
  project.write('askema.config.ts', SAMPLE_CONFIG);
  const run = (out: string, ...flags: readonly string[]) => askema('run', ...SAMPLE, '--out', out, ...flags);
  await run('runs/poor', '--model', 'poor');
  await run('runs/good', '--model', 'good');
  await run('runs/counts', '--model', 'good', '--category', 'count');
  await run('runs/lists', '--model', 'good', '--category', 'list');
}, 120_000);
afterAll(() => project.remove());

describe('askema eval compare', () => {
  it('says on stdout which is better and which questions changed sides', async () => {
    const { code, stdout, stderr } = await askema('compare', 'runs/poor', 'runs/good/results.jsonl');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/19 more .*poor.*20\.8 % to 100\.0 % .*24/);
    expect(stdout).toMatch(/right in good only \(19\)/);
  });

  it('compares only what both have', async () => {
    const { stdout } = await askema('compare', 'runs/poor', 'runs/counts');
    expect(stdout).toMatch(/\b5 that both|on 5 questions/);
  });

  it.each([
    ['html', 'compared.html', /^<!doctype html>/i],
    ['markdown', 'compared.md', /^# good against poor/],
  ])('writes %s to a file whose ending says so, and to stdout when asked', async (format, file, beginning) => {
    const written = await askema('compare', 'runs/poor', 'runs/good', '--out', file);
    expect(written).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining(`The report is in ${project.path(file)}`),
    });
    const text = readFileSync(project.path(file), 'utf8');
    expect(text).toMatch(beginning);
    const printed = await askema('compare', 'runs/poor', 'runs/good', '--format', format);
    expect(printed.stdout.trimEnd()).toBe(text.trimEnd());
  });

  it.each([
    [
      ['runs/counts', 'runs/lists'],
      /runs\/counts \(store-questions, 5 results\) and runs\/lists .* no question in common/,
    ],
    [['runs/good', 'runs/good/run.json'], /are the same run; name two/],
    [['runs/good', 'runs/count'], /no run in runs\/count: no run\.json.*There are: runs\/counts\./],
    [
      ['runs/good', 'runs/poor', '--out', 'compared.pdf'],
      /--out "compared\.pdf".*\.html, \.md or \.txt, or give --format/,
    ],
    [['runs/good', 'runs/poor', '--format', 'htm'], /Allowed choices are text, markdown, html, json/],
    [['runs/good'], /missing required argument 'after'/],
  ])('%j exits with 2', async (parameters, message) => {
    const { code, stdout, stderr } = await askema('compare', ...parameters);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('askema eval report', () => {
  it('shows model, figures and every miss with both statements', async () => {
    const { code, stdout } = await askema('report', 'runs/poor');
    expect(code).toBe(0);
    for (const shown of [
      'scripted:poor',
      '5 of 24',
      'Which five customers spent the most?',
      'SELECT 1',
      'total_amount',
    ]) {
      expect(stdout).toContain(shown);
    }
  });

  it('reads a run that is still being written', async () => {
    const whole = readFileSync(project.path('runs/good/results.jsonl'), 'utf8');
    project.write('runs/begun/run.json', readFileSync(project.path('runs/good/run.json'), 'utf8'));
    project.write('runs/begun/results.jsonl', whole.slice(0, whole.indexOf('\n', 3_000) + 40));
    const { code, stdout } = await askema('report', 'runs/begun');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d+ of \d+ questions are right: 100\.0 %/);
  });

  it('exits with 2 where there is no run', async () => {
    const { code, stderr } = await askema('report', 'runs');
    expect(code).toBe(2);
    expect(stderr).toMatch(/no run in runs: .*There are: runs\/begun, runs\/counts, runs\/good/);
  });
});
