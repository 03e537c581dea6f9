import { AskemaError } from '@askema/core';
import { type Caller, SCOPES, type Scope } from '../contract.ts';

/** Whether a caller may do this with a database; without one, with any. */
export function hasScope({ scopes }: Caller, scope: Scope, database?: string): boolean {
  return scopes.some((held) => {
    const at = held.indexOf('@');
    const what = at === -1 ? held : held.slice(0, at);
    if (what !== '*' && what !== scope) return false;
    return at === -1 || database === undefined || held.slice(at + 1) === database;
  });
}

/** Whether a caller may do this with all databases, also with those that they are not told of. */
export function hasScopeForAll({ scopes }: Caller, scope: Scope): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}

/** Whether a caller may do anything at all with a database: others are not told that it exists. */
export function knowsDatabase(caller: Caller, database: string): boolean {
  // Tokens have scopes of others as well, such as `openid`: those open nothing.
  return SCOPES.some((scope) => hasScope(caller, scope, database));
}

/** @throws AskemaError `CALLER_REFUSED`. */
export function requireScope(caller: Caller, scope: Scope, database?: string): void {
  if (hasScope(caller, scope, database)) return;
  const where = database === undefined ? '' : ` for the database ${JSON.stringify(database)}`;
  throw new AskemaError(
    'CALLER_REFUSED',
    `This needs the scope \`${scope}\`${where}, which the caller does not have. Ask whoever runs the server for it.`,
  );
}
