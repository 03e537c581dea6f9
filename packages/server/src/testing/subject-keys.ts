import { createHash } from 'node:crypto';
import { keyAuth } from '../caller/key-auth.ts';
import type { Authenticator, Caller } from '../contract.ts';

/** Lets these callers in, who send their subject as the key. */
export function subjectKeys(callers: readonly Caller[]): Authenticator {
  return keyAuth(
    callers.map((caller) => ({ sha256: createHash('sha256').update(caller.subject).digest('hex'), caller })),
  );
}
