import { readFileSync } from 'node:fs';
import type { DesignComparison } from '@askema/eval';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

let project: TemporaryProject;
const compare = (...parameters: readonly string[]) =>
  runInProcess(['eval', 'compare', ...parameters], { cwd: project.folder });

const record = (runId: string): string =>
  JSON.stringify({
    schemaVersion: 1,
    runId,
    dataset: { name: 'gardens', fingerprint: 'f' },
    configuration: { strategy: runId },
    startedAt: '2026-11-20T09:00:00.000Z',
  });
const line = (id: string, tableF1: number): string =>
  JSON.stringify({
    schemaVersion: 1,
    id,
    domain: [],
    goldTables: 3,
    ending: 'designed',
    scores: { strict: { tableF1, tableAccuracy: Number(tableF1 === 1) } },
    elapsedMs: 5,
    finishedAt: '2026-11-20T10:00:00.000Z',
  });

beforeAll(() => {
  project = temporaryProject();
  const run = (name: string, lines: readonly string[]): void => {
    project.write(`runs/${name}/run.json`, record(name));
    project.write(`runs/${name}/results.jsonl`, lines.map((each) => `${each}\n`).join(''));
  };
  run('one-shot', [line('r1', 0.5), line('r2', 0.5)]);
  run('agent', [line('r1', 1), line('r2', 0.75)]);
  run('elsewhere', [line('r9', 1)]);
  run('questions', [JSON.stringify({ schemaVersion: 1, id: 'r1', verdict: 'right' })]);
});
afterAll(() => project.remove());

describe('askema eval compare, of runs of designs', () => {
  it('prints the comparison, as text and as Markdown', async () => {
    const { code, stdout, stderr } = await compare('runs/one-shot', 'runs/agent');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^table F1 +2 +50\.0 % +87\.5 % +\+37\.5 +\+25\.0 to \+50\.0$/m);
    const markdown = await compare('runs/one-shot', 'runs/agent', '--format', 'markdown');
    expect(markdown.stdout).toMatch(/^# agent against one-shot\n/);
  });

  it('prints JSON, or writes it to a file whose ending says so', async () => {
    const { stdout } = await compare('runs/one-shot', 'runs/agent', '--format', 'json');
    const comparison = JSON.parse(stdout) as DesignComparison;
    expect(comparison).toMatchObject({ schemaVersion: 1, requirements: 2, bySize: [{ tables: 3 }] });
    const { code } = await compare('runs/one-shot', 'runs/agent', '--out', 'both.json');
    expect(code).toBe(0);
    expect(readFileSync(project.path('both.json'), 'utf8')).toBe(stdout);
  });

  it.each([
    [['runs/agent', 'runs/questions'], /runs\/agent is a run of designs and runs\/questions is none/],
    [['runs/questions', 'runs/agent'], /runs\/agent is a run of designs and runs\/questions is none/],
    [['runs/agent', 'runs/elsewhere'], /no requirement in common/],
    [['runs/agent', 'runs/one-shot', '--format', 'html'], /no page yet; take --format text, markdown or json/],
  ])('%j exits with 2', async (parameters, message) => {
    const { code, stdout, stderr } = await compare(...parameters);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
