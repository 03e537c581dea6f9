import { hostname } from 'node:os';
import type { Store } from '../connection/store.ts';

/** One process that takes part: in a runner, or only with journals. */
export interface Worker {
  readonly id: string;
  /** The name of its runner; null for journals alone. */
  readonly runner: string | null;
  readonly version: string | null;
  /** Jobs that it does at once. */
  readonly slots: number;
  readonly deadAfterMs: number;
}

/** Writes the worker down, with its first sign of life. */
export async function registerWorker(store: Store, worker: Worker): Promise<void> {
  await store.query(
    `INSERT INTO {askema}.workers (id, runner, version, slots, dead_after_ms, host, process_id) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET beat_at = clock_timestamp()`,
    [worker.id, worker.runner, worker.version, worker.slots, worker.deadAfterMs, hostname(), process.pid],
  );
}

/** Says that the worker lives. False when others had counted it as dead meanwhile. */
export async function beat(store: Store, id: string): Promise<boolean> {
  const rows = await store.query('UPDATE {askema}.workers SET beat_at = clock_timestamp() WHERE id = $1 RETURNING id', [
    id,
  ]);
  return rows.length > 0;
}

/** Takes the worker out of the table: it ended in good order. */
export async function removeWorker(store: Store, id: string): Promise<void> {
  await store.query('DELETE FROM {askema}.workers WHERE id = $1', [id]);
}

/** A condition on {askema}.workers: the process has not said for its own time that it lives. */
export const IS_DEAD = `beat_at < clock_timestamp() - dead_after_ms * interval '1 millisecond'`;

/** Whether a process of this version lives that does jobs of this runner. */
export async function hasWorker(store: Store, runner: string, version: string): Promise<boolean> {
  const rows = await store.query(
    `SELECT id FROM {askema}.workers WHERE runner = $1 AND version = $2 AND slots > 0 AND NOT (${IS_DEAD}) LIMIT 1`,
    [runner, version],
  );
  return rows.length > 0;
}
