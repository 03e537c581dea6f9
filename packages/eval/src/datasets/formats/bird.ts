import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { Dataset } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { comesAsFile, databaseName, findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions } from '../read/question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';

const row = z.object({
  question_id: optionalWord,
  db_id: databaseName,
  question: word,
  evidence: optionalWord,
  SQL: word,
  difficulty: optionalWord,
});

const DATABASE_FOLDERS = ['dev_databases', 'train_databases', 'test_databases', 'databases', 'database'];

/** BIRD and its mini-dev. */
export const bird: DatasetFormatSpec = {
  title: 'BIRD and its mini-dev',
  layout: 'dev.json or mini_dev_sqlite.json (db_id, question, SQL, evidence) and dev_databases/<db_id>/<db_id>.sqlite',
  files: ['dev.json', 'mini_dev_sqlite.json', 'mini_dev_postgresql.json', 'mini_dev_mysql.json', 'train.json'],
  load: loadBird,
};

/**
 * BIRD (Li et al. 2023) and its mini-dev: a JSON list of `question_id`, `db_id`, `question`, `evidence`, `SQL`,
 * `difficulty`, and `dev_databases/<db_id>/<db_id>.sqlite` beside it or one folder up. The order of rows is never part
 * of an answer, as in its evaluator.
 *
 * @throws AskemaError `DATASET_INVALID` for the MySQL and PostgreSQL files of mini-dev without `databases:
 * 'elsewhere'`.
 */
async function loadBird(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file } = found;
  const dialect = dialectOf(file);
  const isElsewhere = options.databases === 'elsewhere';
  if (!comesAsFile(dialect) && !isElsewhere) {
    throw new AskemaError(
      'DATASET_INVALID',
      `The gold SQL of ${path.basename(file)} is written for ${dialect}, and its databases are on a server: say where (\`databases: 'elsewhere'\`; --database of the command), or take mini_dev_sqlite.json.`,
    );
  }
  const folders = [root, path.dirname(root)].flatMap((folder) =>
    DATABASE_FOLDERS.map((name) => path.join(folder, name)),
  );
  const findDatabase = findDatabaseIn({
    root: options.databaseFolder ?? root,
    folders: options.databaseFolder === undefined ? folders : [options.databaseFolder],
    layout: options.databaseFolder === undefined ? 'nested' : 'both',
    isElsewhere,
    dialect,
  });
  const collector = collectQuestions({ root, file, format: 'bird' }, findDatabase);
  const split = path.basename(file).split('.')[0] ?? 'row';
  for await (const entry of readRows(file)) {
    const read = collector.read(entry, row, 'question of BIRD');
    if (read === undefined) continue;
    collector.add({
      id: read.question_id ?? `${split}-${entry.position}`,
      databaseId: read.db_id,
      question: read.question,
      ...(read.evidence === undefined ? {} : { evidence: read.evidence }),
      goldSql: [read.SQL],
      official: { benchmark: 'bird' },
      category: 'all',
      difficulty: read.difficulty ?? 'unknown',
      orderMatters: false,
      features: [],
      line: entry.line,
    });
  }
  return collector.finish();
}

function dialectOf(file: string): string {
  const name = path.basename(file).toLowerCase();
  return name.includes('mysql') ? 'mysql' : name.includes('postgres') ? 'postgres' : 'sqlite';
}
