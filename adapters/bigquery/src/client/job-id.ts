import { createHash } from 'node:crypto';

/** What makes two calls the same one. */
export interface JobIdentity {
  readonly idempotencyKey: string;
  readonly sql: string;
  /** As they are sent. */
  readonly parameters: unknown;
  /** Dataset, ceiling, location, access: whatever else changes what the job does. */
  readonly settings: unknown;
  /** 1 for the first; another one when the job of the one before was stopped or failed for a reason that may pass. */
  readonly attempt: number;
}

/**
 * The id of a job, the same for the same call: a call that is repeated after a crash finds the job that it started, and pays once
 * (https://cloud.google.com/bigquery/docs/running-jobs#generate-jobid).
 */
export function jobIdOf({ idempotencyKey, sql, parameters, settings, attempt }: JobIdentity): string {
  const identity = JSON.stringify([idempotencyKey, sql, parameters ?? null, settings]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 48);
  return attempt === 1 ? `askema_${hash}` : `askema_${hash}_${attempt}`;
}
