/** The questions of text2sql-dev with their gold statements and shapes, database by database. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Adapter,
  type Catalog,
  indexSchema,
  type QueryShape,
  resolveAdapter,
  type SchemaIndex,
  type SqlParser,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { sqlite } from '../../adapters/sqlite/src/index.ts';

const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);

/** True where the data is there. */
export const hasDevelopmentSet = (): boolean => existsSync(path.join(DATA, 'questions.jsonl'));

/** One question with the statement that answers it. */
export interface DevelopmentQuestion {
  readonly id: string;
  readonly databaseId: string;
  readonly question: string;
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

interface Line {
  readonly id: string;
  readonly db_id: string;
  readonly question: string;
  readonly category: string;
  readonly gold_sql: string | readonly string[];
  readonly order_matters: boolean;
}

/** Opens one database after the other; each is closed when the next one is asked for. */
export async function* openDevelopmentSet(parser: SqlParser): AsyncIterable<DevelopmentDatabase> {
  const lines = readFileSync(path.join(DATA, 'questions.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  for (const id of new Set(lines.map(({ db_id }) => db_id))) {
    const adapter = resolveAdapter(sqlite({ file: path.join(DATA, 'databases', `${id}.sqlite`) }));
    try {
      const catalog = await adapter.introspect();
      const questions: DevelopmentQuestion[] = [];
      for (const line of lines.filter(({ db_id }) => db_id === id)) {
        const sql = typeof line.gold_sql === 'string' ? line.gold_sql : (line.gold_sql[0] ?? '');
        const parsed = await parser.parse(sql, sqliteDialect);
        questions.push({
          id: line.id,
          databaseId: id,
          question: line.question,
          category: line.category,
          sql,
          orderMatters: line.order_matters,
          shape: parsed.ok ? parsed.shape : undefined,
        });
      }
      yield { id, adapter, catalog, index: indexSchema(catalog), questions };
    } finally {
      await adapter.close();
    }
  }
}
