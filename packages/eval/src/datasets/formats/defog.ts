import path from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import * as z from 'zod';
import type { Dataset, DatasetQuestion } from '../dataset.ts';
import { databaseName, findDatabaseIn } from '../find-database.ts';
import type { LoadDatasetOptions } from '../load-dataset-options.ts';
import { collectQuestions, type QuestionCollector } from '../question-collector.ts';
import { type DatasetRow, notationOf, readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';
import type { FoundDataset } from '../recognise-format.ts';
import { defogAlternatives } from './defog-alternatives.ts';

const DIALECTS = ['sqlite', 'postgres'] as const;

const csvRow = z.object({
  db_name: databaseName,
  db_type: optionalWord,
  query_category: optionalWord,
  query: word,
  question: word,
  instructions: optionalWord,
});

const statements = z.array(word).default([]);

const jsonRow = z.object({
  id: word,
  db_id: databaseName,
  question: word,
  category: optionalWord,
  evidence: optionalWord,
  gold_sql_sqlite: statements,
  gold_sql_postgres: statements,
  now_dependent: z.boolean().default(false),
  sqlite_ok: z.boolean().default(true),
});

/**
 * defog's sql-eval (https://github.com/defog-ai/sql-eval): its CSV of `db_name`, `query_category`, `query`, `question`, `instructions`, where a
 * `query` may stand for several statements; or `questions.jsonl` with `gold_sql_sqlite` and `gold_sql_postgres`, lists of
 * which any is right, `now_dependent` and `sqlite_ok`. Databases are `sqlite/<db>.sqlite`, `databases/<db>.sqlite` or `<db>/<db>.sqlite`.
 *
 * Of the JSON lines, `dialect` chooses the gold; what has no reliable gold for SQLite (`sqlite_ok: false`) is reported.
 *
 * @throws AskemaError `INPUT_INVALID` for another `dialect` than `sqlite` and `postgres`.
 */
export async function loadDefog(found: FoundDataset, options: LoadDatasetOptions): Promise<Dataset> {
  const { root, file } = found;
  const isElsewhere = options.databases === 'elsewhere';
  const gold = (await notationOf(file)) === 'csv' ? undefined : jsonDialect(options, isElsewhere);
  const dialect = gold ?? csvDialect(file, options);
  const folders = ['sqlite', 'databases', 'sqlite_dbs', '.', '../databases', '../sqlite'].map((name) =>
    path.join(root, name),
  );
  const findDatabase = findDatabaseIn({
    folders: options.databaseFolder === undefined ? folders : [options.databaseFolder],
    layout: 'both',
    isElsewhere,
    dialect,
  });
  const collector = collectQuestions({ root, file, format: 'defog' }, (id) =>
    findFileOf(dialect, isElsewhere, findDatabase(id)),
  );
  for await (const entry of readRows(file)) {
    const question = gold === undefined ? ofCsv(entry, file, collector) : ofJson(entry, gold, collector);
    if (question !== undefined) collector.add(question);
  }
  return collector.finish();
}

/** A file of SQLite cannot answer statements that are written for a server. */
function findFileOf<Found>(dialect: string | undefined, isElsewhere: boolean, found: Found): Found | string {
  if (isElsewhere || dialect === undefined || dialect === 'sqlite') return found;
  return `its gold SQL is written for ${dialect}: say where that server is (\`databases: 'elsewhere'\`; --database of the command).`;
}

function csvDialect(file: string, options: LoadDatasetOptions): string | undefined {
  const known = ['sqlite', 'postgres', 'snowflake', 'bigquery', 'mysql', 'tsql'];
  const name = path.basename(file).toLowerCase();
  return known.find((dialect) => name.includes(dialect)) ?? options.dialect;
}

function jsonDialect(options: LoadDatasetOptions, isElsewhere: boolean): string {
  const isServer = isElsewhere && !/^(?:sqlite|file):|\.(?:sqlite3?|db)$/i.test(options.database ?? '');
  const wanted = options.dialect ?? (isServer ? 'postgres' : 'sqlite');
  if (DIALECTS.some((dialect) => dialect === wanted)) return wanted;
  throw new AskemaError(
    'INPUT_INVALID',
    `The questions have gold SQL for ${DIALECTS.join(' and ')}, not for \`${wanted}\`. ${didYouMean(wanted, DIALECTS)}`.trim(),
  );
}

function ofCsv(entry: DatasetRow, file: string, collector: QuestionCollector): DatasetQuestion | undefined {
  const row = collector.read(entry, csvRow, "question of defog's sql-eval");
  if (row === undefined) return undefined;
  const goldSql = defogAlternatives(row.query);
  const id = `${path.basename(file).split('.')[0]}-${entry.position}`;
  if (goldSql === undefined || goldSql.length === 0) {
    const reason = goldSql === undefined ? 'a pair of braces with more than 10 columns' : 'no statement';
    collector.reject({ line: entry.line, id, message: `Line ${entry.line}: its query has ${reason}.` });
    return undefined;
  }
  return {
    id,
    databaseId: row.db_name,
    question: row.question,
    ...(row.instructions === undefined ? {} : { evidence: row.instructions }),
    goldSql,
    category: row.query_category ?? 'all',
    difficulty: 'unknown',
    orderMatters: false,
    features: [],
    line: entry.line,
  };
}

function ofJson(entry: DatasetRow, dialect: string, collector: QuestionCollector): DatasetQuestion | undefined {
  const row = collector.read(entry, jsonRow, "question of defog's sql-eval");
  if (row === undefined) return undefined;
  const goldSql = dialect === 'sqlite' ? row.gold_sql_sqlite : row.gold_sql_postgres;
  const reason =
    goldSql.length === 0
      ? `it has no gold SQL for ${dialect}.`
      : dialect === 'sqlite' && !row.sqlite_ok
        ? 'its gold SQL for SQLite depends on the date, or differs from that for PostgreSQL (`sqlite_ok` is false).'
        : undefined;
  if (reason !== undefined) {
    collector.reject({ line: entry.line, id: row.id, message: `Line ${entry.line}, ${row.id}: ${reason}` });
    return undefined;
  }
  return {
    id: row.id,
    databaseId: row.db_id,
    question: row.question,
    ...(row.evidence === undefined ? {} : { evidence: row.evidence }),
    goldSql,
    category: row.category ?? 'all',
    difficulty: 'unknown',
    orderMatters: false,
    features: row.now_dependent ? ['now-dependent'] : [],
    line: entry.line,
  };
}
