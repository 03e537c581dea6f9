import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from '@askema/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dataset, DatasetQuestion } from '../datasets/read/dataset.ts';
import { METRICS } from '../metrics/metrics.ts';
import type { EvaluationResult } from '../run/evaluation-result.ts';
import { loadPredictions } from './load-predictions.ts';
import { scorePredictions } from './score-predictions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'askema-predictions-'));
const inFolder = (name: string): string => path.join(folder, name);

beforeAll(() => {
  for (const [name, rows] of [
    ['shop.sqlite', "('pen', 2), ('cup', 5)"],
    ['variant.sqlite', "('pen', 2), ('cup', 5), ('cup', 7)"],
  ] as const) {
    const database = new DatabaseSync(inFolder(name));
    database.exec(`CREATE TABLE item (name TEXT, price INT); INSERT INTO item VALUES ${rows}`);
    database.close();
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

function question(id: string, line: number, more: Partial<DatasetQuestion> = {}): DatasetQuestion {
  const base = { databaseId: 'shop', category: 'c', difficulty: 'easy', orderMatters: false, features: [] };
  return { ...base, id, line, question: `What of ${id}?`, goldSql: ['SELECT name FROM item'], ...more };
}

const accepted = { file: 'q4.csv', position: 0, csv: 'name,price\npen,2\ncup,5\n' };
const dataset: Dataset = {
  name: 'shop',
  directory: folder,
  questions: [
    question('q1', 1),
    // One text twice: the answers are told apart by the ids.
    question('q2', 2, { question: 'The same?', goldSql: ['SELECT max(price) FROM item'] }),
    question('q20', 3, { question: 'The same?', goldSql: ['SELECT min(price) FROM item'] }),
    question('q4', 5, {
      goldSql: [],
      goldResults: [accepted],
      official: { benchmark: 'spider2', conditionColumns: [], ignoreOrder: true, files: 1 },
    }),
  ],
  databases: { shop: { id: 'shop', file: inFolder('shop.sqlite'), variants: [inFolder('variant.sqlite')] } },
  problems: [{ line: 4, message: 'broken' }],
  fingerprint: 'f',
};

function write(name: string, text: string): string {
  writeFileSync(inFolder(name), text);
  return inFolder(name);
}

async function score(source: string, out: string): Promise<ReadonlyMap<string, EvaluationResult>> {
  const predictions = await loadPredictions(source, dataset);
  await scorePredictions({
    dataset,
    predictions,
    out: inFolder(out),
    configuration: { predictions: source },
    connect: ({ file }) => sqlite({ file, poolSize: 1 }),
    metrics: METRICS,
  });
  const lines = readFileSync(path.join(inFolder(out), 'results.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as EvaluationResult).map((result) => [result.id, result]));
}

describe('loadPredictions', () => {
  it('reads lines in the order of the questions, broken rows counted', async () => {
    const { format, answers, problems } = await loadPredictions(
      write('p.txt', 'SELECT 1\tshop\n\nSELECT 3\nbroken\nSELECT 5\nSELECT 6\n'),
      dataset,
    );
    expect(format).toBe('spider');
    expect(Object.fromEntries(answers)).toEqual({
      q1: { sql: 'SELECT 1' },
      q20: { sql: 'SELECT 3' },
      q4: { sql: 'SELECT 5' },
    });
    expect(problems).toEqual([{ line: 6, message: 'There are only 5 questions.' }]);
  });

  it('says that lines are too few for the questions', async () => {
    const { problems } = await loadPredictions(write('few.txt', 'SELECT 1\nSELECT 2\n'), dataset);
    expect(problems).toEqual([
      { line: 2, message: 'There are 5 questions and only 2 lines, which are taken in order.' },
    ]);
  });

  it('reads CSV by its columns, and takes no header for a statement', async () => {
    const byId = await loadPredictions(write('ids.csv', 'Id,SQL\nq4,"SELECT 4,\n5"\nq9,SELECT 9\n'), dataset);
    expect(byId.format).toBe('csv');
    expect(Object.fromEntries(byId.answers)).toEqual({ q4: { sql: 'SELECT 4,\n5' } });
    expect(byId.problems).toEqual([{ line: 4, id: 'q9', message: 'The dataset has no question q9.' }]);
    const inOrder = await loadPredictions(write('order.tsv', 'question\tquery\na\tSELECT 1\nb\tSELECT 2\n'), dataset);
    expect([...inOrder.answers.keys()]).toEqual(['q1', 'q2']);
    await expect(loadPredictions(write('other.csv', 'id,answer\nq1,3\n'), dataset)).rejects.toThrow(
      'has no column `sql`; its columns are id, answer.',
    );
  });

  it("reads BIRD's object by places, or by ids", async () => {
    const places = { 0: 'SELECT 1\t----- bird -----\tshop', 1: 'SELECT 2', 2: 'SELECT 3', 3: 'broken', 4: 7 };
    const byPlace = await loadPredictions(write('places.json', JSON.stringify(places)), dataset);
    expect(byPlace.format).toBe('bird');
    expect([...byPlace.answers.keys()]).toEqual(['q1', 'q2', 'q20']);
    expect(byPlace.answers.get('q1')).toEqual({ sql: 'SELECT 1' });
    expect(byPlace.problems).toEqual([{ line: 5, id: '4', message: 'The prediction is no text.' }]);
    const byId = await loadPredictions(write('ids.json', JSON.stringify({ q4: 'SELECT 4', q9: 'x' })), dataset);
    expect([...byId.answers.keys()]).toEqual(['q4']);
    expect(byId.problems[0]).toMatchObject({ id: 'q9', message: 'The dataset has no question q9.' });
  });

  it('reads lines of JSON, and a folder of statements and results', async () => {
    const lines = '{"instance_id":"q1","sql":"SELECT 1"}\nnot json\n\n{"id":"q4","csv":"a\\n1\\n"}\n';
    const jsonl = await loadPredictions(write('p.jsonl', lines), dataset);
    expect(Object.fromEntries(jsonl.answers)).toEqual({ q1: { sql: 'SELECT 1' }, q4: { csv: 'a\n1\n' } });
    expect(jsonl.problems.map(({ line }) => line)).toEqual([2]);
    mkdirSync(inFolder('submission'));
    write('submission/q4.csv', 'a\n1\n');
    write('submission/q4.sql', 'SELECT 4\n');
    write('submission/notes.md', 'x');
    const files = await loadPredictions(inFolder('submission'), dataset);
    expect(files).toMatchObject({ format: 'spider2', problems: [] });
    expect(Object.fromEntries(files.answers)).toEqual({ q4: { sql: 'SELECT 4', csv: 'a\n1\n' } });
  });

  it('says what it looked for', async () => {
    await expect(loadPredictions(inFolder('nowhere'), dataset)).rejects.toThrow('There are no predictions at');
    await expect(loadPredictions(write('list.json', '[1]'), dataset)).rejects.toThrow(
      'is no JSON object of statements',
    );
    await expect(loadPredictions(write('empty.txt', ''), dataset)).rejects.toThrow('holds no prediction');
    mkdirSync(inFolder('bare'));
    await expect(loadPredictions(inFolder('bare'), dataset)).rejects.toThrow('holds no .sql and no .csv file');
  });
});

describe('scorePredictions', () => {
  it('gives the results of a run, with every metric that applies', async () => {
    const lines = [
      { id: 'q1', sql: 'SELECT name AS n FROM item' },
      { id: 'q2', sql: 'SELECT max(price) FROM item' },
      { id: 'q20', sql: 'SELECT 2' },
      { id: 'q4', csv: 'x,p,n\n1,5.0,cup\n1,2.0,pen\n' },
    ];
    const results = await score(write('run.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')), 'run');
    expect([...results.values()].map(({ id, verdict }) => `${id} ${verdict}`).sort()).toEqual([
      'q1 right',
      'q2 right',
      'q20 right',
      'q4 right',
    ]);
    expect(results.get('q2')?.scores).toEqual({
      'execution-match': 1,
      'bird-ex': 1,
      'bird-soft-f1': 1,
      'spider-exact-match': 1,
      'test-suite': 1,
      'valid-sql': 1,
    });
    // Right by chance on this content, by other components, and wrong on no other content.
    expect(results.get('q20')?.scores).toMatchObject({
      'execution-match': 1,
      'spider-exact-match': 0,
      'test-suite': 1,
    });
    expect(results.get('q4')?.scores).toEqual({ spider2: 1, 'spider2-strict': 1 });
  });

  it('takes a missing prediction and one that does not run as failed, and goes on', async () => {
    const results = await score(
      write('bad.jsonl', '{"id":"q1","sql":"SELECT nothing"}\n{"id":"q2","sql":"SELECT 7"}'),
      'bad',
    );
    expect(results.get('q1')).toMatchObject({ verdict: 'failed', validSql: false });
    expect(results.get('q2')).toMatchObject({ verdict: 'wrong' });
    expect(results.get('q20')).toMatchObject({ verdict: 'failed' });
    expect(results.get('q20')?.reason).toContain('has no prediction for q20');
  });
});
