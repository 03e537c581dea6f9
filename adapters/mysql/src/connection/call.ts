import {
  createServerDatabase,
  type OpenCall,
  type ServerDatabase,
  type SessionCall,
  serverDeadlineMs,
} from '@askema/adapter-kit';
import { type Access, type CallLimitsOptions, quoteIdentifier } from '@askema/core';
import { complaintOf } from '../errors/statement-failure.ts';
import type { ResolvedOptions } from '../options.ts';
import { createRoutineLook, type RoutineLook, unopened } from '../reading/user-routines.ts';
import { Session } from './session.ts';

/** What all parts of one adapter work on. A scoped adapter has another `role` and `namespace`, and the rest in common. */
export interface Database extends ServerDatabase<Session, ResolvedOptions> {
  readonly routines: RoutineLook;
  readonly role?: string | undefined;
  /** The database in which names without one are looked for. */
  readonly namespace?: string | undefined;
}

/** As many names as a hint needs at most. */
const MAX_NAMES = 50_000;

export function createDatabase(options: ResolvedOptions): Database {
  const { dialect, allowFunctions } = options;
  const routines = createRoutineLook(dialect, allowFunctions);
  const database = createServerDatabase<Session, ResolvedOptions>(options, {
    dialect,
    connect: Session.connect,
    complaintOf: (thrown, sql) => complaintOf(thrown, sql, dialect),
    readNames: async (session) => {
      const opened = unopened(await routines(session), dialect);
      const rows = await session.query(`SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()
        UNION SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND ${opened}
        UNION SELECT ROUTINE_NAME FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() LIMIT ${MAX_NAMES}`);
      return rows.map(([known]) => String(known));
    },
  });
  return { ...database, routines };
}

export interface TransactionOptions extends CallLimitsOptions {
  /** Default: `read`. */
  readonly access?: Access | undefined;
  /** The server itself ends a query after so many rows, where it has no LIMIT. */
  readonly maxRows?: number | undefined;
}

/** A transaction that is open. */
export type Transaction = OpenCall<Session, void>;

/** How a call runs in a transaction of its own. */
export function transactionCall(
  { role, namespace, options, explain }: Database,
  { access = 'read', maxRows, ...limitsOptions }: TransactionOptions,
): SessionCall<Session, void> {
  const quote = (name: string) => quoteIdentifier(name, options.dialect);
  const isChanged = access === 'write' || role !== undefined || namespace !== undefined;
  return {
    ...limitsOptions,
    async begin(session, limits) {
      const { settings, server } = session;
      const timeoutMs = serverDeadlineMs(limits);
      const limit = server.isMariadb
        ? `tx_read_only = ${access === 'read'}, max_statement_time = ${timeoutMs / 1_000}`
        : `transaction_read_only = ${access === 'read'}, max_execution_time = ${timeoutMs}`;
      await session.query(`SET ${settings}, ${limit}, sql_select_limit = ${maxRows ?? 'DEFAULT'}`);
      if (role !== undefined) await session.query(`SET ROLE ${quote(role)}`);
      if (namespace !== undefined) await session.query(`USE ${quote(namespace)}`);
      await session.query(`START TRANSACTION READ ${access === 'write' ? 'WRITE' : 'ONLY'}`);
    },
    rest: (session) => session.rest(isChanged),
    explain: explain(limitsOptions),
  };
}
