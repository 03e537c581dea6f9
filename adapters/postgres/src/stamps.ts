import { createHash } from 'node:crypto';
import { runCall } from '@askema/adapter-kit';
import type { CatalogStamps, StampOptions } from '@askema/core';
import { DATA, IDENTITY, STRUCTURE } from './catalog/structure-query.ts';
import type { Database } from './connection/database.ts';
import { transactionCall } from './connection/transaction.ts';

/**
 * The server tells who asks, since settings and poolers decide that, and whether anything was committed; where something
 * was, the rows of its own tables tell whether it was structure.
 */
export function createStamps(database: Database): CatalogStamps {
  const { host, port, user, applicationName, schemas, allowFunctions } = database.options;
  const ask = (sql: string, { timeoutMs, context }: StampOptions): Promise<string> => {
    const what = 'Looking whether the database has changed';
    const call = transactionCall(database, { what, timeoutMs, signal: context.signal });
    return runCall(database.pool, call, async ({ session, limits }) =>
      JSON.stringify(await limits.race(session.simple(sql))),
    );
  };
  // The driver sends these settings to the server, where a policy may decide by them what is seen. They may hold a secret.
  const settings = createHash('sha256')
    .update(process.env.PGOPTIONS ?? '')
    .digest('hex');
  const who = [host, port, user, applicationName, settings, database.role, database.searchPath];
  const given = [who, schemas, allowFunctions];
  return {
    identity: async (options) => JSON.stringify([given, await ask(IDENTITY, options)]),
    structure: (options) => ask(STRUCTURE, options),
    data: (options) => ask(DATA, options),
  };
}
