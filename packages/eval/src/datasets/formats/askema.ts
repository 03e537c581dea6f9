import path from 'node:path';
import * as z from 'zod';
import type { Dataset, DatasetQuestion } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { databaseName, findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions } from '../read/question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { word } from '../read/row-forms.ts';

/** A line of `questions.jsonl`. Fields that are not named here are allowed and ignored. */
const questionRow = z.object({
  id: word,
  db_id: databaseName,
  question: word,
  evidence: z.string().optional(),
  gold_sql: z.union([word, z.array(word).min(1)]),
  category: word.default('all'),
  difficulty: word.default('unknown'),
  order_matters: z.boolean().default(false),
  features: z.array(z.string()).default([]),
});

/** The format of Askema. */
export const askema: DatasetFormatSpec = {
  title: 'the format of Askema',
  layout: 'questions.jsonl (id, db_id, question, gold_sql) and databases/<db_id>.sqlite',
  files: ['questions.jsonl'],
  load: loadAskema,
};

/**
 * `questions.jsonl` and `databases/<db_id>.sqlite` (or `.duckdb`, or a folder of data files): one JSON object a line
 * with `id`, `db_id`, `question` and `gold_sql` (a statement, or a list of which any is right); optional `evidence`,
 * `category`, `difficulty`, `order_matters` (false when absent), `features`.
 */
async function loadAskema(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file } = found;
  const findDatabase = findDatabaseIn({
    root: options.databaseFolder ?? root,
    folders: options.databaseFolder === undefined ? [path.join(root, 'databases')] : [options.databaseFolder],
    layout: options.databaseFolder === undefined ? 'flat' : 'both',
    isElsewhere: options.databases === 'elsewhere',
  });
  const collector = collectQuestions({ root, file, format: 'askema' }, findDatabase);
  for await (const row of readRows(file)) {
    const read = collector.read(row, questionRow);
    if (read !== undefined) collector.add(questionOf(read, row.line));
  }
  return collector.finish();
}

function questionOf(row: z.infer<typeof questionRow>, line: number): DatasetQuestion {
  return {
    id: row.id,
    databaseId: row.db_id,
    question: row.question,
    ...(row.evidence === undefined || row.evidence.trim() === '' ? {} : { evidence: row.evidence }),
    goldSql: typeof row.gold_sql === 'string' ? [row.gold_sql] : row.gold_sql,
    category: row.category,
    difficulty: row.difficulty,
    orderMatters: row.order_matters,
    features: row.features,
    line,
  };
}
