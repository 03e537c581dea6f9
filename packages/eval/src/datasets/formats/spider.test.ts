import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';

const lists = { db_id: 'garden', question: 'Which plants?', query: 'SELECT name FROM plant' };
const counted = {
  db_id: 'garden',
  question: 'How many?',
  query: 'SELECT count(*) FROM plant ORDER BY 1',
  query_toks: [],
};
const databases = { 'database/garden/garden.sqlite': '', 'tables.json': '[]' };

describe('the format spider', () => {
  it('reads the questions in the order of the list, and finds their databases', async () => {
    const root = datasetFolder({ ...databases, 'dev.json': [lists, counted] });
    const { format, questions, problems, databases: found } = await loadDataset(root);
    expect({ format, problems }).toEqual({ format: 'spider', problems: [] });
    expect(questions).toMatchObject([
      {
        id: 'dev-0',
        goldSql: [lists.query],
        official: { benchmark: 'spider' },
        orderMatters: false,
        difficulty: 'unknown',
      },
      { id: 'dev-1', goldSql: [counted.query], orderMatters: true },
    ]);
    expect(found).toEqual({
      garden: { id: 'garden', file: path.join(root, 'database/garden/garden.sqlite'), dialect: 'sqlite' },
    });
  });

  it('takes the further files of a database as its variants', async () => {
    const folder = 'database/garden';
    const root = datasetFolder({
      ...databases,
      [`${folder}/garden_v2.sqlite`]: '',
      [`${folder}/garden_v10.sqlite`]: '',
      [`${folder}/schema.sql`]: '',
      'dev.json': [lists],
    });
    const { databases: found } = await loadDataset(root);
    expect(found.garden?.variants?.map((file) => path.basename(file))).toEqual([
      'garden_v10.sqlite',
      'garden_v2.sqlite',
    ]);
  });

  it('reads other questions over the same databases by the path of their file', async () => {
    const synonyms = {
      db_id: 'garden',
      SpiderQuestion: 'Which plants?',
      SpiderSynQuestion: 'Which herbs?',
      query: lists.query,
    };
    const root = datasetFolder({ ...databases, 'syn/dev_syn.json': [synonyms], 'spider-realistic.json.gz': [lists] });
    const syn = await loadDataset(path.join(root, 'syn/dev_syn.json'));
    expect(syn.questions).toMatchObject([{ id: 'dev_syn-0', question: 'Which herbs?' }]);
    expect(syn.problems).toEqual([]);
    const realistic = await loadDataset(path.join(root, 'spider-realistic.json.gz'));
    expect(realistic.questions.map(({ id }) => id)).toEqual(['spider-realistic-0']);
    expect(
      (await loadDataset(path.join(root, 'syn/dev_syn.json'), { databaseFolder: path.join(root, 'database') }))
        .fingerprint,
    ).toBe(syn.fingerprint);
  });

  it('reports broken rows and missing databases with their line, and keeps the places of the others', async () => {
    const root = datasetFolder({
      ...databases,
      'dev.json': [
        lists,
        { ...lists, query: 7 },
        { ...lists, db_id: 'gardn' },
        { db_id: 'garden', qestion: 'x', query: 'y' },
        counted,
      ],
    });
    const { questions, problems } = await loadDataset(root);
    expect(questions.map(({ id }) => id)).toEqual(['dev-0', 'dev-4']);
    expect(problems).toMatchObject([
      { line: 7, message: expect.stringContaining('query') },
      { line: 12, id: 'dev-2', message: expect.stringMatching(/gardn.*Did you mean `garden`/) },
      { line: 17, message: expect.stringContaining('`qestion`') },
    ]);
  });

  it('looks for no database that is elsewhere', async () => {
    const root = datasetFolder({ 'dev.json': [lists] });
    const { databases: found, problems } = await loadDataset(root, { databases: 'elsewhere' });
    expect(problems).toEqual([]);
    expect(found.garden?.file.endsWith(path.join('database', 'garden', 'garden.sqlite'))).toBe(true);
  });
});
