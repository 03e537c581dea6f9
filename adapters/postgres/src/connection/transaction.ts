import { type OpenCall, type SessionCall, serverDeadlineMs } from '@askema/adapter-kit';
import type { Access, CallLimitsOptions } from '@askema/core';
import type { Suspects } from '../functions/suspects.ts';
import type { Database } from './database.ts';
import type { Session } from './session.ts';

export interface TransactionOptions extends CallLimitsOptions {
  /** Default: `read`. */
  readonly access?: Access | undefined;
  /** All statements see the database of one moment. */
  readonly snapshot?: boolean | undefined;
}

/** What a transaction that only reads knows of the functions that it may not call. */
export interface Reading {
  readonly suspects: () => Promise<Suspects>;
  /** Another one as soon as a transaction of the server was committed; undefined where nobody asked. */
  readonly snapshot: string | undefined;
  /** The schemas in which names without one are found. */
  readonly path: ReadonlySet<string>;
}

/** A transaction that is open. */
export type Transaction = OpenCall<Session, Reading>;

/** How a call runs in a transaction of its own. */
export function transactionCall(
  database: Database,
  { access = 'read', snapshot, ...limitsOptions }: TransactionOptions,
): SessionCall<Session, Reading> {
  const { role, searchPath, explain, watch } = database;
  return {
    ...limitsOptions,
    async begin(session, limits) {
      const columns = access === 'read' ? watch.columns() : [];
      const timeoutMs = serverDeadlineMs(limits);
      const [path, ...cells] = await session.begin({ access, timeoutMs, snapshot, role, searchPath, columns });
      const suspects = () => limits.race(watch.read(session, cells));
      return { suspects, snapshot: cells[0] ?? undefined, path: new Set(JSON.parse(path ?? '[]') as string[]) };
    },
    rest: (session) => session.rest(access),
    explain: explain(limitsOptions),
  };
}
