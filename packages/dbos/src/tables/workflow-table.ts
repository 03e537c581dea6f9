import type { Store } from '../connection/store.ts';
import { IS_DEAD } from './worker-table.ts';

/**
 * What is read and written in DBOS's own table beside its API: giving the jobs of a process to others, for which its
 * API (5.3) has nothing that another process could call. The statements are those by which it recovers its own jobs
 * (`reenqueueWorkflowsForRecovery`): back into the queue, without an owner, so that the claim of the next process is as
 * exclusive as any, and what the former owner still comes up with is refused by `owner_xid`.
 */
const GIVE_BACK = `
  status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL,
  updated_at = (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Queues again what dead processes of this runner had begun; how many jobs that were. In one statement, so that of
 * several processes that do this at once each finds other jobs. Also what a process had begun that has not registered
 * (again).
 */
export async function takeOverDead(store: Store, runner: string, deadAfterMs: number): Promise<number> {
  const rows = await store.query(
    `WITH dead AS (DELETE FROM {askema}.workers WHERE runner = $1 AND ${IS_DEAD} RETURNING id)
     UPDATE {dbos}.workflow_status job SET ${GIVE_BACK}
     WHERE status = 'PENDING' AND application_name = $1 AND (
       executor_id IN (SELECT id FROM dead)
       OR (started_at_epoch_ms < EXTRACT(EPOCH FROM clock_timestamp()) * 1000 - $2
           AND NOT EXISTS (SELECT 1 FROM {askema}.workers WHERE id = job.executor_id)))
     RETURNING workflow_uuid`,
    [runner, deadAfterMs],
  );
  return rows.length;
}

/** Queues again what this process had begun, as if it never had. */
export async function giveBack(store: Store, runner: string, executorId: string): Promise<void> {
  await store.query(
    `UPDATE {dbos}.workflow_status SET ${GIVE_BACK}, recovery_attempts = GREATEST(recovery_attempts - 1, 0)
     WHERE status = 'PENDING' AND application_name = $1 AND executor_id = $2`,
    [runner, executorId],
  );
}

/** Those of the workflows that this process is no longer to do: cancelled, or given to another. */
export async function lostWorkflows(
  store: Store,
  executorId: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly cancelled: boolean }[]> {
  const rows = await store.query<{ id: string; status: string }>(
    `SELECT workflow_uuid AS id, status FROM {dbos}.workflow_status
     WHERE workflow_uuid = ANY($1) AND NOT (status = 'PENDING' AND executor_id = $2)`,
    [ids, executorId],
  );
  return rows.map(({ id, status }) => ({ id, cancelled: status === 'CANCELLED' }));
}

/**
 * The workflow of a job that is queued or running: one at most, because the id of the job is the deduplication id of
 * its workflow.
 */
export async function openWorkflow(store: Store, queue: string, job: string): Promise<string | undefined> {
  const [row] = await store.query<{ id: string }>(
    'SELECT workflow_uuid AS id FROM {dbos}.workflow_status WHERE queue_name = $1 AND deduplication_id = $2',
    [queue, job],
  );
  return row?.id;
}
