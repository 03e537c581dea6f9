import { createHash, timingSafeEqual } from 'node:crypto';
import { invalidOption } from '@askema/core';
import type { Authenticator, Caller } from '../contract.ts';
import { bearerToken, callerUnknown } from './bearer-token.ts';
import { checkCaller } from './check-caller.ts';

/** A key as the server keeps it. */
export interface HashedKey {
  /** SHA-256 of the key in hexadecimal. The key itself is random and long: `openssl rand -base64 32`. */
  readonly sha256: string;
  readonly caller: Caller;
}

/**
 * Keys that do not change. Each request is held against all of them, in a time that does not depend on which one fits.
 *
 * @throws AskemaError `CONFIG_INVALID` for a hash that is none, a key that is there twice, and a caller that is wrong.
 */
export function keyAuth(keys: readonly HashedKey[]): Authenticator {
  if (keys.length === 0) throw invalidOption('`keyAuth` needs at least one key.');
  const known = keys.map(({ sha256, caller }, index) => {
    if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256))
      throw invalidOption(
        `\`keyAuth\`: \`sha256\` of key ${index + 1} must be the SHA-256 of the key, 64 hexadecimal digits, never the key itself.`,
      );
    return { hash: Buffer.from(sha256, 'hex'), caller: checkCaller(`keyAuth[${index}].caller`, caller) };
  });
  if (new Set(keys.map(({ sha256 }) => sha256.toLowerCase())).size < keys.length)
    throw invalidOption('`keyAuth`: two callers have the same key, so nobody could say who asks.');
  return {
    isOpen: false,
    async authenticate(request) {
      const given = createHash('sha256').update(bearerToken(request)).digest();
      let found: Caller | undefined;
      for (const { hash, caller } of known) if (timingSafeEqual(hash, given)) found = caller;
      if (found === undefined) throw callerUnknown('The token is not accepted');
      return found;
    },
  };
}
