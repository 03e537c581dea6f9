import { createHash } from 'node:crypto';
import { AskemaError, encodeValue, type Jobs, otherInputError, unknownJobError } from '@askema/core';
import type { WorkflowStatus } from '@dbos-inc/dbos-sdk';
import { connectionError } from '../connection/connection-error.ts';
import type { Store } from '../connection/store.ts';
import { hasWorker } from '../tables/worker-table.ts';
import { applicationVersion, type DbosHost, JOB_WORKFLOW } from './dbos-host.ts';

export interface EnqueueTarget {
  readonly store: Store;
  readonly host: DbosHost;
  /** Of the runner. */
  readonly name: string;
  readonly version: string;
  readonly jobs: Jobs;
}

/**
 * The workflow of a job with this input: the one that is done, queued or running, else a new one. A workflow that
 * failed or was cancelled is left as it is, and the next attempt is one of its own, so that two processes that try
 * again at the same time get the same one.
 *
 * @throws AskemaError `INPUT_INVALID` for an unknown job, an input that is not plain data, or an id that is running
 * with another input; `CONFIG_INVALID` when the job waits for a version of the code that nobody runs.
 */
export async function enqueueJob(target: EnqueueTarget, job: string, input: unknown, id: string): Promise<string> {
  const { jobs, name, host, version } = target;
  if (!Object.hasOwn(jobs, job)) throw unknownJobError(job, Object.keys(jobs));
  const encoded = JSON.stringify(encodeValue(input));
  const hash = createHash('sha256').update(`${job} ${encoded}`).digest('hex').slice(0, 24);
  for (let attempt = 1; ; attempt += 1) {
    const workflowId = `${name}/${id}~${hash}#${attempt}`;
    const known = await find(target, workflowId);
    if (known === undefined) {
      const options = {
        workflowName: JOB_WORKFLOW,
        workflowID: workflowId,
        queueName: host.queueName,
        appVersion: applicationVersion(name, version),
        deduplicationID: id,
      };
      try {
        await host.dbos.enqueueWorkflowWithOptions(options, job, id, encoded);
        return workflowId;
      } catch (thrown) {
        // Another process was faster with this very workflow.
        if ((await find(target, workflowId)) !== undefined) attempt -= 1;
        else if (isDuplicate(thrown)) throw otherInputError(id);
        else throw connectionError(thrown, `Queueing job \`${id}\``, target.store.connection);
      }
    } else if (known.status === 'SUCCESS') return workflowId;
    else if (OPEN.has(known.status)) {
      await throwIfNobodyDoes(target, known, id);
      return workflowId;
    }
  }
}

const OPEN: ReadonlySet<string> = new Set(['ENQUEUED', 'PENDING', 'DELAYED']);

async function find({ host, store }: EnqueueTarget, workflowId: string): Promise<WorkflowStatus | undefined> {
  try {
    const [known] = await host.dbos.listWorkflows({ workflowIDs: [workflowId], loadInput: false, loadOutput: false });
    return known;
  } catch (thrown) {
    throw connectionError(thrown, 'The queue', store.connection);
  }
}

/** DBOS's code for a deduplication id that another workflow of the queue has. */
function isDuplicate(thrown: unknown): boolean {
  return thrown instanceof Error && /duplicat/i.test(`${thrown.constructor.name} ${thrown.message}`);
}

async function throwIfNobodyDoes(target: EnqueueTarget, known: WorkflowStatus, id: string): Promise<void> {
  const prefix = applicationVersion(target.name, '');
  const other = known.applicationVersion?.slice(prefix.length);
  if (other === undefined || other === target.version) return;
  if (await hasWorker(target.store, target.name, other)) return;
  throw new AskemaError(
    'CONFIG_INVALID',
    `Job \`${id}\` was queued by version \`${other}\` of the code, this process has \`${target.version}\`, and no process of the other version lives. Start one (\`version\`), or cancel the job and enqueue it again.`,
  );
}
