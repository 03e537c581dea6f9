import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
const calibrate = (...parameters: readonly string[]) =>
  runInProcess(['eval', 'calibrate', ...parameters], { cwd: project.folder });

/** A line of a run: the first 60 of 80 without a signal and all right, the others with one and half right. */
function line(at: number, signals: boolean): string {
  const hasCast = at < 60 ? 0 : 1;
  return JSON.stringify({
    schemaVersion: 1,
    id: `q-${at}`,
    databaseId: 'shop',
    category: 'all',
    difficulty: 'easy',
    question: 'How many?',
    verdict: hasCast === 0 || at % 2 === 0 ? 'right' : 'wrong',
    outcome: 'answered',
    goldSql: ['SELECT 1'],
    usage: {},
    calls: 1,
    executions: 1,
    elapsedMs: 1,
    solvedBy: 'openai:m',
    warnings: [],
    finishedAt: '2026-11-29T00:00:00.000Z',
    ...(signals ? { signals: { hasCast } } : {}),
  });
}

beforeAll(() => {
  project = temporaryProject();
  const record = {
    schemaVersion: 1,
    runId: 'r',
    dataset: { name: 'd', fingerprint: 'f' },
    configuration: {},
    startedAt: '2026-11-29T00:00:00.000Z',
  };
  for (const name of ['auto', 'plain']) {
    project.write(`runs/${name}/run.json`, JSON.stringify(record));
    const lines = Array.from({ length: 80 }, (_, at) => line(at, name === 'auto'));
    project.write(`runs/${name}/results.jsonl`, `${lines.join('\n')}\n`);
  }
});
afterAll(() => project.remove());

describe('askema eval calibrate', () => {
  it('writes a table, and says what it is worth', async () => {
    const { code, stdout, stderr } = await calibrate('runs/auto', '--out', 'tables/m.json');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('--confidence tables/m.json'),
    });
    expect(stdout).toMatch(/70 of 80 answers of openai:m are right: 87\.5 %/);
    expect(stdout).toMatch(/75\.0 % of the questions are sure, and 60 of these 60 right/);
    expect(stdout).toMatch(/-\d\.\d\d {2}hasCast/);
    const table = JSON.parse(readFileSync(project.path('tables/m.json'), 'utf8'));
    expect(table).toMatchObject({ model: 'openai:m', flow: 'auto', questions: 80, right: 70 });
  });

  it.each([
    [['runs/plain'], /no signals/],
    [['runs/auto', '--target', '100'], /--target is a percentage of at least 50 and below 100/],
    [['runs/auto', '--out', '.'], /The table cannot be written to/],
    [['runs/atuo'], /There is no run in runs\/atuo.*runs\/auto/],
  ])('%j', async (parameters, reason) => {
    const { code, stderr } = await calibrate(...parameters);
    expect(code).toBe(2);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('    at ');
  });
});
