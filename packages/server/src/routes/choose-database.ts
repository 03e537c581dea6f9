import { AskemaError } from '@askema/core';
import { hasScope } from '../caller/scopes.ts';
import type { Scope } from '../contract.ts';
import type { OpenDatabase } from '../databases/database-pool.ts';
import type { AskingCall, RouteCall } from './route.ts';

/**
 * The database of this name, or the only one that the caller may do this with. Rejects as `RouteCall.database`, and with
 * `INPUT_INVALID` where there are several and none is named.
 */
export async function chooseDatabase(call: RouteCall, name: string | undefined, scope: Scope): Promise<OpenDatabase> {
  const chosen = name ?? onlyDatabase(call, scope);
  if (chosen !== undefined) return call.database(chosen, scope);
  const usable = usableDatabases(call, scope).slice(0, 20);
  throw new AskemaError('INPUT_INVALID', `\`database\` is missing. This caller may use ${usable.join(', ')}.`, {
    details: { nearestNames: usable },
  });
}

/**
 * The only one that the caller may do this with; undefined where there are several.
 *
 * @throws AskemaError `CALLER_REFUSED` where there is none.
 */
export function onlyDatabase(call: RouteCall, scope: Scope): string | undefined {
  const usable = usableDatabases(call, scope);
  if (usable.length > 0) return usable.length === 1 ? usable[0] : undefined;
  throw new AskemaError(
    'CALLER_REFUSED',
    `This needs the scope \`${scope}\` for a database that is there. Ask whoever runs the server for it.`,
  );
}

/** Those that the caller may do this with, in the order of the server. */
export function usableDatabases({ caller, parts }: AskingCall, scope: Scope): readonly string[] {
  return [...parts.databases.keys()].filter((known) => hasScope(caller, scope, known));
}
