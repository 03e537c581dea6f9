import type { RunIdsOptions } from '@askema/core';
import type { Store } from '../connection/store.ts';
import { IS_DEAD } from '../tables/worker-table.ts';

/** A run that this process may write to, until another one holds it with a later epoch. */
export interface HeldRun {
  readonly run: string;
  readonly epoch: string;
  readonly holder: string;
}

/**
 * Takes a run that nobody has, or only a process that is dead; else says who has it. A run that was forgotten and begun
 * anew has a later epoch than before: its number begins with the time.
 */
export function holdRun(store: Store, run: string, holder: string): Promise<HeldRun | { readonly by: string }> {
  return store.transaction(async (query) => {
    await query(
      `INSERT INTO {askema}.runs (run, epoch) VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
       ON CONFLICT (run) DO UPDATE SET run = excluded.run`,
      [run],
    );
    const [row] = await query<{ holder: string | null; lives: boolean }>(
      `SELECT holder, EXISTS (SELECT 1 FROM {askema}.workers w WHERE w.id = runs.holder AND NOT (${IS_DEAD})) AS lives
       FROM {askema}.runs WHERE run = $1 FOR UPDATE`,
      [run],
    );
    if (row?.holder != null && row.lives) return { by: row.holder };
    const [held] = await query<{ epoch: string }>(
      'UPDATE {askema}.runs SET epoch = epoch + 1, holder = $2 WHERE run = $1 RETURNING epoch',
      [run, holder],
    );
    return { run, epoch: String(held?.epoch), holder };
  });
}

/** False when the run is not held any more. Holding it and writing to it is one statement. */
export async function appendEntries(
  store: Store,
  { run, epoch, holder }: HeldRun,
  first: number,
  entries: readonly string[],
): Promise<boolean> {
  const rows = await store.query(
    `WITH held AS (SELECT run FROM {askema}.runs WHERE run = $1 AND epoch = $2 AND holder = $3 FOR UPDATE)
     INSERT INTO {askema}.entries (run, number, entry)
     SELECT held.run, $4::bigint + added.place - 1, added.entry
     FROM held, unnest($5::text[]) WITH ORDINALITY AS added (entry, place) RETURNING number`,
    [run, epoch, holder, first, entries],
  );
  return rows.length === entries.length;
}

export async function readEntries(store: Store, run: string): Promise<readonly string[]> {
  const rows = await store.query<{ entry: string }>(
    'SELECT entry FROM {askema}.entries WHERE run = $1 ORDER BY number',
    [run],
  );
  return rows.map(({ entry }) => entry);
}

/** Lets go of one run, or of all that a process has. */
export async function releaseRun(store: Store, holder: string, held?: HeldRun): Promise<void> {
  await store.query(
    `UPDATE {askema}.runs SET holder = NULL WHERE holder = $1 AND ($2::text IS NULL OR (run = $2 AND epoch = $3::bigint))`,
    [holder, held?.run ?? null, held?.epoch ?? null],
  );
}

/** Forgets a run. False when it is not held any more: then nothing is forgotten. */
export async function removeRun(store: Store, { run, epoch, holder }: HeldRun): Promise<boolean> {
  const rows = await store.query(
    `WITH held AS (DELETE FROM {askema}.runs WHERE run = $1 AND epoch = $2 AND holder = $3 RETURNING run),
       gone AS (DELETE FROM {askema}.entries USING held WHERE entries.run = held.run)
     SELECT run FROM held`,
    [run, epoch, holder],
  );
  return rows.length === 1;
}

/** The runs that have entries. Ids are compared byte by byte, which is the order of UTF-16 but for rare characters. */
export async function listRuns(
  store: Store,
  { startsWith = '', before, last }: RunIdsOptions = {},
): Promise<readonly string[]> {
  const rows = await store.query<{ run: string }>(
    `SELECT run FROM {askema}.runs
     WHERE run COLLATE "C" >= $1 AND starts_with(run, $1) AND ($2::text IS NULL OR run COLLATE "C" < $2)
       AND EXISTS (SELECT FROM {askema}.entries WHERE entries.run = runs.run)
     ORDER BY run COLLATE "C" DESC LIMIT $3`,
    [startsWith, before ?? null, last ?? null],
  );
  return rows.map(({ run }) => run);
}

/** When a process last said that it lives, as text to be compared; undefined for one that is gone. */
export async function lastSign(
  store: Store,
  id: string,
): Promise<{ readonly at: string; readonly host: string; readonly processId: number } | undefined> {
  const [row] = await store.query<{ at: string; host: string; process_id: number }>(
    'SELECT beat_at::text AS at, host, process_id FROM {askema}.workers WHERE id = $1',
    [id],
  );
  return row === undefined ? undefined : { at: row.at, host: row.host, processId: row.process_id };
}

/** Forgets processes with journals that died; their runs count as free with or without them. */
export async function dropDeadHolders(store: Store): Promise<void> {
  await store.query(`DELETE FROM {askema}.workers WHERE runner IS NULL AND ${IS_DEAD}`);
}
