import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DATASET_FORMATS, describeFormats, readDatasetFormat } from './dataset-formats.ts';
import { datasetFolder } from './fixtures/dataset-folder.ts';
import { loadDataset } from './load-dataset.ts';

const question = { id: 'q1', db_id: 'shop', question: 'How many?', gold_sql: 'SELECT 1' };
const requirement = { id: 'r1', question: 'A shop sells.', answer: { Shop: { Attributes: ['ID'] } } };

describe('recognising a dataset', () => {
  it.each([
    [
      'the format of Askema by its file, packed',
      { 'questions.jsonl.gz': [question], 'databases/shop.sqlite': '' },
      '',
      'askema',
    ],
    [
      'questions of your own in a folder',
      { 'questions.jsonl': [{ question: 'a', sql: 'b', database: 'shop' }], 'shop.db': '' },
      '',
      'jsonl',
    ],
    [
      'a JSON list of your own',
      { 'mine.json': [{ question: 'a', sql: 'b', database: 'shop' }], 'shop.db': '' },
      'mine.json',
      'jsonl',
    ],
    [
      'Spider beside BIRD by the fields',
      { 'dev.json': [{ db_id: 's', question: 'a', query: 'b' }], 'database/s/s.sqlite': '' },
      '',
      'spider',
    ],
    [
      'a folder with the set of Spider 2.0 in it',
      {
        'spider2-snow/spider2-snow.jsonl': [{ instance_id: 'sf1', db_id: 'X', instruction: 'a' }],
        'spider2-snow/evaluation_suite/gold/spider2snow_eval.jsonl': [{ instance_id: 'sf1' }],
      },
      '',
      'spider2-snow',
    ],
  ])('%s', async (_, files, place, format) => {
    const root = datasetFolder(files);
    expect((await loadDataset(path.join(root, place))).format).toBe(format);
  });

  it('sends schemas to eval design', async () => {
    const root = datasetFolder({ 'requirements.jsonl': [requirement] });
    for (const place of [root, path.join(root, 'requirements.jsonl')]) {
      await expect(loadDataset(place)).rejects.toMatchObject({
        code: 'DATASET_INVALID',
        message: expect.stringContaining('eval design'),
      });
    }
    expect(() => readDatasetFormat('rschema')).toThrow(/eval design/);
  });

  it('says what was looked for, and what is nearest to it', async () => {
    const root = datasetFolder({
      'question.jsonl': [question],
      'notes.txt': 'x',
      'votes.jsonl': [{ instance_id: 'a', sql: 'b' }],
    });
    await expect(loadDataset(root)).rejects.toThrow(/There is `question\.jsonl`.*questions\.jsonl.*dev\.json/s);
    await expect(loadDataset(root, { format: 'bird' })).rejects.toThrow(/bird.*mini_dev_sqlite\.json/);
    await expect(loadDataset(path.join(root, 'votes.jsonl'))).rejects.toThrow(/fields instance_id, sql/);
    await expect(loadDataset(path.join(root, 'notes.txt'))).rejects.toThrow(/no dataset/);
    await expect(loadDataset(`${root}/notes.tx`)).rejects.toThrow(/Did you mean `notes\.txt`/);
    await expect(loadDataset(path.join(tmpdir(), 'askema-none'))).rejects.toThrow(/no questions\.jsonl in/);
    await expect(loadDataset(datasetFolder({}))).rejects.toThrow(/empty/);
  });

  it('knows its formats by name', () => {
    expect(describeFormats().map(({ format }) => format)).toEqual(DATASET_FORMATS);
    expect(readDatasetFormat('bird')).toBe('bird');
    const guide = readFileSync(new URL('../../../../docs/guide/datasets.md', import.meta.url), 'utf8');
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
    for (const format of DATASET_FORMATS) expect(rows.join('\n')).toContain(`\`${format}\``);
    expect(() => readDatasetFormat('spider2-sno')).toThrow(/`spider2-snow`/);
  });
});
