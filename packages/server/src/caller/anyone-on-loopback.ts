import type { Authenticator, Caller } from '../contract.ts';

/**
 * No proof: everyone on this machine is `caller`. Default: `local`, who may do all. The server answers only requests
 * whose `remoteAddress` it was told and that come from this machine, not through a proxy.
 */
export function anyoneOnLoopback(caller: Caller = { subject: 'local', scopes: ['*'] }): Authenticator {
  return { isOpen: true, authenticate: async () => caller };
}
