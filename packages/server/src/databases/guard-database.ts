import { type Adapter, resolveAdapter } from '@askema/core';
import { restrict } from '@askema/lint';
import type { SqlParser } from '@askema/sql';
import { type AuditWho, auditWatch, isRefusal } from '../audit/audited.ts';
import type { AuditLog, Caller, OpenServed, ServedDatabase } from '../contract.ts';
import type { Limiter } from '../limits/limiter.ts';
import { currentRequest } from '../statements/current-request.ts';
import { type Watch, type Work, watchStatements } from '../statements/watch-statements.ts';
import { scoped } from './scoped.ts';

/** What callers must share to share a database that is open. */
export type DatabaseView = Pick<Caller, 'tenant' | 'role' | 'hide' | 'mask'>;

export interface GuardOptions {
  readonly name: string;
  /** Tells one opened database from all others. */
  readonly key: string;
  readonly served: Pick<ServedDatabase, 'opensRole'>;
  readonly audit: AuditLog | undefined;
  readonly limiter: Limiter;
  /** Whoever made it closes it. */
  readonly parser: SqlParser;
}

/**
 * The adapter as callers of one view may use it. From below: in their role; each statement in the audit; without what is
 * hidden and masked; within the limits of who asks.
 */
export function guardDatabase(opened: OpenServed, view: DatabaseView, options: GuardOptions): Adapter {
  const { audit, name, served } = options;
  const inner = resolveAdapter(opened.adapter);
  const inRole = scoped(inner, { tenant: view.tenant, role: served.opensRole === true ? undefined : view.role });
  const who = (): AuditWho => whoAsks(name, view);
  const written = new WeakSet<object>();
  const auditing = audit && remembering(auditWatch(audit, who, inner.dialect), written);
  const sent = watchStatements(withKey(inRole, options.key), auditing ?? (async () => async () => undefined));
  const shown = restrictTo(sent, view, options.parser);
  const refusals = audit && auditWatch(audit, who, inner.dialect);
  return watchStatements(shown, limiting(shown, options.limiter, refusals, written));
}

function restrictTo(adapter: Adapter, { hide = [], mask = [] }: DatabaseView, parser: SqlParser): Adapter {
  return hide.length + mask.length === 0 ? adapter : restrict(adapter, { hide, mask, parser });
}

/** Nothing that was kept on disk for one view is for another. */
function withKey(adapter: Adapter, key: string): Adapter {
  const { stamps } = adapter;
  if (stamps === undefined) return adapter;
  const identity: typeof stamps.identity = async (options) => JSON.stringify([await stamps.identity(options), key]);
  return { ...adapter, stamps: { ...stamps, identity } };
}

function whoAsks(database: string, { tenant, role }: DatabaseView): AuditWho {
  const request = currentRequest();
  return {
    requestId: request?.requestId ?? 'none',
    subject: request?.caller.subject ?? 'server',
    tenant,
    role,
    database,
    route: request?.route ?? 'server',
    question: request?.question,
  };
}

/** Keeps the errors that stand in the audit. */
function remembering(watch: Watch, written: WeakSet<object>): Watch {
  return async (work) => {
    const end = await watch(work);
    return async (ended) => {
      if (typeof ended.error === 'object' && ended.error !== null) written.add(ended.error);
      await end(ended);
    };
  };
}

/** Counts for who asks, and writes down what was refused before anything was sent. */
function limiting(adapter: Adapter, limiter: Limiter, refusals: Watch | undefined, written: WeakSet<object>): Watch {
  const refused = async (work: Work, error: unknown): Promise<void> => {
    if (refusals === undefined || !isRefusal(error) || written.has(error as object)) return;
    const end = await refusals(work);
    await end({ error, rows: 0 });
  };
  return async (work) => {
    const request = currentRequest();
    const isCounted = request !== undefined && (work.kind === 'statement' || work.kind === 'plan');
    if (!isCounted) return ({ error }) => refused(work, error);
    const { caller } = request;
    limiter.large.asked(caller);
    try {
      const usage = limiter.of(caller);
      const estimated = usage.countsBytes && work.kind === 'statement' ? await estimateOf(adapter, work) : 0;
      const held = await usage.beginStatement(estimated, work.context.signal, work.timeoutMs);
      return async ({ error, bytes }) => {
        // What was stopped or failed on the way has scanned: only the engine knows how much. What was refused has not.
        held.settle(isRefusal(error) ? (bytes ?? 0) : bytes);
        await refused(work, error);
      };
    } catch (thrown) {
      await refused(work, thrown);
      throw thrown;
    }
  };
}

/** What the engine says that it would scan, where it does. */
async function estimateOf(adapter: Adapter, { sql = '', context }: Work): Promise<number> {
  const plan = await adapter.planner.check(sql, { timeoutMs: PLAN_MS, context });
  return plan.estimatedBytes ?? 0;
}

const PLAN_MS = 10_000;
