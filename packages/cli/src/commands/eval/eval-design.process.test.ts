import { existsSync, readFileSync } from 'node:fs';
import type { DesignResult, DesignSummary } from '@askema/eval';
import { loopbackEmbeddingServer } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POTTERY, potteryConfig } from '../../testing/pottery-design.ts';
import { TESTED_REPLIES } from '../../testing/pottery-tested.ts';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const table = (Attributes: readonly string[], key: readonly string[], foreign: object = {}) => ({
  Attributes,
  'Primary key': key,
  'Foreign key': foreign,
});
const REQUIREMENTS = [
  {
    id: 'kiln',
    question: 'A pottery fires pots in kilns. Each firing has a day.',
    answer: {
      Kiln: table(['Kiln ID', 'Size'], ['Kiln ID']),
      Firing: table(['Kiln ID', 'Day', 'Degrees'], ['Kiln ID', 'Day'], { 'Kiln ID': { Kiln: 'Kiln ID' } }),
    },
    ddl: 'CREATE TABLE Kiln (Kiln_ID INTEGER PRIMARY KEY, Size FLOAT);\nCREATE TABLE Firing (Kiln_ID INTEGER, Day DATETIME, Degrees FLOAT);',
    domain: ['craft'],
  },
  {
    id: 'harbour',
    question: 'A harbour has berths for boats. Each boat has one berth.',
    answer: { Berth: table(['Berth ID'], ['Berth ID']), Boat: table(['Boat ID', 'Berth ID'], ['Boat ID']) },
    ddl: 'CREATE TABLE Berth (Berth_ID INTEGER); CREATE TABLE Boat (Boat_ID INTEGER, Berth_ID INTEGER);',
    domain: ['transport'],
  },
];

/** Knows the kiln, is asked about the harbour in vain; judges everything 8, 6, 7. */
const CONFIG = `
  import { scriptedModel } from '@askema/testkit';
  const attribute = (name, type) => ({ name, type });
  const kiln = { relations: [
    { name: 'kilns', attributes: [attribute('kiln_id', 'NUMERIC'), attribute('size', 'NUMERIC')], primaryKey: ['kiln_id'], foreignKeys: [] },
    { name: 'order', attributes: [attribute('kiln_id', 'NUMERIC'), attribute('day', 'TEXT')], primaryKey: ['kiln_id', 'day'],
      foreignKeys: [{ attributes: ['kiln_id'], target: 'kilns', targetAttributes: ['kiln_id'] }] },
  ] };
  const reply = (request) => {
    const text = JSON.stringify(request.messages);
    return text.includes('fires pots in kilns') ? { json: kiln } : { text: 'I would rather sail.' };
  };
  const part = (score) => ({ reasons: 'so', score });
  export default {
    models: {
      potter: () => scriptedModel(reply),
      other: () => scriptedModel(reply, { modelId: 'other' }),
      judge: () => scriptedModel(() => ({ json: { functionalCoverage: part(8), normalization: part(6), integrity: part(7) } }), { modelId: 'judge' }),
    },
  };
`;

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('set/requirements.jsonl', REQUIREMENTS.map((row) => JSON.stringify(row)).join('\n'));
  project.write('askema.config.ts', CONFIG);
});
afterEach(() => project.remove());

const run = (...flags: readonly string[]) => runInProcess(['eval', 'design', ...flags], { cwd: project.folder });
const design = (...flags: readonly string[]) =>
  run('set', '--strategy', 'one-shot', '--model', 'potter', '--out', 'run', ...flags);
const results = (): DesignResult[] =>
  readFileSync(project.path('run/results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DesignResult);

describe('askema eval design', { timeout: 60_000 }, () => {
  it('designs, scores, tries the DDL, and prints a summary', async () => {
    const { code, stdout, stderr } = await design('--scorer', 'all', '--price', '1,10');
    expect(code).toBe(0);
    expect(results().map(({ id, ending }) => [id, ending])).toEqual([
      ['kiln', 'designed'],
      ['harbour', 'failed'],
    ]);
    expect(results()[0]).toMatchObject({
      scores: { strict: { tableF1: 0.5, typeAccuracy: 2 / 5 } },
      ddl: { runs: true },
    });
    expect(stdout).toMatch(/set: 2 requirements: 1 designed, 1 failed/);
    expect(stdout).toMatch(/table F1 +25\.0 +25\.0 +-/);
    expect(stdout).toMatch(/authors: mean of 0, 2 dropped by its rule/);
    expect(stdout).toMatch(/DDL runs: 1 of 1 schemas/);
    expect(stdout).toMatch(/Without a finished schema: 1\n {2}harbour: failed: /);
    expect(stderr).toMatch(/scripted:scripted \(.*`potter`.*\) · one-shot · set: 2 requirements/);
  });

  it('goes on in the same folder, and refuses another model there', async () => {
    const first = await design('--limit', '1');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('set: 1 of 2 requirements') });
    const before = readFileSync(project.path('run/results.jsonl'), 'utf8');
    const { code, stdout } = await design('--json');
    expect(code).toBe(0);
    expect(readFileSync(project.path('run/results.jsonl'), 'utf8').startsWith(before)).toBe(true);
    expect((JSON.parse(stdout) as DesignSummary).finished).toBe(2);
    const other = await design('--model', 'other');
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/model was "scripted:scripted" and is "scripted:other"/);
  });

  it('adds up what the tests of the roles came to, and what the tests are worth', async () => {
    project.write('pottery/requirements.jsonl', JSON.stringify({ ...REQUIREMENTS[0], question: POTTERY }));
    project.write('tested.config.ts', potteryConfig(TESTED_REPLIES));
    const { code, stdout, stderr } = await run('pottery', '--out', 'tested', '--config', 'tested.config.ts');
    expect(code).toBe(0);
    expect(stderr).toContain(' · schema-agent (tested) · ');
    expect(stdout).toMatch(/^Tests passed: 6 of 6 \(100\.0 %\) in 1 designs; planted mistakes noticed: \d+ of \d+ \(/m);
    const again = await run('pottery', '--out', 'tested', '--config', 'tested.config.ts', '--preset', 'paper');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/preset was "tested" and is "paper"/) });
  });

  it('lets another model judge, and scores the stored designs once more without one', async () => {
    const judged = await design('--ids', 'kiln', '--judge-model', 'judge', '--judge-samples', '2');
    expect(judged.stdout).toMatch(/Judge: 7\.10 of 10 over 1 schemas .*2 calls/);
    project.write('askema.config.ts', 'export default { models: {} };');
    const again = await run('score', 'set', 'run', '--scorer', 'paper,authors');
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/table F1 +50\.0 +-/);
    const file = await run('score', 'set', 'run/results.jsonl', '--json');
    expect((JSON.parse(file.stdout) as DesignSummary).scorers[0]?.mean?.tableF1).toBe(0.5);
  });

  it('takes names for the same whose embeddings are near, for the scorers that ask for it', async () => {
    await design('--ids', 'kiln');
    await using server = await loopbackEmbeddingServer((name) => {
      if (/^order$/.test(name)) return [0.8, 0.6];
      return /^firing$/i.test(name) ? [1, 0] : [0, 1];
    });
    project.write(
      'near.config.ts',
      `import { openaiEmbeddings } from '@askema/openai';
       export default { embeddings: { toy: () => openaiEmbeddings({ model: 'toy', baseURL: '${server.origin}/v1' }) } };`,
    );
    const without = await run('score', 'set', 'run', '--scorer', 'paper');
    expect(without.stdout).toMatch(/table F1 +50\.0/);
    expect(server.requests).toEqual([]);
    const near = await run(
      'score',
      'set',
      'run',
      '--scorer',
      'paper',
      '--embeddings',
      'toy',
      '--config',
      'near.config.ts',
    );
    expect(near.stdout).toMatch(/table F1 +100\.0/);
    expect(near.stdout).toMatch(/paper: .*similarity: openai:toy/);
  });

  it('leaves runs that compare reads', async () => {
    await design();
    await design('--out', 'again', '--ids', 'kiln');
    const { code, stdout } = await runInProcess(['eval', 'compare', 'run', 'again'], { cwd: project.folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^table F1 +1 +50\.0 % +50\.0 % +0\.0 +0\.0 to 0\.0$/m);
    expect(stdout).toContain('Left out: 1 requirement only in run.');
  });

  it.each([
    [['--embeddings', 'openai:x'], /--embeddings belongs to the scorers paper and authors/],
    [['--scorer', 'paper', '--embeddings', 'opnai:x'], /`openai`/],
    [['--strategy', 'one-shoot'], /`--strategy` is "one-shoot".*`one-shot`/],
    [['--preset', 'paper'], /--preset belongs to --strategy schema-agent; one-shot/],
    [['--without', 'reviewer'], /--without belongs to/],
    [['--administrator', 'potter'], /--administrator belongs to --strategy schema-agent; one-shot/],
    [['--scorer', 'strickt'], /no scorer `strickt`.*`strict`/],
    [['--ids', 'kilm'], /No requirement has the id kilm.*`kiln`/],
    [['--price', '3'], /--price "3" must be two amounts/],
    [['--wordnet', 'nowhere'], /index\.noun/],
  ])('%j exits with 2 before anything is asked', async (flags, text) => {
    const { code, stdout, stderr } = await design(...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(text);
    expect(existsSync(project.path('run/results.jsonl'))).toBe(false);
  });

  it('says that it needs a model', async () => {
    const { code, stderr } = await run('set', '--out', 'run');
    expect(code).toBe(2);
    expect(stderr).toMatch(/No model was found.*`askema models`/);
  });
});

describe('askema eval design score', () => {
  it('wants a run or gold, not both', async () => {
    for (const flags of [[], ['run', '--gold', 'self']]) {
      const { code, stderr } = await run('score', 'set', ...flags);
      expect(code).toBe(2);
      expect(stderr).toMatch(/--gold self or --gold other/);
    }
  });

  it('scores gold itself', async () => {
    const { code, stdout } = await run('score', 'set', '--gold', 'self', '--scorer', 'all');
    expect(code).toBe(0);
    expect(stdout).toMatch(/set: 2 schemas, each against itself/);
    expect(stdout).toMatch(/foreign key F1 +100\.0 +100\.0 +-/);
    const one = await run('score', 'set', '--gold', 'self', '--ids', 'kiln');
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('set: 1 schema, each against itself') });
  });
});
