import { AskemaError, type CallLimits } from '@askema/core';
import { statementFailure } from '../errors/statement-failure.ts';
import type { PortalQuery } from './portal-query.ts';
import type { Session, TransactionSettings } from './session.ts';
import type { SessionPool } from './session-pool.ts';
import type { WireRow } from './wire.ts';

/** What is added to the deadline on the server, so that the own one comes first. */
const SERVER_GRACE_MS = 250;

/** The longest that a setting of the server can be. */
const MAX_SETTING_MS = 2 ** 31 - 1 - 60_000;

/** A transaction of one call, on a session of its own. */
export interface Transaction {
  readonly session: Session;
  /** What the query of the request gave. */
  readonly rows: readonly WireRow[];
  /** The running portal, so that it is closed with the transaction. */
  portal: PortalQuery | undefined;
  /** Keeps what was changed. Rejects with the server's complaint (deferred constraints). */
  commit(): Promise<void>;
  /** Rolls back whatever was not committed, and gives the session back. Never rejects. */
  close(): Promise<void>;
}

/** How a transaction is opened, without what the limits say. */
export type TransactionRequest = Omit<TransactionSettings, 'timeoutMs'>;

/**
 * Begins a transaction on a session of the pool. When the limits are over, the server is told to stop. A session that
 * has been lying idle may have been ended by the server meanwhile: then a new one is opened.
 */
export async function openTransaction(
  pool: SessionPool,
  request: TransactionRequest,
  limits: CallLimits,
): Promise<Transaction> {
  for (let fresh = false; ; fresh = true) {
    const { session, reused } = await pool.acquire(limits, fresh);
    let isOurs = true;
    // Later the session may work for another call, whose limits are not these.
    const giveBack = async (): Promise<void> => {
      await restSession(session, request.access);
      isOurs = false;
      await pool.release(session);
    };
    limits.onOver(() => {
      if (isOurs) void session.stop();
    });
    const remaining = limits.remainingMs();
    const timeoutMs = Math.min(MAX_SETTING_MS, Math.max(1, Math.ceil(remaining) + SERVER_GRACE_MS));
    try {
      const rows = await limits.race(session.begin({ ...request, timeoutMs }));
      return createTransaction(session, rows, giveBack);
    } catch (thrown) {
      await giveBack();
      if (reused && session.gone && limits.error() === undefined) continue;
      throw beginError(thrown, pool, limits);
    }
  }
}

function beginError(thrown: unknown, pool: SessionPool, limits: CallLimits): AskemaError {
  const error = statementFailure(thrown, { sql: '', pool, limits, timeoutMs: 0 });
  if (error.code !== 'QUERY_FAILED') return error;
  return new AskemaError('CONFIG_INVALID', `The transaction could not be opened: ${error.message}`, { cause: thrown });
}

function createTransaction(session: Session, rows: readonly WireRow[], giveBack: () => Promise<void>): Transaction {
  let closing: Promise<void> | undefined;
  const transaction: Transaction = {
    session,
    rows,
    portal: undefined,
    commit: () => session.commit(),
    close: () => {
      closing ??= (async () => {
        const { portal } = transaction;
        if (portal !== undefined && !session.gone) await session.settle(portal.close());
        await giveBack();
      })();
      return closing;
    },
  };
  return transaction;
}

/**
 * Brings a session to rest: what runs has ended, and nothing is left of the call. One that was stopped is thrown away
 * instead.
 */
async function restSession(session: Session, access: TransactionRequest['access']): Promise<void> {
  session.maxMessageBytes = Number.POSITIVE_INFINITY;
  if (!session.gone) await session.settle();
  if (session.usable) {
    const clean = session.rollback();
    await session.settle(access === 'write' ? clean.then(() => session.discardAll()) : clean);
  }
}
