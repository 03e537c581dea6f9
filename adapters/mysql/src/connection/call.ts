import {
  createSessionPool,
  type KnownNames,
  type OpenCall,
  rememberNames,
  type SessionCall,
  type SessionPool,
} from '@askema/adapter-kit';
import { type Access, AskemaError, type CallLimitsOptions, quoteIdentifier } from '@askema/core';
import { statementFailure } from '../errors/statement-failure.ts';
import type { ResolvedOptions } from '../options.ts';
import { createRoutineLook, type RoutineLook } from '../reading/user-routines.ts';
import { Session } from './session.ts';

/** What all parts of one adapter work on. A scoped adapter has another `role` and `namespace`, and the rest in common. */
export interface Database {
  readonly options: ResolvedOptions;
  readonly pool: SessionPool<Session>;
  readonly knownNames: KnownNames;
  readonly routines: RoutineLook;
  readonly role?: string | undefined;
  /** The database in which names without one are looked for. */
  readonly namespace?: string | undefined;
}

export function createDatabase(options: ResolvedOptions): Database {
  const { name, poolSize: size, idleTimeoutMs } = options;
  const pool = createSessionPool({ name, size, idleTimeoutMs, connect: () => Session.connect(options) });
  return { options, pool, knownNames: rememberNames(), routines: createRoutineLook(options.dialect) };
}

export interface TransactionOptions extends CallLimitsOptions {
  /** Default: `read`. */
  readonly access?: Access | undefined;
  /** The server itself ends a query after so many rows, where it has no LIMIT. */
  readonly maxRows?: number | undefined;
}

/** A transaction that is open. */
export type Transaction = OpenCall<Session, void>;

/** What is added to the deadline on the server, so that the own one comes first. */
const SERVER_GRACE_MS = 250;

/** The longest that a setting of the server can be. */
const MAX_SETTING_MS = 2 ** 31;

/** As many names as a hint needs at most. */
const MAX_NAMES = 50_000;

const NAMES = `SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
  UNION SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()
  UNION SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() LIMIT ${MAX_NAMES}`;

/** How a call runs in a transaction of its own. */
export function transactionCall(
  { role, namespace, options, knownNames }: Database,
  { access = 'read', maxRows, ...limitsOptions }: TransactionOptions,
): SessionCall<Session, void> {
  const quote = (name: string) => quoteIdentifier(name, options.dialect);
  // What is read leaves no more behind than variables of the user.
  const isChanged = access === 'write' || role !== undefined || namespace !== undefined;
  return {
    ...limitsOptions,
    async begin(session, limits) {
      // The own deadline comes first; this one is for a server that did not hear of it.
      const timeoutMs = Math.min(Math.max(1, limits.remainingMs()) + SERVER_GRACE_MS, MAX_SETTING_MS);
      const limit = session.server.isMariadb
        ? `max_statement_time = ${timeoutMs / 1_000}`
        : `max_execution_time = ${Math.ceil(timeoutMs)}`;
      await session.query(`SET SESSION ${limit}, sql_select_limit = ${maxRows ?? 'DEFAULT'}`);
      if (role !== undefined) await session.query(`SET ROLE ${quote(role)}`);
      if (namespace !== undefined) await session.query(`USE ${quote(namespace)}`);
      if (access === 'write') await session.query('SET SESSION TRANSACTION READ WRITE');
      await session.query(`START TRANSACTION READ ${access === 'write' ? 'WRITE' : 'ONLY'}`);
    },
    rest: (session) => session.rest(isChanged || (limitsOptions.sql ?? '').includes('@')),
    async explain(thrown, open) {
      const readNames = async ({ session, limits }: Transaction): Promise<readonly string[]> =>
        (await limits.race(session.query(NAMES))).map(([name]) => String(name));
      const names = open && (() => knownNames(() => readNames(open)));
      const error = await statementFailure(thrown, limitsOptions, options, names);
      if (open !== undefined || error.code !== 'QUERY_FAILED') return error;
      const message = `The transaction could not be opened: ${error.message}`;
      return new AskemaError('CONFIG_INVALID', message, { cause: thrown });
    },
  };
}
