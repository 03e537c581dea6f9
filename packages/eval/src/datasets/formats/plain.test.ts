import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';

const csv = `Question,SQL,Database,Order Matters,Note
How many?,"SELECT count(*)
FROM t",shop,,x
Which?,SELECT name FROM t ORDER BY 1,shop,yes,
,SELECT 1,shop,,
When?,SELECT 2,shop,perhaps,
`;

describe('the formats jsonl and csv', () => {
  it('reads a CSV of questions and statements, and reports the rows that say nothing', async () => {
    const root = datasetFolder({ 'mine.csv': csv, 'shop.sqlite': '' });
    const { name, format, questions, problems, databases } = await loadDataset(path.join(root, 'mine.csv'));
    expect({ name, format }).toEqual({ name: 'mine', format: 'csv' });
    expect(questions).toMatchObject([
      { id: 'row-1', goldSql: ['SELECT count(*)\nFROM t'], category: 'all', orderMatters: false, line: 2 },
      { id: 'row-2', orderMatters: true, line: 4 },
    ]);
    expect(problems).toMatchObject([
      { line: 5, message: expect.stringContaining('question') },
      { line: 6, message: expect.stringContaining('order_matters') },
    ]);
    expect(databases).toEqual({ shop: { id: 'shop', file: path.join(root, 'shop.sqlite') } });
  });

  it('reads JSON lines, with one database for the rows that name none', async () => {
    const rows = [
      { question: 'a', sql: 'SELECT 1', id: 7, evidence: 'e', category: 'c', difficulty: 'easy' },
      { question: 'b', query: ['SELECT 1', 'SELECT 2'], db_id: 'other' },
    ];
    const root = datasetFolder({ 'q.jsonl': rows, 'sub/shop.sqlite': '', 'databases/other.duckdb': '' });
    const database = path.join(root, 'sub/shop.sqlite');
    const { questions, databases } = await loadDataset(path.join(root, 'q.jsonl'), { database });
    expect(questions).toMatchObject([
      { id: '7', databaseId: 'shop', evidence: 'e', category: 'c', difficulty: 'easy' },
      { id: 'row-2', databaseId: 'other', goldSql: ['SELECT 1', 'SELECT 2'] },
    ]);
    expect(databases.shop?.file).toBe(database);
    expect(databases.other?.file).toBe(path.join(root, 'databases/other.duckdb'));
  });

  it('names a database that is an address without what may be secret in it', async () => {
    const root = datasetFolder({ 'q.jsonl': [{ question: 'a', sql: 'SELECT 1' }] });
    const address = 'postgres://reader:s3cret@db.example/shop';
    const { questions, databases } = await loadDataset(path.join(root, 'q.jsonl'), { database: address });
    expect(questions[0]?.databaseId).toBe('database');
    expect(databases.database?.file).toBe(address);
  });

  it('says which field is missing, and what to do where no database is named', async () => {
    const root = datasetFolder({
      'a.jsonl': [{ question: 'a', sql: 'SELECT 1' }],
      'b.jsonl': [{ question: 'a', sqll: 'x' }],
    });
    await expect(loadDataset(path.join(root, 'a.jsonl'))).rejects.toThrow(/names no database.*--database/);
    await expect(loadDataset(path.join(root, 'b.jsonl'))).rejects.toThrow(/question, sqll.*`sqll`/);
    await expect(loadDataset(path.join(root, 'b.jsonl'), { format: 'jsonl' })).rejects.toThrow(/sql: .*`sqll`/);
  });

  it('lets no row reach for an address, or out of its folder', async () => {
    const reaching = ['/etc/passwd', '../shop.sqlite', 'a/../../shop.sqlite', 'postgres://internal/x', 'a\\b', '..'];
    const rows = [...reaching, 'in/shop.sqlite'].map((database) => ({ question: 'a', sql: 'SELECT 1', database }));
    const root = datasetFolder({ 'set/q.jsonl': rows, 'shop.sqlite': '', 'set/in/shop.sqlite': '' });
    for (const databases of ['files', 'elsewhere'] as const) {
      const dataset = await loadDataset(path.join(root, 'set/q.jsonl'), { databases });
      expect(dataset.questions.map(({ databaseId }) => databaseId)).toEqual(['in/shop.sqlite']);
      expect(dataset.problems).toHaveLength(reaching.length);
    }
  });
});
