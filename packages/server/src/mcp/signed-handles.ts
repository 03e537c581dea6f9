import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, checkWhole, invalidOption } from '@askema/core';
import type { AskedBackRun, ResumeHandles } from '@askema/tools';
import { z } from 'zod';

/** For whom handles hold. */
interface HandleOwner {
  readonly subject?: string | undefined;
  readonly tenant?: string | undefined;
  readonly role?: string | undefined;
}

export interface SignedHandlesOptions {
  /** At least 32 bytes. Processes that share the load share it. */
  readonly key: Uint8Array;
  readonly owner?: HandleOwner | undefined;
  /** Default: 1,800,000: half an hour. */
  readonly ttlMs?: number | undefined;
  readonly clock: Clock;
}

/** What a handle holds: which run, never its question, SQL or rows. `until` is in milliseconds since the epoch. */
const BODY = z.strictObject({ run: z.string(), database: z.string().optional(), until: z.number() });

/** Longer ones are not looked at. */
const MAX_HANDLE = 2_048;
const MIN_KEY = 32;

/**
 * Handles of runs that were asked back, signed with HMAC-SHA256 (RFC 2104): they go through the client, and hold only
 * for the caller they were given to, until they expire. A handle that was changed was never given.
 *
 * @throws AskemaError `CONFIG_INVALID` for a key that is too short.
 */
export function signedHandles({ key, owner = {}, ttlMs = 1_800_000, clock }: SignedHandlesOptions): ResumeHandles {
  if (key.byteLength < MIN_KEY)
    throw invalidOption(`The key of handles has ${key.byteLength} bytes; give at least ${MIN_KEY} random ones.`);
  checkWhole('ttlMs', ttlMs, 1, 7 * 86_400_000);
  const { subject = null, tenant = null, role = null } = owner;
  const bound = JSON.stringify(['askema.resume', subject, tenant, role]);
  const sign = (body: string): Buffer => createHmac('sha256', key).update(`${bound}\n${body}`).digest();
  return {
    give({ runId, database }) {
      const until = clock.now() + ttlMs;
      const body = Buffer.from(JSON.stringify({ run: runId, database, until })).toString('base64url');
      return `${body}.${sign(body).toString('base64url')}`;
    },
    take(handle): AskedBackRun | undefined {
      const [body, signature, ...rest] = handle.length > MAX_HANDLE ? [] : handle.split('.');
      if (body === undefined || signature === undefined || rest.length > 0) return undefined;
      const [given, right] = [Buffer.from(signature, 'base64url'), sign(body)];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const { run, database, until } = BODY.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
      return until <= clock.now() ? undefined : { runId: run, database, tenant: owner.tenant };
    },
  };
}
