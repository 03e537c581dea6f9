import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { loadDataset } from './load-dataset.ts';

const folders: string[] = [];

function folder(lines: readonly (string | object)[], databases = ['shop']): string {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-dataset-'));
  folders.push(root);
  mkdirSync(path.join(root, 'databases'));
  for (const name of databases) writeFileSync(path.join(root, 'databases', `${name}.sqlite`), '');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(path.join(root, 'questions.jsonl'), text);
  return root;
}

const good = { id: 'q1', db_id: 'shop', question: 'How many?', gold_sql: 'SELECT count(*) FROM t' };

afterEach(() => {
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

describe('loadDataset', () => {
  it('reads every field, and fills in what is optional', async () => {
    const full = {
      ...good,
      id: 'q2',
      evidence: 'x means y',
      gold_sql: ['SELECT 1', 'SELECT 2'],
      category: 'core',
      difficulty: 'hard',
      order_matters: true,
      features: ['join'],
      n_tables: 3,
    };
    const dataset = await loadDataset(folder([{ ...good, evidence: '' }, '', full]));
    expect(dataset.problems).toEqual([]);
    expect(dataset.questions).toEqual([
      {
        id: 'q1',
        databaseId: 'shop',
        question: 'How many?',
        goldSql: ['SELECT count(*) FROM t'],
        category: 'all',
        difficulty: 'unknown',
        orderMatters: false,
        features: [],
        line: 1,
      },
      {
        id: 'q2',
        databaseId: 'shop',
        question: 'How many?',
        evidence: 'x means y',
        goldSql: ['SELECT 1', 'SELECT 2'],
        category: 'core',
        difficulty: 'hard',
        orderMatters: true,
        features: ['join'],
        line: 3,
      },
    ]);
    expect(dataset.databases.shop?.file.endsWith('shop.sqlite')).toBe(true);
  });

  it('reports each broken line with its number and keeps the others', async () => {
    const dataset = await loadDataset(
      folder([
        good,
        '{"id": "torn',
        { ...good, id: 'q3', gold_sql: '' },
        { ...good, id: 'q4', db_id: 'gone' },
        { ...good },
        { ...good, id: 'q6', db_id: '../../../etc/passwd' },
        { ...good, id: 'q7', db_id: '..' },
        '[]',
      ]),
    );
    expect(dataset.questions.map((question) => question.id)).toEqual(['q1']);
    expect(dataset.problems.map((problem) => [problem.line, problem.id])).toEqual([
      [2, undefined],
      [3, 'q3'],
      [4, 'q4'],
      [5, 'q1'],
      [6, 'q6'],
      [7, 'q7'],
      [8, undefined],
    ]);
    expect(dataset.problems[1]?.message).toContain('gold_sql');
    expect(dataset.problems[2]?.message).toContain('gone');
    expect(dataset.problems[3]?.message).toContain('line 1');
  });

  it('changes its fingerprint with a question', async () => {
    const one = await loadDataset(folder([good]));
    const same = await loadDataset(folder([good]));
    const other = await loadDataset(folder([{ ...good, gold_sql: 'SELECT 2' }]));
    expect(same.fingerprint).toBe(one.fingerprint);
    expect(other.fingerprint).not.toBe(one.fingerprint);
  });

  it('says what a dataset is when there is none, and names lines when none can be used', async () => {
    await expect(loadDataset(path.join(tmpdir(), 'askema-no-such-folder'))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringContaining('questions.jsonl'),
    });
    await expect(loadDataset(folder(['nonsense', '{}']))).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringContaining('Line 1'),
    });
    await expect(loadDataset(folder([]))).rejects.toMatchObject({ code: 'DATASET_INVALID' });
  });
});
