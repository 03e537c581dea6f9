import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import * as z from 'zod';
import type { Dataset, DatasetDatabase, DatasetProblem, DatasetQuestion } from './dataset.ts';

const QUESTIONS_FILE = 'questions.jsonl';
const DATABASES_FOLDER = 'databases';
const DATABASE_ENDINGS = ['.sqlite', '.db', '.sqlite3', '.duckdb'];

const text = z.string().trim().min(1);

/** A line of `questions.jsonl`. Fields that are not named here are allowed and ignored. */
const questionRow = z.object({
  id: text,
  db_id: text.regex(/^[^/\\]+$/, 'must be a plain name, without slashes').refine((name) => !/^\.+$/.test(name)),
  question: text,
  evidence: z.string().optional(),
  gold_sql: z.union([text, z.array(text).min(1)]),
  category: text.default('all'),
  difficulty: text.default('unknown'),
  order_matters: z.boolean().default(false),
  features: z.array(z.string()).default([]),
});

/**
 * Reads a folder with `questions.jsonl` and `databases/<db_id>.sqlite`: one JSON object a line with `id`, `db_id`, `question` and
 * `gold_sql` (a statement, or a list of which any is right); optional `evidence`, `category`, `difficulty`, `order_matters` (false when
 * absent), `features`. A line that is no such object, repeats an id, or names a database that is not there stands in `problems`.
 *
 * @throws AskemaError `DATASET_INVALID` when there is no such file, or no line of it can be used.
 */
export async function loadDataset(directory: string): Promise<Dataset> {
  const root = path.resolve(directory);
  const lines = (await readQuestions(root)).split('\n');
  const questions: DatasetQuestion[] = [];
  const problems: DatasetProblem[] = [];
  const databases = new Map<string, DatasetDatabase>();
  const lineOf = new Map<string, number>();
  for (const [position, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const read = readRow(content, position + 1);
    const problem = 'message' in read ? read : placementProblem(read, root, databases, lineOf);
    if (problem !== undefined) problems.push(problem);
    else if (!('message' in read)) {
      questions.push(read);
      lineOf.set(read.id, read.line);
    }
  }
  if (questions.length === 0) throw nothingUsable(root, problems);
  return {
    name: path.basename(root),
    directory: root,
    questions,
    databases: Object.fromEntries(databases),
    problems,
    fingerprint: createHash('sha256').update(JSON.stringify(questions)).digest('hex'),
  };
}

async function readQuestions(root: string): Promise<string> {
  try {
    return (await readFile(path.join(root, QUESTIONS_FILE), 'utf8')).replace(/^\uFEFF/, '');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new AskemaError(
      'DATASET_INVALID',
      missing
        ? `There is no ${QUESTIONS_FILE} in ${root}. A dataset is a folder with ${QUESTIONS_FILE} (one JSON object a line: id, db_id, question, gold_sql) and ${DATABASES_FOLDER}/<db_id>.sqlite.`
        : `${QUESTIONS_FILE} in ${root} could not be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function readRow(content: string, line: number): DatasetQuestion | DatasetProblem {
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return { line, message: `Line ${line} is no JSON: ${(error as Error).message}` };
  }
  const parsed = questionRow.safeParse(json);
  if (!parsed.success) {
    const id = (json as { id?: unknown } | null)?.id;
    const complaints = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the line'}: ${issue.message}`);
    return {
      line,
      ...(typeof id === 'string' ? { id } : {}),
      message: `Line ${line} is no question: ${complaints.join('; ')}`,
    };
  }
  const row = parsed.data;
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
  root: string,
  databases: Map<string, DatasetDatabase>,
  lineOf: ReadonlyMap<string, number>,
): DatasetProblem | undefined {
  const { id, line, databaseId } = question;
  const before = lineOf.get(id);
  if (before !== undefined) return { line, id, message: `Line ${line} repeats the id ${id} of line ${before}.` };
  if (databases.has(databaseId)) return undefined;
  const files = DATABASE_ENDINGS.map((ending) => path.join(root, DATABASES_FOLDER, `${databaseId}${ending}`));
  const file = files.find((name) => existsSync(name));
  if (file === undefined) {
    return { line, id, message: `Line ${line} names the database ${databaseId}, but there is no ${files[0]}.` };
  }
  databases.set(databaseId, { id: databaseId, file });
  return undefined;
}

function nothingUsable(root: string, problems: readonly DatasetProblem[]): AskemaError {
  const first = problems.slice(0, 3).map((problem) => problem.message);
  const rest = problems.length > 3 ? ` And ${problems.length - 3} more lines.` : '';
  return new AskemaError(
    'DATASET_INVALID',
    problems.length === 0
      ? `${QUESTIONS_FILE} in ${root} is empty.`
      : `No line of ${QUESTIONS_FILE} in ${root} can be used. ${first.join(' ')}${rest}`,
    { details: { problems } },
  );
}
