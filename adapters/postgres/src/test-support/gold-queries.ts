import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Adapter, type CatalogGap, resolveAdapter } from '@askema/core';
import type pg from 'pg';
import { postgres } from '../postgres.ts';
import { createDatabase, dropDatabase, type ServerParts, withClient } from './load-fixture.ts';
import { differenceOf } from './same-cells.ts';

/** What the gold queries of one database gave through the adapter and through the plain driver. */
export interface GoldReport {
  readonly database: string;
  readonly relations: number;
  readonly attributes: number;
  readonly incomplete: readonly CatalogGap[];
  /** Questions all of whose queries gave the same. */
  readonly same: number;
  readonly questions: number;
  readonly queries: number;
  readonly differences: readonly { readonly id: string; readonly sql: string; readonly why: string }[];
}

interface GoldQuestion {
  readonly id: string;
  readonly db_id: string;
  readonly gold_sql_postgres?: string | readonly string[] | undefined;
}

/**
 * The databases of the folder `text2sql-dev`: eleven of defog, and `superhero`, whose tables stand in a schema of that
 * name.
 */
export function goldQuestions(folder: string): ReadonlyMap<string, readonly GoldQuestion[]> {
  const byDatabase = new Map<string, GoldQuestion[]>();
  for (const file of ['defog/questions.jsonl', 'questions.jsonl'])
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
      if (line.trim() === '') continue;
      const question = JSON.parse(line) as GoldQuestion;
      if (question.gold_sql_postgres === undefined) continue;
      byDatabase.set(question.db_id, [...(byDatabase.get(question.db_id) ?? []), question]);
    }
  return byDatabase;
}

/** Loads a database into the server, reads its catalog, and runs each gold query both ways. */
export async function compareGold(
  server: ServerParts,
  folder: string,
  database: string,
  questions: readonly GoldQuestion[],
): Promise<GoldReport> {
  const isSuperhero = database === 'superhero';
  const script = readFileSync(join(folder, isSuperhero ? 'postgres' : 'defog/postgres', `${database}.sql`), 'utf8');
  const parts = await createDatabase(server, database);
  const searchPath = isSuperhero ? ['superhero'] : undefined;
  const { host, port, user, password } = parts;
  const adapter = resolveAdapter(postgres({ host, port, user, password, database: parts.database, searchPath }));
  try {
    return await withClient(parts, async (client) => {
      await client.query(script);
      await client.query(`SET search_path TO ${isSuperhero ? 'superhero' : 'public'}`);
      const { schema, incomplete } = await adapter.introspect();
      const differences: { id: string; sql: string; why: string }[] = [];
      let queries = 0;
      for (const { id, gold_sql_postgres: gold = [] } of questions)
        for (const sql of typeof gold === 'string' ? [gold] : gold) {
          queries += 1;
          const why = await compareQuery(adapter, client, sql);
          if (why !== undefined) differences.push({ id, sql, why });
        }
      const failed = new Set(differences.map(({ id }) => id));
      return {
        database,
        relations: schema.relations.length,
        attributes: schema.attributes.length,
        incomplete,
        same: questions.length - failed.size,
        questions: questions.length,
        queries,
        differences,
      };
    });
  } finally {
    await adapter.close();
    await dropDatabase(parts);
  }
}

async function compareQuery(adapter: Adapter, client: pg.Client, sql: string): Promise<string | undefined> {
  const theirs = await client.query({ text: sql, rowMode: 'array' }).then(
    ({ rows }) => rows as unknown as unknown[][],
    (error: Error) => error,
  );
  const ours = await adapter.query(sql, { maxRows: 1_000_000 }).then(
    ({ rows }) => rows,
    (error: Error) => error,
  );
  if (ours instanceof Error || theirs instanceof Error)
    return ours instanceof Error && theirs instanceof Error
      ? undefined
      : `adapter: ${ours instanceof Error ? ours.message : 'rows'}; driver: ${theirs instanceof Error ? theirs.message : 'rows'}`;
  return differenceOf(ours, theirs);
}
