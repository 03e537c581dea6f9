import path from 'node:path';
import * as z from 'zod';
import type { Dataset } from '../dataset.ts';
import { databaseName, findDatabaseIn } from '../find-database.ts';
import type { LoadDatasetOptions } from '../load-dataset-options.ts';
import { collectQuestions } from '../question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';
import type { FoundDataset } from '../recognise-format.ts';
import { ordersItsRows } from './orders-its-rows.ts';
import { spiderHardness } from './spider-hardness.ts';

const row = z
  .object({
    db_id: databaseName,
    question: optionalWord,
    /** Spider-Syn has both; the question with synonyms is the one that is asked. */
    SpiderSynQuestion: optionalWord,
    query: word,
    /** The statement as a tree, where the release has it. */
    sql: z.unknown().optional(),
    difficulty: optionalWord,
    hardness: optionalWord,
  })
  .refine((value) => (value.SpiderSynQuestion ?? value.question) !== undefined, {
    path: ['question'],
    message: 'Invalid input: expected a text',
  });

/**
 * Spider (Yu et al. 2018) and what has its layout: a JSON list of `db_id`, `question`, `query`, and `database/<db_id>/<db_id>.sqlite` beside
 * it or one folder up. Ids are made of the file's name and the place in the list, from 0: `dev-17`. Other `*.sqlite` files in
 * the folder of a database are its `variants`, as in the release of the test suites (Zhong et al. 2020).
 */
export async function loadSpider(found: FoundDataset, options: LoadDatasetOptions): Promise<Dataset> {
  const { root, file } = found;
  const folders = [root, path.dirname(root)].flatMap((folder) =>
    ['database', 'test_database', 'databases'].map((name) => path.join(folder, name)),
  );
  const findDatabase = findDatabaseIn({
    folders: options.databaseFolder === undefined ? folders : [options.databaseFolder],
    layout: options.databaseFolder === undefined ? 'nested' : 'both',
    isElsewhere: options.databases === 'elsewhere',
    hasVariants: true,
    dialect: 'sqlite',
  });
  const collector = collectQuestions({ root, file, format: 'spider' }, findDatabase);
  const split = path.basename(file).split('.')[0] ?? 'row';
  for await (const entry of readRows(file)) {
    const read = collector.read(entry, row, 'question of Spider');
    if (read === undefined) continue;
    collector.add({
      id: `${split}-${entry.position}`,
      databaseId: read.db_id,
      question: read.SpiderSynQuestion ?? read.question ?? '',
      goldSql: [read.query],
      official: { benchmark: 'spider' },
      category: 'all',
      difficulty: read.difficulty ?? read.hardness ?? spiderHardness(read.sql) ?? 'unknown',
      orderMatters: ordersItsRows(read.query),
      features: [],
      line: entry.line,
    });
  }
  return collector.finish();
}
