/**
 * The questions of text2sql-dev with their gold statements and shapes, database by database; and those of its folder
 * `defog`, on databases that no rule was made with (of these the ones whose SQLite statement is known to be right).
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Adapter, type Catalog, indexSchema, resolveAdapter, type SchemaIndex } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { QueryShape, SqlParser } from '@askema/sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);

/** True where the data is there. */
export const hasDevelopmentSet = (): boolean => existsSync(path.join(DATA, 'questions.jsonl'));

/** One question with the statement that answers it. */
interface DevelopmentQuestion {
  readonly id: string;
  readonly databaseId: string;
  readonly question: string;
  readonly evidence: string | undefined;
  readonly category: string;
  readonly sql: string;
  readonly orderMatters: boolean;
  /** Undefined where the parser does not take the statement. */
  readonly shape: QueryShape | undefined;
}

/** An open database and its questions. */
export interface DevelopmentDatabase {
  readonly id: string;
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly questions: readonly DevelopmentQuestion[];
}

/** `dev`: the development set itself; `defog`: beside it. */
export type QuestionSet = 'dev' | 'defog';

interface Line {
  readonly id: string;
  readonly db_id: string;
  readonly question: string;
  readonly evidence?: string | undefined;
  readonly category: string;
  readonly gold_sql?: string | readonly string[] | undefined;
  readonly gold_sql_sqlite?: readonly string[] | undefined;
  readonly sqlite_ok?: boolean | undefined;
  readonly order_matters?: boolean | undefined;
}

/** The questions, and where a database is. */
function readQuestions(set: QuestionSet): { readonly lines: readonly Line[]; readonly fileOf: (id: string) => string } {
  const folder = set === 'dev' ? DATA : path.join(DATA, 'defog');
  const lines = readFileSync(path.join(folder, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return {
    lines: lines.filter(({ sqlite_ok = true }) => sqlite_ok),
    fileOf: (id) => path.join(folder, set === 'dev' ? 'databases' : 'sqlite', `${id}.sqlite`),
  };
}

function goldOf({ gold_sql, gold_sql_sqlite }: Line): string {
  const gold = gold_sql ?? gold_sql_sqlite ?? '';
  return typeof gold === 'string' ? gold : (gold[0] ?? '');
}

/** Opens one database after the other; each is closed when the next one is asked for. */
export async function* openDevelopmentSet(
  parser: SqlParser,
  set: QuestionSet = 'dev',
): AsyncIterable<DevelopmentDatabase> {
  const { lines, fileOf } = readQuestions(set);
  for (const id of new Set(lines.map(({ db_id }) => db_id))) {
    const adapter = resolveAdapter(sqlite({ file: fileOf(id) }));
    try {
      const catalog = await adapter.introspect();
      const questions: DevelopmentQuestion[] = [];
      for (const line of lines.filter(({ db_id }) => db_id === id)) {
        const sql = goldOf(line);
        const parsed = await parser.parse(sql, sqliteDialect);
        questions.push({
          id: line.id,
          databaseId: id,
          question: line.question,
          evidence: line.evidence,
          category: line.category,
          sql,
          orderMatters: line.order_matters ?? false,
          shape: parsed.ok ? parsed.shape : undefined,
        });
      }
      yield { id, adapter, catalog, index: indexSchema(catalog), questions };
    } finally {
      await adapter.close();
    }
  }
}
