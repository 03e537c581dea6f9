import { existsSync } from 'node:fs';
import path from 'node:path';
import { AskemaError } from '@askema/core';
import { linkOutOf } from '@askema/core/node';
import * as z from 'zod';
import { databasePathProblem } from '../read/database-id.ts';
import type { Dataset, DatasetDatabase } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions } from '../read/question-collector.ts';
import { readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';

const statements = z.union([word, z.array(word).min(1)]).optional();
/** Excel writes TRUE, spreadsheets and people 1 or yes. */
const flag = z
  .union([z.boolean(), z.null(), z.string(), z.number().transform(String)])
  .optional()
  .transform((value, context) => {
    if (typeof value === 'boolean') return value;
    const text = value?.trim().toLowerCase() ?? '';
    if (['true', 'yes', '1'].includes(text)) return true;
    if (['', 'false', 'no', '0'].includes(text)) return false;
    context.addIssue({ code: 'custom', message: 'expected true or false' });
    return z.NEVER;
  });

const row = z
  .object({
    id: optionalWord,
    question: word,
    sql: statements,
    query: statements,
    gold_sql: statements,
    database: optionalWord,
    db_id: optionalWord,
    evidence: optionalWord,
    category: optionalWord,
    difficulty: optionalWord,
    order_matters: flag,
  })
  .refine(({ sql, query, gold_sql }) => (sql ?? query ?? gold_sql) !== undefined, {
    path: ['sql'],
    message: 'Invalid input: expected a statement',
  });

/** Questions of your own as JSON lines or a JSON list. */
export const jsonl: DatasetFormatSpec = {
  title: 'your own questions',
  layout: 'one JSON object a line: question, sql; optional id, database, evidence, category, difficulty, order_matters',
  files: ['questions.jsonl', 'questions.json'],
  load: loadPlain,
};

/** Questions of your own as CSV. */
export const csv: DatasetFormatSpec = {
  title: 'your own questions',
  layout: 'a header with question, sql; optional id, database, evidence, category, difficulty, order_matters',
  files: ['questions.csv', 'questions.tsv'],
  load: loadPlain,
};

/**
 * Questions of your own: JSON lines, a JSON list or CSV of `question` and `sql` (or `query`, `gold_sql`); optional `id`
 * (else `row-1`, ...), `database` (or `db_id`), `evidence`, `category`, `difficulty`, `order_matters`. A row's database
 * is a name (`<name>.sqlite` beside the file or in `databases/`) or a file within the folder; addresses only come from
 * the option `database`, which serves all rows that name none.
 */
async function loadPlain(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file, format } = found;
  const given = options.database === undefined ? undefined : databaseOf(options.database);
  const isElsewhere = options.databases === 'elsewhere';
  const findByName = findDatabaseIn({
    root: options.databaseFolder ?? root,
    folders: options.databaseFolder === undefined ? [path.join(root, 'databases'), root] : [options.databaseFolder],
    layout: 'both',
    isElsewhere,
  });
  const findDatabase = (id: string): DatasetDatabase | string => {
    if (id === given?.id) return given;
    const problem = databasePathProblem(id);
    if (problem !== undefined) return `that is neither a plain name nor a file within the folder: ${problem}`;
    const within = path.join(root, id);
    if (id.includes('/') || path.extname(id) !== '') {
      if (isElsewhere) return { id, file: within };
      if (existsSync(within)) return linkOutOf(root, within) ?? { id, file: within };
    }
    return id.includes('/') ? `there is no ${within}.` : findByName(id);
  };
  const name = path.basename(file).replace(/\.(?:jsonl|json|csv|tsv)(?:\.gz)?$/i, '');
  const collector = collectQuestions(
    { root, file, format, name: name === 'questions' ? undefined : name },
    findDatabase,
  );
  let number = 0;
  for await (const entry of readRows(file)) {
    number += 1;
    const read = collector.read(entry, row);
    if (read === undefined) continue;
    const id = read.id ?? `row-${number}`;
    const databaseId = read.database ?? read.db_id ?? given?.id ?? (isElsewhere ? 'database' : undefined);
    if (databaseId === undefined) {
      const message = `Line ${entry.line} names no database: add a field \`database\`, or say which one serves all rows (\`database\` of loadDataset; --database of the command).`;
      collector.reject({ line: entry.line, id, message });
      continue;
    }
    const gold = read.sql ?? read.query ?? read.gold_sql ?? [];
    collector.add({
      id,
      databaseId,
      question: read.question,
      ...(read.evidence === undefined ? {} : { evidence: read.evidence }),
      goldSql: typeof gold === 'string' ? [gold] : gold,
      category: read.category ?? 'all',
      difficulty: read.difficulty ?? 'unknown',
      orderMatters: read.order_matters,
      features: [],
      line: entry.line,
    });
  }
  return collector.finish();
}

/** A file by its name without the ending; an address, which may hold a secret, as `database`. */
function databaseOf(place: string): DatasetDatabase {
  if (place.trim() === '') throw new AskemaError('INPUT_INVALID', '`database` is empty; name a file or an address.');
  if (/^[a-z][a-z0-9+.-]+:/i.test(place)) return { id: 'database', file: place };
  const file = path.resolve(place);
  return { id: path.parse(file).name || 'database', file: existsSync(file) ? file : place };
}
