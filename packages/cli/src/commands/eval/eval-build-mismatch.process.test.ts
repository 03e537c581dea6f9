import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { loadDataset, type ReviewItem } from '@askema/eval';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInProcess } from '../../testing/run-in-process.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const SQL = `
  CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
  INSERT INTO singer VALUES (1, 'Joe Sharp', 'Netherlands'), (2, 'Timbaland', 'United States'), (3, 'Rose White', 'France'), (4, 'Oslo', 'FRANCE'),
    (5, 'oslo', ''), (6, 'OSLO', ''), (7, 'Oslos', '');
`;
const QUESTIONS = [
  {
    question: 'How many singers are from Netherlands?',
    query: 'SELECT count(*) FROM singer WHERE country = "Netherlands"',
  },
  { question: 'What is the country of Joe Sharp?', query: "SELECT country FROM singer WHERE name = 'Joe Sharp'" },
  { question: 'Who comes from the United States?', query: 'SELECT name FROM singer WHERE country  =  "United States"' },
  { question: 'How many singers are there?', query: 'SELECT count(*) FROM singer' },
  { question: 'Which singer is Dutch?', query: "SELECT name FROM singer WHERE country = 'Netherlands'" },
  { question: 'Who comes from Atlantis?', query: "SELECT name FROM singer WHERE country = 'Atlantis'" },
  // All that the rules make of it is stored as well.
  { question: 'Who is Oslo?', query: "SELECT id FROM singer WHERE name = 'Oslo'" },
  { question: 'Who is Rose White?', query: "SELECT nothing FROM singer WHERE name = 'Rose White'" },
];

let project: TemporaryProject;
beforeEach(() => {
  project = temporaryProject();
  project.write('spider/dev.json', JSON.stringify(QUESTIONS.map((one) => ({ db_id: 'music', ...one }))));
  mkdirSync(project.path('spider/database/music'), { recursive: true });
  project.database('spider/database/music/music.sqlite', SQL);
});
afterEach(() => project.remove());

const build = (...flags: readonly string[]) =>
  runInProcess(['eval', 'build-mismatch', 'spider', '--out', 'set', ...flags], { cwd: project.folder });
const review = (): readonly ReviewItem[] =>
  readFileSync(project.path('set/review.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ReviewItem);
const writeReview = (items: readonly object[]) =>
  project.write('set/review.jsonl', items.map((item) => `${JSON.stringify(item)}\n`).join(''));

// Databases are read by processes; on a loaded machine one start takes seconds.
describe('askema eval build-mismatch', { timeout: 60_000 }, () => {
  it('changes the questions that say a value of their statement, into one that no cell is', async () => {
    const { code, stdout, stderr } = await build();
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 changed questions, 3 of them new')]);
    expect(stderr).toContain('3 wait for a decision');
    expect(review().map(({ id }) => id)).toEqual(['dev-0', 'dev-1', 'dev-2']);
    for (const { state, question, gold_sql, mismatch } of review()) {
      const { stored, surface, orig_question } = mismatch;
      expect(state).toBe('proposed');
      expect(surface).not.toBe(stored);
      expect(question).toBe(orig_question.replace(stored, () => surface));
      expect(QUESTIONS.map(({ query }) => query.replaceAll('"', "'"))).toContain(gold_sql);
    }
    expect(review()[1]?.mismatch).toMatchObject({ stored: 'Joe Sharp', column: 'singer.name' });
    expect(readFileSync(project.path('set/questions.jsonl'), 'utf8')).toBe('');
  });

  it('makes a set of what a person accepted, as it was corrected, and leaves the file as it is', async () => {
    await build();
    const [first, second, third] = review();
    const written = [
      { ...first, state: 'accepted', question: 'How many singers are Hollanders?' },
      { ...second, state: 'rejected' },
      third ?? {},
    ];
    writeReview(written);
    const { stdout } = await build();
    expect(stdout).toMatch(/3 changed questions, 0 of them new\n {2}proposed: 1\n {2}accepted: 1\n {2}rejected: 1/);
    expect(review()).toEqual(written);
    const dataset = await loadDataset(project.path('set'));
    expect(dataset.problems).toEqual([]);
    expect(dataset.questions).toMatchObject([
      { id: 'dev-0', question: 'How many singers are Hollanders?', category: 'mismatch', databaseId: 'music' },
    ]);
    expect(existsSync(dataset.databases.music?.file ?? '')).toBe(true);
  });

  it('goes on behind what is there, and makes the same again of the same seed', async () => {
    await build('--accept-all', '--seed', '7');
    const whole = review();
    expect(whole.map(({ state }) => state)).toEqual(['accepted', 'accepted', 'accepted']);
    writeReview(whole.slice(0, 1));
    expect((await build('--accept-all', '--seed', '7')).stdout).toContain('3 changed questions, 2 of them new');
    expect(review()).toEqual(whole);
    expect((await loadDataset(project.path('set'))).questions).toHaveLength(3);
  });

  it('says which line of a review cannot be used, and leaves the file', async () => {
    await build();
    const [first, second] = review();
    writeReview([first ?? {}, { ...second, state: 'yes' }]);
    const { code, stderr } = await build();
    expect(code).toBe(2);
    expect(stderr).toMatch(/Line 2 of .*review\.jsonl cannot be used: .*state/);
    expect(review()).toHaveLength(2);
  });

  it('wants a folder', async () => {
    const { code, stderr } = await runInProcess(['eval', 'build-mismatch', 'spider'], { cwd: project.folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--out is missing')]);
  });
});
