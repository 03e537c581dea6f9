import { AskemaError } from '@askema/core';
import { hasScope } from '../caller/scopes.ts';
import type { Scope } from '../contract.ts';
import type { OpenDatabase } from '../databases/database-pool.ts';
import type { RouteCall } from './route.ts';

/** The database of this name, or the only one that the caller may do this with. Rejects as `RouteCall.database`, and with
 * `INPUT_INVALID` where there are several and none is named. */
export async function chooseDatabase(call: RouteCall, name: string | undefined, scope: Scope): Promise<OpenDatabase> {
  if (name !== undefined) return call.database(name, scope);
  const usable = [...call.parts.databases.keys()].filter((known) => hasScope(call.caller, scope, known));
  const [only] = usable;
  if (usable.length === 1 && only !== undefined) return call.database(only, scope);
  throw new AskemaError(
    'INPUT_INVALID',
    `\`database\` is missing. This caller may use ${usable.length === 0 ? 'none' : usable.slice(0, 20).join(', ')}.`,
    { details: { nearestNames: usable.slice(0, 20) } },
  );
}
