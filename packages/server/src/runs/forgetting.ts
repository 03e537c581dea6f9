import { setTimeout as delay } from 'node:timers/promises';
import { checkNumber, type Journal, type Runtime, toAskemaError } from '@askema/core';
import type { AuditLog, KeepTimes } from '../contract.ts';
import { forgetOld } from './forget-old.ts';

const HOUR_MS = 3_600_000;
/** Between two things that are looked at: requests go first. */
const PAUSE_MS = 5;

export interface Forgetting {
  readonly journal: Journal;
  readonly audit: AuditLog | undefined;
  readonly keep: KeepTimes | undefined;
  readonly runtime: Pick<Runtime, 'clock' | 'logger'>;
}

/**
 * Deletes what is too old now and every hour, until `stop` is called. It keeps no process alive.
 *
 * @throws AskemaError `CONFIG_INVALID` for a time below an hour, and for an audit log that cannot forget.
 */
export function startForgetting({ journal, audit, keep = {}, runtime }: Forgetting): { stop(): Promise<void> } {
  for (const [name, ms] of Object.entries(keep))
    if (ms !== undefined) checkNumber(`keep.${name}`, ms, HOUR_MS, Number.POSITIVE_INFINITY);
  const { runsMs, auditMs } = keep;
  if (auditMs !== undefined && audit?.forget === undefined)
    throw invalidOption(
      "`keep.auditMs` needs an audit log that can forget: `fileAudit({ file, rotate: 'month' })`. Else leave it out.",
    );
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = async (ms: number): Promise<boolean> => {
    await delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
    return !signal.aborted;
  };
  const warn = (thrown: unknown): void =>
    runtime.logger.warn('What is old cannot be deleted', { error: toAskemaError(thrown).toJSON() });
  const steps = { pause: () => pause(PAUSE_MS), unreadable: warn };
  const run = async (): Promise<void> => {
    do {
      const now = runtime.clock.now();
      if (auditMs !== undefined) await audit?.forget?.(new Date(now - auditMs)).catch(warn);
      if (runsMs !== undefined) await forgetOld(journal, now - runsMs, steps).catch(warn);
    } while (await pause(HOUR_MS));
  };
  const running = runsMs === undefined && auditMs === undefined ? undefined : run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
