/** The gold statements of Spider 2.0 with the catalogs that they run against; there is no database behind them. */
import type { Catalog, Dialect } from '@askema/core';
import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { CORPORA, type Corpus, hasCorpora, readCorpus, readLines } from '../spider2/read-corpus.ts';

export const hasSpider2 = hasCorpora;

/** A statement that is right, as far as its source says. */
export interface Spider2Statement {
  readonly id: string;
  readonly question: string;
  readonly sql: string;
  readonly dialect: Dialect;
  readonly catalog: Catalog;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  sqlite: sqliteDialect,
  snowflake: snowflakeDialect,
  bigquery: bigqueryDialect,
};

interface GoldLine {
  readonly instance_id: string;
  readonly set: 'lite' | 'snow';
  readonly sql: string;
}

interface TaskLine {
  readonly instance_id: string;
  readonly set: 'lite' | 'snow';
  readonly db: string;
  readonly question: string;
}

/** Tasks name two databases otherwise than their schemas do. */
const RENAMED: Readonly<Record<string, string>> = { 'sqlite-sakila': 'SQLITE_SAKILA', 'Db-IMDB': 'DB_IMDB' };

/**
 * Corpus by corpus: all schemas together fill the memory. Statements whose task or schema is not there are left out.
 */
export function* readSpider2Gold(): Iterable<Spider2Statement> {
  const tasks = new Map(readLines<TaskLine>('tasks.jsonl').map((task) => [`${task.set}/${task.instance_id}`, task]));
  const gold = readLines<GoldLine>('gold-sql.jsonl');
  for (const corpus of CORPORA) {
    const databases = new Map(readCorpus(corpus, { withColumns: true }).map(({ db, catalog }) => [db, catalog]));
    for (const { instance_id: id, set, sql } of gold) {
      if (corpusOf(id, set) !== corpus) continue;
      const task = tasks.get(`${set}/${id}`);
      const catalog = task === undefined ? undefined : databases.get(RENAMED[task.db] ?? task.db);
      const dialect = DIALECTS[catalog?.dialect ?? ''];
      if (task === undefined || catalog === undefined || dialect === undefined) continue;
      yield { id, sql, question: task.question, dialect, catalog: { ...catalog, fingerprint: `${corpus}/${task.db}` } };
    }
  }
}

function corpusOf(id: string, set: 'lite' | 'snow'): Corpus {
  if (set === 'snow') return 'snow';
  if (id.startsWith('sf')) return 'lite-snowflake';
  return id.startsWith('local') ? 'lite-sqlite' : 'lite-bigquery';
}
