import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';
import { readReports } from './read-reports.ts';

const REPORT = {
  language: 'en',
  title: 'Kilns',
  summary: '',
  functions: [],
  subjects: [{ name: 'Kiln', attributes: ['size'], description: '' }],
  relationships: [],
  rules: [],
  clarifications: [],
};

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
});
afterEach(() => project.remove());

const read = (...lines: readonly string[]) => {
  project.write('reports.jsonl', lines.join('\n'));
  return readReports('reports.jsonl', project.folder);
};
const line = (id: unknown, report: unknown = REPORT) => JSON.stringify({ id, report, mistake: 'none' });

it('gives each requirement its report, and another sum for other reports', async () => {
  const reports = await read(line('r1'), '', line('r2'));
  expect(reports.artefactsOf('r2')).toEqual({ report: REPORT });
  expect(reports.artefactsOf('r3')).toBeUndefined();
  expect(reports.ids).toEqual(['r1', 'r2']);
  expect((await read(line('r1'))).sha256).not.toBe(reports.sha256);
});

it('a file without any is told', async () => {
  await expect(read('')).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringContaining('holds no report'),
  });
});

it.each([
  ['no JSON', '{', /line 2: It is no JSON/],
  ['no id', line(7), /line 2: There is no `id`/],
  ['twice', line('r1'), /line 2: The id "r1" stands twice/],
  ['no report', line('r2', { ...REPORT, subjects: 'none' }), /line 2: The report cannot be read: subjects/],
  ['null', 'null', /line 2: There is no `id`/],
])('%s is told with its line', async (_name, wrong, message) => {
  await expect(read(line('r1'), wrong)).rejects.toMatchObject({
    code: 'INPUT_INVALID',
    message: expect.stringMatching(message),
  });
});
