import { AskemaError, didYouMean, isAskemaError } from '@askema/core';
import { type Authenticator, anyoneOnLoopback, type Caller, jwtAuth, keyAuth } from '@askema/server';
import type { ServedAuth, ServedRole, ServerConfig } from '../../config/server-config.ts';

/** Who may ask, and how that is told to whoever starts the server. */
export interface ServerAuth {
  readonly auth: Authenticator;
  readonly told: string;
}

/** @throws AskemaError `CONFIG_INVALID` for keys, issuers and roles that cannot work. */
export function serverAuth({ auth, roles }: ServerConfig): ServerAuth {
  const { auth: inner, told } = whoMayAsk(auth);
  if (roles === undefined) return { auth: inner, told };
  return { auth: withRoles(inner, roles), told: `${told}; roles ${Object.keys(roles).join(', ')}` };
}

function whoMayAsk(auth: ServerConfig['auth']): ServerAuth {
  if (auth === undefined)
    return { auth: anyoneOnLoopback(), told: 'everybody on this machine, who may do all; nobody else' };
  if ('authenticate' in auth) return { auth, told: 'whom `server.auth` of the configuration knows' };
  const { keys, jwt } = auth as ServedAuth;
  const ofKeys = keys === undefined ? undefined : keyAuth(keys);
  const ofTokens = jwt === undefined ? undefined : jwtAuth(jwt);
  const told = [
    ...(keys === undefined ? [] : [`who has ${keys.length === 1 ? 'the one key' : `one of ${keys.length} keys`}`]),
    ...(jwt === undefined ? [] : [`who has a token of ${jwt.issuer}`]),
  ].join(', or ');
  if (ofKeys !== undefined && ofTokens !== undefined) return { auth: oneOrOther(ofKeys, ofTokens), told };
  const one = ofKeys ?? ofTokens;
  if (one !== undefined) return { auth: one, told };
  throw new AskemaError('CONFIG_INVALID', '`server.auth` names nobody: give `keys` or `jwt`, or leave it out.');
}

function oneOrOther(one: Authenticator, other: Authenticator): Authenticator {
  return {
    isOpen: false,
    authenticate: (request, env) =>
      one.authenticate(request, env).catch((thrown: unknown) => {
        if (isAskemaError(thrown) && thrown.code === 'CALLER_UNKNOWN') return other.authenticate(request, env);
        throw thrown;
      }),
  };
}

function withRoles(auth: Authenticator, roles: Readonly<Record<string, ServedRole>>): Authenticator {
  return {
    isOpen: auth.isOpen,
    async authenticate(request, env) {
      const caller = await auth.authenticate(request, env);
      return caller && inRole(caller, roles);
    },
  };
}

/** What is hidden from the caller and what from the role is hidden; who has no role keeps what they have. */
function inRole(caller: Caller, roles: Readonly<Record<string, ServedRole>>): Caller {
  if (caller.role === undefined) return caller;
  const role = Object.hasOwn(roles, caller.role) ? roles[caller.role] : undefined;
  if (role === undefined)
    throw new AskemaError(
      'CALLER_REFUSED',
      `The role ${JSON.stringify(caller.role)} is none of this server. ${didYouMean(caller.role, Object.keys(roles))}`.trim(),
    );
  const { database = caller.role } = role;
  return {
    ...caller,
    role: database === false ? undefined : database,
    scopes: [...caller.scopes, ...(role.scopes ?? [])],
    limits: caller.limits ?? role.limits,
    hide: [...(caller.hide ?? []), ...(role.hide ?? [])],
    mask: [...(caller.mask ?? []), ...(role.mask ?? [])],
  };
}
