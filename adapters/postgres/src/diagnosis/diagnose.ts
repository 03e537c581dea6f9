import { runCall, serverStanding } from '@askema/adapter-kit';
import type { Access, Diagnose, ReadOnlyStanding } from '@askema/core';
import type { Database } from '../connection/database.ts';
import { transactionCall } from '../connection/transaction.ts';
import { findingsOf } from './findings.ts';
import { type Look, lookAround } from './look.ts';

/** Looks at server, user and privileges; see `Diagnose` of core. */
export function createDiagnose(database: Database): Diagnose {
  const { host, port, access } = database.options;
  return async ({ timeoutMs, context }) => {
    const call = transactionCall(database, { what: 'Looking at the connection', timeoutMs, signal: context.signal });
    const look = await runCall(database.pool, call, lookAround);
    return {
      server: `PostgreSQL ${look.version}${look.replica ? ' (replica)' : ''}`,
      user: look.user,
      place: { host: `${host}:${port}`, database: look.database, schemas: look.path.join(', ') },
      readOnly: standingOf(look, access),
      findings: findingsOf(look, host),
    };
  };
}

function standingOf(look: Look, access: Access): ReadOnlyStanding {
  const { user, superuser, writable, powers, creatable, further } = look;
  const mayNothing =
    !superuser && writable === 0 && powers.length === 0 && creatable.length === 0 && further.length === 0;
  const reaches = look.extensions.length + look.definers.length + look.foreign;
  const rest = mayNothing
    ? `${user} may not write to any table, but extensions, foreign tables or functions with the rights of their owner reach further.`
    : `The role ${user} itself could do more.`;
  return serverStanding(
    { user, mayOnlyRead: mayNothing && reaches === 0 },
    access,
    `Each call is a read-only transaction, and what leads to a function that is not known to only read is refused. ${rest}`,
  );
}
