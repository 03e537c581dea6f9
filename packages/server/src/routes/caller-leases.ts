import { AskemaError, didYouMean } from '@askema/core';
import { knowsDatabase, requireScope } from '../caller/scopes.ts';
import type { Caller, Scope } from '../contract.ts';
import type { DatabaseLease, OpenDatabase } from '../databases/database-pool.ts';
import type { ServerParts } from './route.ts';

/** The databases that a caller uses, until they are given back. */
export class CallerLeases {
  readonly #parts: Pick<ServerParts, 'databases' | 'pool'>;
  readonly #caller: Caller;
  readonly #leases: DatabaseLease[] = [];

  constructor(parts: Pick<ServerParts, 'databases' | 'pool'>, caller: Caller) {
    this.#parts = parts;
    this.#caller = caller;
  }

  /** Rejects as `RouteCall.database`. */
  async open(name: string, needed: Scope | undefined): Promise<OpenDatabase> {
    const { databases, pool } = this.#parts;
    const visible = [...databases.keys()].filter((known) => knowsDatabase(this.#caller, known));
    if (!visible.includes(name)) throw notFound(name, visible);
    if (needed !== undefined) requireScope(this.#caller, needed, name);
    const lease = await pool.lease(name, this.#caller);
    this.#leases.push(lease);
    return lease.database;
  }

  release(): void {
    for (const { release } of this.#leases) release();
  }
}

/** The names of databases that the caller does not know are not told. */
function notFound(name: string, visible: readonly string[]): AskemaError {
  const message = `There is no database ${JSON.stringify(name.slice(0, 100))}. ${didYouMean(name, visible)}`;
  return new AskemaError('DATABASE_NOT_FOUND', message.trim());
}
