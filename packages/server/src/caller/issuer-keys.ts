import { AskemaError, isAskemaError } from '@askema/core';
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type FlattenedJWSInput,
  type JWKSCacheInput,
  type JWSHeaderParameters,
  jwksCache,
} from 'jose';
import { DISCOVERY_TIMEOUT_MS, keySetOf } from './oidc-discovery.ts';

/** The key that a token says it is signed by. */
type FindKey = (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => Promise<CryptoKey>;

/** How long keys hold once they were read: the issuer may take one back. */
const FRESH_MS = 600_000;
/** How long they hold while the issuer cannot be reached. */
const OUTAGE_MS = 3_600_000;
/** After a failed try, tokens signed by a known key do not wait for another one. */
const PAUSE_MS = 30_000;
/** What callers are told to wait. */
const RETRY_AFTER_MS = 5_000;

/**
 * The keys of an issuer, read when the first token comes. While they cannot be read again, those that were read last hold
 * for an hour. Rejects with `CALLER_UNCHECKED` where the key of a token can neither be read nor is known, with an error
 * of jose where the token is at fault, and as `keySetOf` for the description of another issuer.
 */
export function issuerKeys(issuer: string, jwksUri: URL | undefined): FindKey {
  let found: Promise<FindKey> | undefined;
  return async (header, token) => {
    found ??= (jwksUri === undefined ? keySetOf(issuer) : Promise.resolve(jwksUri)).then(keysAt, (thrown: unknown) => {
      // The next token tries again.
      found = undefined;
      throw isAskemaError(thrown) ? thrown : unchecked(thrown);
    });
    return (await found)(header, token);
  };
}

function keysAt(uri: URL): FindKey {
  const read: JWKSCacheInput = {};
  const asking = { timeoutDuration: DISCOVERY_TIMEOUT_MS, cacheMaxAge: FRESH_MS, [jwksCache]: read };
  const remote = createRemoteJWKSet(uri, asking);
  const known: FindKey = async (header, token) => {
    const { jwks, uat = 0 } = read;
    if (jwks === undefined || Date.now() - uat > OUTAGE_MS) throw new errors.JWKSNoMatchingKey();
    return createLocalJWKSet(jwks)(header, token);
  };
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (header, token) => {
    if (Date.now() - failedAt < PAUSE_MS) {
      const key = await known(header, token).catch(() => undefined);
      if (key !== undefined) return key;
    }
    try {
      return await remote(header, token);
    } catch (thrown) {
      if (isOfToken(thrown)) throw thrown;
      failedAt = Date.now();
      return known(header, token).catch(() => Promise.reject(unchecked(thrown)));
    }
  };
}

/** Whether the token is at fault; else the keys could not be read. */
function isOfToken(thrown: unknown): boolean {
  if (!(thrown instanceof errors.JOSEError)) return false;
  return (
    !(thrown instanceof errors.JWKSTimeout || thrown instanceof errors.JWKSInvalid) &&
    thrown.code !== 'ERR_JOSE_GENERIC'
  );
}

function unchecked(cause: unknown): AskemaError {
  return new AskemaError(
    'CALLER_UNCHECKED',
    'The keys of the token issuer cannot be read now. Send the request again in a few seconds.',
    { cause, retryable: true, details: { retryAfterMs: RETRY_AFTER_MS } },
  );
}
