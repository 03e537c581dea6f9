import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetFolder } from '../fixtures/dataset-folder.ts';
import { loadDataset } from '../load-dataset.ts';
import { databaseIdProblem } from './database-id.ts';

const HOSTILE = [
  '../shop',
  '/etc/shop',
  'a\\b',
  'C:',
  ':memory:',
  'file:shop',
  '..',
  '. .',
  'a\0b',
  'a\nb',
  'x'.repeat(256),
];
const HARMLESS = ['shop', 'two words', 'a.b-c', 'Größe #1', '%2e%2e', 'shop?host=x', '店'];

/** A good row and a bad one of each format, by the name of its file. */
const FORMATS: Readonly<Record<string, (id: string) => Readonly<Record<string, unknown>>>> = {
  'questions.jsonl': (db_id) => ({ id: db_id, db_id, question: 'q', gold_sql: 'SELECT 1' }),
  'dev.json': (db_id) => ({ db_id, question: 'q', query: 'SELECT 1' }),
  'mini_dev_sqlite.json': (db_id) => ({ db_id, question: 'q', SQL: 'SELECT 1' }),
  'tasks.jsonl': (db) => ({ instance_id: 'local1', set: 'lite', db, question: 'q' }),
  'own.jsonl': (database) => ({ database, question: 'q', sql: 'SELECT 1' }),
};

describe('the id of a database', () => {
  it.each(HARMLESS)('%j is a name', (id) => expect(databaseIdProblem(id)).toBeUndefined());

  it.each(Object.keys(FORMATS))(
    '%s: a row whose id is no name is refused with its line and the reason',
    async (file) => {
      const row = FORMATS[file] as (typeof FORMATS)[string];
      for (const id of HOSTILE) {
        const root = datasetFolder({
          [file]: [row('shop'), row(id)].map((one, n) => ({
            ...one,
            ...(n === 1 && file === 'tasks.jsonl' ? { instance_id: 'local2' } : {}),
          })),
        });
        const { questions, problems } = await loadDataset(path.join(root, file), { databases: 'elsewhere' });
        // Spider 2.0 reads local databases as files alone.
        expect(questions.length + problems.length).toBe(2);
        const line = file.endsWith('.jsonl') ? 'Line 2' : 'Line ';
        expect(problems.map(({ message }) => message).join()).toMatch(
          new RegExp(`${line}.*cannot be a name: it `, 's'),
        );
        expect(questions.map(({ databaseId }) => databaseId)).not.toContain(id);
      }
    },
  );
});
