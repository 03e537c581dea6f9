import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';

const row = {
  question_id: 12,
  db_id: 'bakery',
  question: 'Which loaves?',
  evidence: 'loaf means kind = 1',
  SQL: 'SELECT name FROM good WHERE kind = 1 ORDER BY name',
  difficulty: 'moderate',
};
const database = { 'dev_databases/bakery/bakery.sqlite': '' };

describe('the format bird', () => {
  it('reads evidence and difficulty, and order is no part of an answer', async () => {
    const root = datasetFolder({ ...database, 'dev.json': [row, { ...row, question_id: 13, evidence: '' }] });
    const { format, questions, databases } = await loadDataset(root);
    expect(format).toBe('bird');
    expect(questions).toMatchObject([
      {
        id: '12',
        databaseId: 'bakery',
        evidence: row.evidence,
        difficulty: 'moderate',
        goldSql: [row.SQL],
        orderMatters: false,
      },
      { id: '13' },
    ]);
    expect(questions[1]).not.toHaveProperty('evidence');
    expect(questions[0]?.official).toEqual({ benchmark: 'bird' });
    expect(databases.bakery?.file).toBe(path.join(root, 'dev_databases/bakery/bakery.sqlite'));
  });

  it('finds mini-dev, and reports rows that are broken or repeat an id', async () => {
    const root = datasetFolder({ ...database, 'mini_dev_sqlite.json': [row, row, { ...row, SQL: '' }, null] });
    const { questions, problems } = await loadDataset(root);
    expect(questions).toHaveLength(1);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('repeats the id 12'),
      expect.stringContaining('SQL'),
      expect.stringContaining('the line'),
    ]);
  });

  it('wants a server for the gold of a server', async () => {
    const root = datasetFolder({ ...database, 'mini_dev_postgresql.json': [row] });
    await expect(loadDataset(root)).rejects.toMatchObject({
      code: 'DATASET_INVALID',
      message: expect.stringMatching(/postgres.*elsewhere/),
    });
    const { databases } = await loadDataset(root, { databases: 'elsewhere' });
    expect(databases.bakery?.dialect).toBe('postgres');
  });
});
