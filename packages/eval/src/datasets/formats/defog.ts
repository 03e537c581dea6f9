import path from 'node:path';
import { AskemaError, didYouMean } from '@askema/core';
import { postgresDialect, sqliteDialect } from '@askema/dialects';
import * as z from 'zod';
import type { Dataset, DatasetQuestion } from '../read/dataset.ts';
import type { DatabaseOptions, DatasetFormatSpec, FoundDataset } from '../read/dataset-format.ts';
import { comesAsFile, databaseName, findDatabaseIn } from '../read/find-database.ts';
import { collectQuestions, type QuestionCollector } from '../read/question-collector.ts';
import { type DatasetRow, notationOf, readRows } from '../read/read-rows.ts';
import { optionalWord, word } from '../read/row-forms.ts';

/** The dialects that the JSON lines have gold for: where it stands, and what speaks against it. */
const GOLD: readonly {
  readonly dialect: string;
  gold(row: JsonRow): readonly string[];
  problem(row: JsonRow): string | undefined;
}[] = [
  {
    dialect: sqliteDialect.name,
    gold: (row) => row.gold_sql_sqlite,
    problem: (row) =>
      row.sqlite_ok
        ? undefined
        : 'its gold SQL for SQLite depends on the date, or differs from that for PostgreSQL (`sqlite_ok` is false).',
  },
  { dialect: postgresDialect.name, gold: (row) => row.gold_sql_postgres, problem: () => undefined },
];
const DIALECTS: readonly string[] = GOLD.map(({ dialect }) => dialect);

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

const GENERATED = [
  'questions_gen_sqlite.csv',
  'questions_gen_postgres.csv',
  'questions_gen_snowflake.csv',
  'questions_gen_bigquery.csv',
];

/** defog's sql-eval. */
export const defog: DatasetFormatSpec = {
  title: "defog's sql-eval",
  layout:
    'a CSV of db_name, query_category, query, question; or questions.jsonl with gold_sql_sqlite and sqlite/<db_id>.sqlite',
  files: ['questions.jsonl', ...GENERATED, ...GENERATED.map((name) => `data/${name}`), 'questions.csv'],
  load: loadDefog,
};

type JsonRow = z.infer<typeof jsonRow>;

/**
 * defog's sql-eval (https://github.com/defog-ai/sql-eval): its CSV of `db_name`, `query_category`, `query`, `question`,
 * `instructions`, where a `query` may stand for several statements; or `questions.jsonl` with `gold_sql_sqlite` and
 * `gold_sql_postgres`, lists of which any is right, `now_dependent` and `sqlite_ok`. Databases are
 * `sqlite/<db>.sqlite`, `databases/<db>.sqlite` or `<db>/<db>.sqlite`.
 *
 * Of the JSON lines, `dialect` chooses the gold; what has no reliable gold for SQLite (`sqlite_ok: false`) is reported.
 *
 * @throws AskemaError `INPUT_INVALID` for another `dialect` than `sqlite` and `postgres`.
 */
async function loadDefog(found: FoundDataset, options: DatabaseOptions): Promise<Dataset> {
  const { root, file } = found;
  const isElsewhere = options.databases === 'elsewhere';
  const gold = (await notationOf(file)) === 'csv' ? undefined : jsonDialect(options, isElsewhere);
  const dialect = gold ?? csvDialect(file, options);
  const folders = ['sqlite', 'databases', 'sqlite_dbs', '.', '../databases', '../sqlite'].map((name) =>
    path.join(root, name),
  );
  const findDatabase = findDatabaseIn({
    root: options.databaseFolder ?? root,
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
  if (isElsewhere || dialect === undefined || comesAsFile(dialect)) return found;
  return `its gold SQL is written for ${dialect}: say where that server is (\`databases: 'elsewhere'\`; --database of the command).`;
}

function csvDialect(file: string, options: DatabaseOptions): string | undefined {
  const known = ['sqlite', 'postgres', 'snowflake', 'bigquery', 'mysql', 'tsql'];
  const name = path.basename(file).toLowerCase();
  return known.find((dialect) => name.includes(dialect)) ?? options.dialect;
}

function jsonDialect(options: DatabaseOptions, isElsewhere: boolean): string {
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
  const source = GOLD.find((one) => one.dialect === dialect);
  const goldSql = source?.gold(row) ?? [];
  const reason = goldSql.length === 0 ? `it has no gold SQL for ${dialect}.` : source?.problem(row);
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

/** Columns in one pair of braces; so many make 1,023 statements. */
const MAX_COLUMNS = 10;

/**
 * The statements that a `query` of defog's sql-eval stands for, any of which is right: those between semicolons, each
 * with the columns in its first pair of braces expanded to every selection of them that is not empty, the small ones
 * first; `GROUP BY {}` behind it groups by the same ones. The rule: https://github.com/defog-ai/sql-eval, eval/eval.py,
 * `get_all_minimal_queries`; unlike there, a semicolon or brace within quotes is text. Undefined where a pair of braces
 * holds more than 10 columns.
 */
export function defogAlternatives(query: string): readonly string[] | undefined {
  const statements: string[] = [];
  for (const part of splitOutsideQuotes(query, ';')) {
    const statement = part.trim();
    if (statement === '') continue;
    const expanded = expandBraces(statement);
    if (expanded === undefined) return undefined;
    statements.push(...expanded);
  }
  return [...new Set(statements)];
}

function expandBraces(statement: string): readonly string[] | undefined {
  const start = findOutsideQuotes(statement, '{', 0);
  const end = start === -1 ? -1 : statement.indexOf('}', start);
  if (end === -1) return [statement];
  const columns = splitOutsideQuotes(statement.slice(start + 1, end), ',').map((column) => column.trim());
  if (columns.length > MAX_COLUMNS) return undefined;
  const left = statement.slice(0, start);
  const right = statement.slice(end + 1);
  return selectionsOf(columns).map((selected) => {
    const list = selected.join(', ');
    return `${left}${list}${right.split('GROUP BY {}').join(`GROUP BY ${list}`)}`;
  });
}

/** All selections but the empty one: by their size, then in the order of the columns. */
function selectionsOf(columns: readonly string[]): readonly (readonly string[])[] {
  let grown: readonly { readonly columns: readonly string[]; readonly next: number }[] = [{ columns: [], next: 0 }];
  const all: (readonly string[])[] = [];
  for (let size = 1; size <= columns.length; size += 1) {
    grown = grown.flatMap((selection) =>
      columns.slice(selection.next).map((column, offset) => ({
        columns: [...selection.columns, column],
        next: selection.next + offset + 1,
      })),
    );
    all.push(...grown.map((selection) => selection.columns));
  }
  return all;
}

function splitOutsideQuotes(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = findOutsideQuotes(text, separator, 0); at !== -1; at = findOutsideQuotes(text, separator, start)) {
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** From a place outside of quotes. A quote that is never closed is a character like others. */
function findOutsideQuotes(text: string, wanted: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === wanted) return at;
    if (character === "'" || character === '"' || character === '`') {
      const close = text.indexOf(character, at + 1);
      if (close !== -1) at = close;
    }
  }
  return -1;
}
