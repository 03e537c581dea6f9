import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Dataset, DatasetDatabase, DatasetProblem, DatasetQuestion } from './dataset.ts';
import { nothingUsable, readDatasetFile, readLine, repeatedId } from './dataset-lines.ts';
import type { LoadDatasetOptions } from './load-dataset-options.ts';

const QUESTIONS_FILE = 'questions.jsonl';
const DATABASES_FOLDER = 'databases';
/** The last one is a folder of data files, or a file without an ending. */
const DATABASE_ENDINGS = ['.sqlite', '.db', '.sqlite3', '.duckdb', '.parquet', '.csv', ''];

export type { LoadDatasetOptions } from './load-dataset-options.ts';

const word = z.string().trim().min(1);

/** A line of `questions.jsonl`. Fields that are not named here are allowed and ignored. */
const questionRow = z.object({
  id: word,
  db_id: word.regex(/^[^/\\]+$/, 'must be a plain name, without slashes').refine((name) => !/^\.+$/.test(name)),
  question: word,
  evidence: z.string().optional(),
  gold_sql: z.union([word, z.array(word).min(1)]),
  category: word.default('all'),
  difficulty: word.default('unknown'),
  order_matters: z.boolean().default(false),
  features: z.array(z.string()).default([]),
});

/**
 * Reads a folder with `questions.jsonl` and `databases/<db_id>.sqlite` (or `.duckdb`, or a folder of data files): one JSON object a line with `id`, `db_id`, `question` and
 * `gold_sql` (a statement, or a list of which any is right); optional `evidence`, `category`, `difficulty`, `order_matters` (false when
 * absent), `features`. A line that is no such object, repeats an id, or names a database that is not there stands in `problems`.
 *
 * @throws AskemaError `DATASET_INVALID` when there is no such file, or no line of it can be used.
 */
export async function loadDataset(directory: string, options: LoadDatasetOptions = {}): Promise<Dataset> {
  const root = path.resolve(directory);
  const name = `${QUESTIONS_FILE} in ${root}`;
  const missing = `There is no ${name}. A dataset is a folder with ${QUESTIONS_FILE} (one JSON object a line: id, db_id, question, gold_sql) and ${DATABASES_FOLDER}/<db_id>.sqlite.`;
  const text = await readDatasetFile(path.join(root, QUESTIONS_FILE), name, missing);
  const questions: DatasetQuestion[] = [];
  const problems: DatasetProblem[] = [];
  const databases = new Map<string, DatasetDatabase>();
  const lineOf = new Map<string, number>();
  for (const [position, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const read = readLine(questionRow, content, position + 1, 'question');
    if ('problem' in read) {
      problems.push(read.problem);
      continue;
    }
    const question = questionOf(read.row, position + 1);
    const problem = placementProblem(
      question,
      { root, isElsewhere: options.databases === 'elsewhere' },
      databases,
      lineOf,
    );
    if (problem !== undefined) problems.push(problem);
    else {
      questions.push(question);
      lineOf.set(question.id, question.line);
    }
  }
  if (questions.length === 0) throw nothingUsable(name, problems);
  return {
    name: path.basename(root),
    directory: root,
    questions,
    databases: Object.fromEntries(databases),
    problems,
    fingerprint: createHash('sha256').update(JSON.stringify(questions)).digest('hex'),
  };
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

function placementProblem(
  question: DatasetQuestion,
  { root, isElsewhere }: { readonly root: string; readonly isElsewhere: boolean },
  databases: Map<string, DatasetDatabase>,
  lineOf: ReadonlyMap<string, number>,
): DatasetProblem | undefined {
  const { id, line, databaseId } = question;
  const before = lineOf.get(id);
  if (before !== undefined) return repeatedId(id, line, before);
  if (databases.has(databaseId)) return undefined;
  const files = DATABASE_ENDINGS.map((ending) => path.join(root, DATABASES_FOLDER, `${databaseId}${ending}`));
  const file = isElsewhere ? files[0] : files.find((name) => existsSync(name));
  if (file === undefined) {
    return { line, id, message: `Line ${line} names the database ${databaseId}, but there is no ${files[0]}.` };
  }
  databases.set(databaseId, { id: databaseId, file });
  return undefined;
}
