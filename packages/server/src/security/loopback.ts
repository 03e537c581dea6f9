import { isIP } from 'node:net';
import { AskemaError } from '@askema/core';
import type { Authenticator } from '../contract.ts';

/** Whether an address, or the name of a host, is that of this machine alone. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  const mapped = name.replace(/^::ffff:/, '');
  if (isIP(mapped) === 4) return mapped.startsWith('127.');
  return name === '::1' || name === 'localhost';
}

/**
 * Whether a server with this authenticator may listen at `host`. One that asks for no proof listens on loopback only.
 *
 * @throws AskemaError `CONFIG_INVALID`.
 */
export function checkBind(host: string | undefined, auth: Pick<Authenticator, 'isOpen'>): void {
  if (!auth.isOpen || (host !== undefined && isLoopback(host))) return;
  const where = host === undefined || host === '' ? 'all addresses of this machine' : JSON.stringify(host);
  throw new AskemaError(
    'CONFIG_INVALID',
    `The server would listen on ${where} and ask nobody who they are. Listen on 127.0.0.1, or say who may ask: \`server.auth\` in askema.config.ts; in code \`jwtAuth\` or \`keyAuth\`.`,
  );
}
