import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const DBT = `semantic_models:
  - name: loans
    model: ref('loan')
    defaults: { agg_time_dimension: lent_at }
    entities: [{ name: loan, type: primary, expr: loan_id }, { name: member, type: foreign, expr: member_id }]
    dimensions: [{ name: lent_at, type: time, type_params: { time_granularity: day } }]
    measures: [{ name: fees, agg: sum, expr: fee }]
  - name: members
    model: ref('member')
    entities: [{ name: member, type: primary, expr: member_id }]
    dimensions: [{ name: kind, type: categorical }]
metrics:
  - { name: fees, type: simple, label: Fees, type_params: { measure: fees } }
  - name: fees_of_adults
    type: simple
    type_params: { measure: fees }
    filter: "{{ Dimension('member__kind') }} = 'adult'"
  - { name: return_rate, type: conversion, type_params: {} }
`;

const LIBRARY = `
  CREATE TABLE member (member_id INTEGER PRIMARY KEY, kind TEXT);
  CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member, fee NUMERIC, lent_at TEXT);
  INSERT INTO member VALUES (1, 'adult'), (2, 'child'), (3, 'adult'), (4, 'adult'), (5, 'child'), (6, 'adult');
  INSERT INTO loan VALUES (1, 1, 2.5, '2024-01-01'), (2, 2, 0, '2024-01-02'), (3, 1, 1, '2024-02-01');
`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.database('library.sqlite', LIBRARY);
  project.write('dbt/models/library.yml', DBT);
  project.write('dbt/models/loan.sql', 'select 1');
});
afterEach(() => project.remove());

const knowledge = (...parameters: readonly string[]) =>
  runInProcess(['knowledge', ...parameters], { cwd: project.folder });
const read = (name: string) => readFileSync(project.path(name), 'utf8');

describe('askema knowledge', { timeout: 60_000 }, () => {
  it('imports, checks, accepts and exports', async () => {
    const imported = await knowledge('import', 'dbt');
    expect(imported).toMatchObject({ code: 0, stdout: 'proposals/models/dbt.ossie.yaml\n' });
    expect(imported.stderr).toContain('lost: models/library.yml:18 metric return_rate: conversion: ');
    expect(imported.stderr).toContain('2 datasets, 2 metrics of dbt are proposed; 1 loss.');

    const nothing = await knowledge('export', 'out', '--format', 'dbt');
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toContain('There is nothing to export');

    const checked = await knowledge('check', 'library.sqlite', '--junit', 'report.xml');
    expect([checked.code, checked.stderr]).toEqual([0, '']);
    expect(checked.stdout).toMatch(/^0 errors.* entries: 0 accepted, \d+ proposed, 0 failed\./m);
    expect(read('report.xml')).toContain('name="metric:fees_of_adults"');
    expect(JSON.parse(read('knowledge/checks.json')).entries['metric:fees']).toMatchObject({ state: 'passed' });

    const accepted = await knowledge('accept', '--all', '--yes', '--by', 'ada');
    expect(accepted.stdout).toContain('metric:fees models/dbt.ossie.yaml\n');
    expect(accepted.stderr).toBe('6 entries accepted by ada.\n');
    expect(existsSync(project.path('knowledge/proposals/models/dbt.ossie.yaml'))).toBe(false);
    expect(read('knowledge/models/dbt.ossie.yaml')).toContain('datasets:\n  - name: loans\n    source: loan\n');
    const list = await knowledge('list', '--state', 'accepted');
    expect(list.stdout).toMatch(/^accepted +metric:fees_of_adults +\w+ +models\/dbt\.ossie\.yaml:\d+$/m);
    expect(list.stderr).toBe('6 accepted, 0 proposed, 0 failed\n');

    const exported = await knowledge('export', 'out', '--format', 'dbt');
    expect(exported.stdout).toContain('out/dbt/metrics.yml\n');
    expect(read('out/dbt/metrics.yml')).toContain("filter: \"{{ Dimension('member__kind') }} = 'adult'\"");
    expect(await knowledge('export', 'out', '--format', 'dbt')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('out/dbt/semantic_models.yml is there already'),
    });
  });

  it('says which proposals fail, and accepts the rest', async () => {
    project.write('dbt/models/library.yml', DBT.replace('expr: fee }', 'expr: fine }'));
    await knowledge('import', 'dbt/models/library.yml');
    const checked = await knowledge('check', 'library.sqlite', '--json');
    expect(checked.code).toBe(0);
    const { findings, entries } = JSON.parse(checked.stdout);
    expect(findings).toContainEqual(expect.objectContaining({ severity: 'error', entry: 'metric:fees' }));
    expect(entries).toContainEqual(expect.objectContaining({ id: 'dataset:loans', state: 'proposed' }));

    const accepted = await knowledge('accept', '--all', '--yes');
    expect(accepted.stderr).toContain('2 proposals failed the check and stay: metric:fees, metric:fees_of_adults');
    const list = await knowledge('list', '--json');
    const states = JSON.parse(list.stdout).entries.map(({ id, state }: { id: string; state: string }) => [id, state]);
    expect(states).toContainEqual(['dataset:loans', 'accepted']);
    expect(states).toContainEqual(['metric:fees', 'failed']);
    expect((await knowledge('accept', 'metric:fees', '--yes')).code).toBe(2);
  });

  it('reads the queries of a project of WrenAI, which stand in files of their own', async () => {
    project.write('wren/wren_project.yml', 'name: lending\n');
    project.write('wren/models/lent/metadata.yml', 'name: lent\ncolumns: [{ name: fee }]\n');
    project.write('wren/models/lent/ref_sql.sql', 'SELECT fee FROM loan');
    expect((await knowledge('import', 'wren')).stderr).toContain(
      '1 dataset, 0 metrics of wren are proposed; 0 losses.',
    );
    expect(read('knowledge/proposals/models/lending.ossie.yaml')).toContain('source: SELECT fee FROM loan');
  });

  it('exits with 1 where what is accepted does not hold', async () => {
    await knowledge('import', 'dbt');
    await knowledge('accept', '--all', '--yes');
    project.database('library.sqlite', 'ALTER TABLE loan RENAME COLUMN fee TO charge');
    const checked = await knowledge('check', 'library.sqlite');
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain('metric:fees');
    const list = await knowledge('list', '--state', 'failed');
    expect(list.stdout).toMatch(/^failed +metric:fees +.*fee/m);
  });

  it('does not follow a link in the place of a file', async () => {
    await knowledge('import', 'dbt');
    await knowledge('accept', '--all', '--yes');
    project.write('out/.keep', '');
    symlinkSync(project.path('elsewhere.yaml'), project.path('out/dbt.ossie.yaml'));
    const exported = await knowledge('export', 'out', '--format', 'ossie');
    expect(exported).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
    expect(existsSync(project.path('elsewhere.yaml'))).toBe(false);
  });

  it('drafts from a database', async () => {
    const drafted = await knowledge('init', 'library.sqlite');
    expect(drafted).toMatchObject({ code: 0, stdout: 'proposals/models/library.ossie.yaml\n' });
    expect(drafted.stderr).toContain('2 datasets and 1 relationship are proposed');
    expect(read('knowledge/proposals/models/library.ossie.yaml')).toContain('source: loan');
    expect(JSON.parse(read('knowledge/.schemas/knowledge.schema.json'))).toMatchObject({ title: 'knowledge.yml' });
    expect((await knowledge('check', 'library.sqlite')).code).toBe(0);
  });

  it('describes with a model that is named, and only then', async () => {
    const said = { description: 'One loan of a book.', synonyms: ['lending'], fields: [] };
    project.write(
      'askema.config.mjs',
      `import { scriptedModel } from '@askema/testkit';
      const said = ${JSON.stringify(JSON.stringify(said))};
      export default {
        models: { scripted: () => scriptedModel(() => said) },
        defaults: { model: 'scripted', database: 'library.sqlite' },
        knowledge: { folder: 'meaning' },
      };`,
    );
    await knowledge('init');
    expect(read('meaning/proposals/models/library.ossie.yaml')).not.toContain('lending');
    const drafted = await knowledge('init', '--model', 'scripted');
    expect(drafted.code).toBe(0);
    expect(read('meaning/proposals/models/library.ossie.yaml')).toContain('lending');
    expect(await knowledge('init', '--model', 'lexical')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lexical is no language model'),
    });
  });

  it('tells how proposals and other folders differ', async () => {
    await knowledge('import', 'dbt');
    await knowledge('accept', '--all', '--yes');
    expect(await knowledge('diff')).toMatchObject({ stdout: '', stderr: '0 differences.\n' });
    project.write('dbt/models/library.yml', DBT.replace("= 'adult'", "= 'grown'"));
    await knowledge('import', 'dbt');
    const { stdout } = await knowledge('diff');
    expect(stdout).toBe(
      `metric:fees_of_adults changed\n  definition.filter: "members.kind = 'adult'" is now "members.kind = 'grown'"\n`,
    );
    await knowledge('import', 'dbt', '--folder', 'other');
    await knowledge('accept', 'dataset:loans', '--yes', '--folder', 'other');
    const { differences } = JSON.parse((await knowledge('diff', 'other', '--json')).stdout);
    expect(differences).toContainEqual({ id: 'metric:fees', kind: 'removed', parts: [] });
  });

  it.each([
    [['list'], 'There is no folder of knowledge'],
    [['import', 'gone'], 'There is no file and no folder gone'],
    [['import', 'dbt/models/loan.sql'], 'No tool is known'],
    [['check', 'library.sqlite'], 'There is no folder of knowledge'],
    [['init'], 'DATABASE is missing'],
    [['accept'], 'Name entries'],
    [['export', 'out', '--format', 'lookml'], 'none that can be written: ossie, ossie-0.1.1, snowflake, dbt'],
  ])('%j exits with 2', async (parameters, message) => {
    const finished = await knowledge(...parameters);
    expect(finished).toMatchObject({ code: 2, stdout: '' });
    expect(finished.stderr).toContain(message);
    expect(finished.stderr).not.toMatch(/\n\s+at /);
  });

  it('shows what a check found, and says what it cannot write', async () => {
    await knowledge('import', 'dbt');
    project.write('taken', 'a file');
    const checked = await knowledge('check', 'library.sqlite', '--junit', 'taken/report.xml');
    expect([checked.code, checked.stdout]).toEqual([2, expect.stringContaining('0 errors')]);
    expect(checked.stderr).toContain('--junit taken/report.xml cannot be written');
    const exported = await knowledge('export', 'taken', '--format', 'ossie', '--proposals');
    expect(exported.stderr).toMatch(/taken\/\S+ cannot be written: .*\[INPUT_INVALID\]/);
    project.write('full/proposals', 'a file');
    const imported = await knowledge('import', 'dbt', '--folder', 'full');
    expect(imported.stderr).toMatch(/proposals\/models\/dbt.ossie.yaml cannot be written .*\[KNOWLEDGE_INVALID\]/);
  });

  it('tells losses that are alike together, and those of one entry by themselves', async () => {
    await knowledge('init', 'library.sqlite');
    await knowledge('accept', '--all', '--yes');
    const { stderr } = await knowledge('export', 'out', '--format', 'dbt');
    expect(stderr).toMatch(/^lost: \S+ field member\.member_id and 5 more: type: /m);
    expect(stderr.match(/: type: /g)).toHaveLength(1);
  });

  it('names an entry by its id where only its name was given, and an empty folder', async () => {
    await knowledge('import', 'dbt');
    expect((await knowledge('accept', 'fees', '--yes')).stderr).toContain('Did you mean `metric:fees`?');
    project.write('empty/knowledge.yml', 'schema_version: 1\n');
    expect((await knowledge('list', '--folder', 'empty')).stderr).toContain('Draft some with `askema knowledge init`');
  });

  it('asks before it accepts, and nobody where nobody can be asked', async () => {
    await knowledge('import', 'dbt');
    const { code, stderr } = await knowledge('accept', 'metric:fees');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes accepts without asking')]);
    const asked = { cwd: project.folder, columns: 80, stdin: 'n\n' };
    const refused = await runInProcess(['knowledge', 'accept', 'dataset:loans'], asked);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('Accept dataset:loans? [y/N]');
    const meant = await runInProcess(['knowledge', 'accept', 'dataset:loans'], { ...asked, stdin: 'y\n' });
    expect(meant).toMatchObject({ code: 0, stdout: 'dataset:loans models/dbt.ossie.yaml\n' });
    expect((await knowledge('accept', 'metric:feess', '--yes')).stderr).toContain('Did you mean `metric:fees`');
  });
});
