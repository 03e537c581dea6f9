import { readFileSync } from 'node:fs';
import { type Adapter, resolveAdapter } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { postgres } from '@askema/postgres';
import { sqlite } from '@askema/sqlite';
import createKnex from 'knex';
import pg from 'pg';
import { scratchFile } from '../harness/scratch.ts';

/** A statement that never ends, started with a deadline, and how to see that it is gone. */
export interface Endless {
  /** Rejects when the deadline has passed. */
  readonly run: (timeoutMs: number) => Promise<unknown>;
  /** Whether the engine still works on it. */
  readonly isAlive: () => boolean | Promise<boolean>;
  readonly close: () => Promise<unknown>;
}

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n';
const HEAVY = 'SELECT COUNT(*) FROM range(100000000) AS a, range(100000000) AS b WHERE (a.range + b.range) % 7 = 9';

const endlessOf = (adapter: Adapter, sql: string, isAlive: Endless['isAlive']): Endless => ({
  run: (timeoutMs) => adapter.query(sql, { timeoutMs }),
  isAlive,
  close: () => adapter.close(),
});

export async function onSqlite(): Promise<Endless> {
  const file = await scratchFile('empty.sqlite', async (path) => {
    const { default: Database } = await import('better-sqlite3');
    new Database(path).exec('CREATE TABLE t (x)').close();
  });
  const spec = sqlite({ file });
  return endlessOf(resolveAdapter(spec), ENDLESS, () => anyWorks(spec.workerPids()));
}

export async function onDuckdb(): Promise<Endless> {
  const file = await scratchFile('rows.csv', async (path) => {
    const { writeFileSync } = await import('node:fs');
    writeFileSync(path, 'x\n1\n');
  });
  const spec = duckdb({ files: file });
  return endlessOf(resolveAdapter(spec), HEAVY, () => anyWorks(spec.workerPids()));
}

/** Processor time that each process had when it was last looked at, in ticks. */
const seen = new Map<number, number>();

/**
 * Whether one of the processes used the processor since it was last asked about. A tick is 10 ms, so asking twice
 * within it tells nothing.
 */
function anyWorks(pids: readonly number[]): boolean {
  return (
    pids.filter((pid) => {
      const ticks = ticksOf(pid);
      const before = seen.get(pid);
      seen.set(pid, ticks);
      return before !== undefined && ticks > before;
    }).length > 0
  );
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: fields 14 and 15, after the name in parentheses. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** Other connections of the server that are at work. */
async function serverWatch(
  connectionString: string,
): Promise<{ readonly isAlive: () => Promise<boolean>; readonly close: () => Promise<void> }> {
  const watcher = new pg.Client({ connectionString });
  await watcher.connect();
  return {
    isAlive: async () => {
      const text = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'WITH RECURSIVE%'`;
      return ((await watcher.query(text)).rowCount ?? 0) > 0;
    },
    close: () => watcher.end(),
  };
}

export async function onPostgres(connectionString: string): Promise<Endless> {
  const { isAlive, close } = await serverWatch(connectionString);
  const adapter = resolveAdapter(postgres({ connectionString }));
  const endless = endlessOf(adapter, ENDLESS, isAlive);
  return { ...endless, close: async () => [await endless.close(), await close()] };
}

/** knex, told to cancel the statement on the server. */
export async function knexOnPostgres(connectionString: string): Promise<Endless> {
  const { isAlive, close } = await serverWatch(connectionString);
  const db = createKnex({ client: 'pg', connection: connectionString, pool: { min: 0, max: 4 } });
  return {
    run: (timeoutMs) => db.raw(ENDLESS).timeout(timeoutMs, { cancel: true }).then(),
    isAlive,
    close: async () => [await db.destroy(), await close()],
  };
}

/** pg with `query_timeout`, which is what a program gets that sets nothing on the server. */
export async function pgQueryTimeout(connectionString: string): Promise<Endless> {
  const { isAlive, close } = await serverWatch(connectionString);
  const clients: pg.Client[] = [];
  return {
    run: async (timeoutMs) => {
      const client = new pg.Client({ connectionString, query_timeout: timeoutMs });
      clients.push(client);
      client.on('error', () => undefined);
      await client.connect();
      return client.query(ENDLESS);
    },
    isAlive,
    close: async () => {
      const admin = new pg.Client({ connectionString });
      await admin.connect();
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'WITH RECURSIVE%'`);
      await admin.end();
      await close();
    },
  };
}
