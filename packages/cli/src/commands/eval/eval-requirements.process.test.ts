import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

/** Writes and accepts; does not answer where the garden is to be reviewed last, by `strict`. */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const reply = (isStrict) => (request) => {
    const text = JSON.stringify(request.messages);
    if (text.includes('You write requirements'))
      return { json: { scenario: 'A park.', domain: ['parks'], requirement: 'Plots.' } };
    if (text.includes('Refine this pair')) return { json: { remarks: '', requirement: 'Plots have sizes.', tables: null } };
    return isStrict ? { text: 'no' } : { json: { remarks: 'fine', verdict: 'accept' } };
  };
  export default {
    models: {
      gardener: () => scriptedModel(reply(false), { modelId: 'gardener' }),
      strict: () => scriptedModel(reply(true), { modelId: 'gardener' }),
    },
  };
`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('askema.config.ts', CONFIG);
  project.write('schemas/garden.sql', 'CREATE TABLE plot (plot_id INTEGER PRIMARY KEY, size FLOAT);');
});
afterEach(() => project.remove());
const run = (...parameters: readonly string[]) => runInProcess(['eval', ...parameters], { cwd: project.folder });

describe('askema eval build-requirements', { timeout: 60_000 }, () => {
  it('builds a data set with a model as reviewer, goes on after a failure, and counts it', async () => {
    const build = (reviewer: string) =>
      run('build-requirements', 'schemas', '--model', 'gardener', '--reviewer', reviewer, '--out', 'set');
    const failed = await build('strict');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/Failed, .*: 1\n {2}garden: cross: /);
    const { code, stdout, stderr } = await build('gardener');
    expect(code).toBe(0);
    expect(stderr).toContain('reviews by scripted:gardener · 1 schemas');
    expect(stdout).toMatch(/^accepted +1$/m);
    expect(readFileSync(project.path('set/results.jsonl'), 'utf8').match(/"step":"write"/g)).toHaveLength(1);
    const statistics = await run('dataset-statistics', 'set');
    expect(statistics.stdout).toMatch(/set: 1 requirements, 1 domains/);
    expect(statistics.stdout).toMatch(/^attributes of a relation +2\.00/m);
    expect(JSON.parse((await run('dataset-statistics', 'set', '--json')).stdout)).toMatchObject({ requirements: 1 });
  });

  it('waits for a person where there is no reviewer', async () => {
    const { code, stdout } = await run('build-requirements', 'schemas', '--model', 'gardener', '--out', 'set');
    expect(code).toBe(0);
    expect(stdout).toContain('1 reviews wait: set `verdict` in reviews.jsonl');
    expect(JSON.parse(readFileSync(project.path('set/reviews.jsonl'), 'utf8'))).toMatchObject({
      review: 'refine',
      verdict: '',
      requirement: 'Plots.',
      answer: { plot: { 'Primary key': ['plot_id'] } },
    });
  });

  it.each([
    [['schemas', '--model', 'gardener'], /--out is missing/],
    [['nowhere', '--model', 'gardener', '--out', 'set'], /There is no .*nowhere/],
    [['schemas', '--out', 'set'], /No model was found/],
  ])('%j exits with 2', async (parameters, message) => {
    const { code, stderr } = await run('build-requirements', ...parameters);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(existsSync(project.path('set/run.json'))).toBe(false);
  });
});

describe('askema eval agreement', () => {
  it('prints agreement and kappa, and what was judged otherwise', async () => {
    const rows = (verdicts: readonly string[]): string =>
      verdicts.map((verdict, at) => `${JSON.stringify({ id: `r${at}`, verdict })}\n`).join('');
    project.write('person.jsonl', rows(['yes', 'yes', 'no', 'no']));
    project.write('judge.jsonl', `${rows(['yes', 'no', 'no', 'no'])}oops\n`);
    const { code, stdout, stderr } = await run('agreement', 'person.jsonl', 'judge.jsonl');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^verdict +4 +3 +75\.0 % +0\.50$/m);
    expect(stdout).toContain('r1, verdict: person yes, judge no');
    expect(stderr).toMatch(/judge\.jsonl: Line 5 is no JSON/);
    const json = await run('agreement', 'person.jsonl', 'judge.jsonl', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ verdicts: [{ kappa: 0.5 }] });
  });
});
