import { createHash } from 'node:crypto';
import path from 'node:path';
import { didYouMean } from '@askema/core';
import type * as z from 'zod';
import type { Dataset, DatasetDatabase, DatasetProblem, DatasetQuestion } from './dataset.ts';
import { nothingUsable, repeatedId } from './dataset-lines.ts';
import type { DatabaseFinder } from './find-database.ts';
import type { DatasetRow } from './read-rows.ts';

/** Puts a dataset together, row by row; what cannot be used becomes a problem. */
export interface QuestionCollector {
  /** A row of that form; otherwise undefined, and the problem is kept. `what` says what it should be: `question`. */
  read<Row>(row: DatasetRow, form: z.ZodType<Row>, what?: string): Row | undefined;
  /** Takes the question, unless its id was there before or its database is missing. Returns whether it was taken. */
  add(question: DatasetQuestion): boolean;
  reject(problem: DatasetProblem): void;
  /** @throws AskemaError `DATASET_INVALID` when no question was taken. */
  finish(more?: Pick<Dataset, 'documents' | 'official'>): Dataset;
}

const ELSEWHERE =
  ' Databases that lie elsewhere have to be named: --database of the command (`{id}` in it stands for the name of each), `databaseFolder` or `database` of loadDataset.';

/** `file` is the one that the questions stand in; `root` the folder that gives the dataset its name. */
export function collectQuestions(
  {
    root,
    file,
    format,
    name,
  }: {
    readonly root: string;
    readonly file: string;
    readonly format: string;
    readonly name?: string | undefined;
  },
  findDatabase: DatabaseFinder,
): QuestionCollector {
  const questions: DatasetQuestion[] = [];
  const problems: DatasetProblem[] = [];
  const databases = new Map<string, DatasetDatabase>();
  const lineOf = new Map<string, number>();
  let isDatabaseMissing = false;
  const reject = (problem: DatasetProblem): void => {
    problems.push(problem);
  };
  return {
    read(row, form, what = 'question') {
      if ('problem' in row) {
        reject({ line: row.line, message: `Line ${row.line} ${row.problem}` });
        return undefined;
      }
      const parsed = form.safeParse(row.value);
      if (parsed.success) return parsed.data;
      reject(complaint(row.value, row.line, what, parsed.error.issues));
      return undefined;
    },
    add(question) {
      const { id, line, databaseId } = question;
      const before = lineOf.get(id);
      if (before !== undefined) {
        reject(repeatedId(id, line, before));
        return false;
      }
      if (!databases.has(databaseId)) {
        const found = findDatabase(databaseId, question);
        if (typeof found === 'string') {
          isDatabaseMissing = true;
          reject({ line, id, message: `Line ${line} names the database ${databaseId}, but ${found}` });
          return false;
        }
        databases.set(databaseId, found);
      }
      questions.push(question);
      lineOf.set(id, line);
      return true;
    },
    reject,
    finish(more = {}) {
      if (questions.length === 0) {
        const hint = isDatabaseMissing ? ELSEWHERE : '';
        throw nothingUsable(`${path.basename(file)} in ${path.dirname(file)}`, problems, hint);
      }
      return {
        name: name ?? path.basename(root),
        directory: root,
        questions,
        databases: Object.fromEntries(databases),
        format,
        ...more,
        problems,
        fingerprint: fingerprintOf(questions),
      };
    },
  };
}

/**
 * SHA-256 of the JSON of the list, made of one question at a time: the whole text may be longer than a string can be.
 */
function fingerprintOf(questions: readonly DatasetQuestion[]): string {
  const hash = createHash('sha256');
  for (const [position, question] of questions.entries()) {
    hash.update(position === 0 ? '[' : ',').update(JSON.stringify(question));
  }
  return hash.update(']').digest('hex');
}

function complaint(value: unknown, line: number, what: string, issues: readonly z.core.$ZodIssue[]): DatasetProblem {
  const fields =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  // Comparing names takes the product of their lengths: what is no name is left out.
  const names = Object.keys(fields)
    .filter((name) => name.length <= 80)
    .slice(0, 200);
  const complaints = issues.slice(0, 5).map((issue) => {
    const field = issue.path.join('.');
    const isMissing = issue.path.length === 1 && !Object.hasOwn(fields, field);
    const nearest = isMissing ? didYouMean(field, names) : '';
    return `${field || 'the line'}: ${issue.message}${nearest === '' ? '' : `. ${nearest}`}`;
  });
  const { id } = fields;
  return {
    line,
    ...(typeof id === 'string' ? { id } : {}),
    message: `Line ${line} is no ${what}: ${complaints.join('; ')}`,
  };
}
