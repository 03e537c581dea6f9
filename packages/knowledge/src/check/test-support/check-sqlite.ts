import {
  type AdapterSpec,
  AskemaError,
  buildCatalog,
  type Catalog,
  type ResultEvent,
  type Row,
  resolveAdapter,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import Database from 'better-sqlite3';
import type { Knowledge } from '../../model/knowledge.ts';
import { checkKnowledge } from '../check-knowledge.ts';
import type { CheckKnowledgeOptions, KnowledgeCheck } from '../knowledge-check.ts';

/**
 * For tests: knowledge held against a database in memory that a script makes, or against a file, which is opened to
 * read. In this process, so that a test takes milliseconds.
 */
export async function checkSqlite(
  knowledge: Knowledge,
  source: { readonly script: string } | { readonly file: string },
  options: Partial<CheckKnowledgeOptions> & { readonly failure?: (sql: string) => AskemaError | undefined } = {},
): Promise<KnowledgeCheck> {
  const database = 'file' in source ? new Database(source.file, { readonly: true }) : new Database(':memory:');
  if ('script' in source) database.exec(source.script);
  const adapter = resolveAdapter(sqliteSpec(database, options.failure));
  try {
    return await checkKnowledge({ knowledge, adapter, now: () => 0, by: 'test', ...options });
  } finally {
    await adapter.close();
  }
}

/** `metric:revenue code`, in the order in which they were found. */
export function codesOf({ findings }: Pick<KnowledgeCheck, 'findings'>): readonly string[] {
  return findings.map(({ code, entry, place }) => `${entry ?? place.file} ${code}`);
}

/** An adapter of a database in this process. */
export function sqliteSpec(
  database: Database.Database,
  failure?: (sql: string) => AskemaError | undefined,
): AdapterSpec {
  return {
    contract: 1,
    dialect: sqliteDialect,
    name: 'test',
    access: 'read',
    executor: {
      async *execute(sql, { maxRows }): AsyncIterable<ResultEvent> {
        const failed = failure?.(sql);
        if (failed !== undefined) throw failed;
        yield* resultOf(database, sql, maxRows);
      },
    },
    introspector: { introspect: async () => catalogOf(database) },
    close: async () => {
      database.close();
    },
  };
}

function* resultOf(database: Database.Database, sql: string, maxRows: number): Iterable<ResultEvent> {
  try {
    const statement = database.prepare(sql);
    if (!statement.readonly) throw new AskemaError('QUERY_NOT_READ_ONLY', `It writes: ${sql}`);
    const names = statement.columns().map(({ name }) => name);
    const rows = statement.raw().all() as Row[];
    yield { type: 'columns', columns: names.map((name) => ({ name, nativeType: '', type: 'NUMERIC' })) };
    yield { type: 'rows', rows: rows.slice(0, maxRows) };
    yield rows.length > maxRows ? { type: 'end', truncated: 'rows' } : { type: 'end' };
  } catch (thrown) {
    if (thrown instanceof AskemaError) throw thrown;
    throw new AskemaError('QUERY_FAILED', (thrown as Error).message, { cause: thrown });
  }
}

function catalogOf(database: Database.Database): Catalog {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  return buildCatalog({
    dialect: sqliteDialect,
    name: 'test',
    relations: names.map((relation) => {
      const columns = database.prepare('SELECT name, type, pk FROM pragma_table_info(?)').all(relation) as {
        readonly name: string;
        readonly type: string;
        readonly pk: number;
      }[];
      const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
      return {
        nameParts: { relation },
        kind: 'table',
        attributes: columns.map(({ name, type }) => ({ name, nativeType: type })),
        ...(key.length > 0 && { primaryKey: key }),
      };
    }),
  });
}
