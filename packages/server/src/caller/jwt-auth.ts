import { checkNumber, invalidOption, isAskemaError } from '@askema/core';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Authenticator, Caller } from '../contract.ts';
import { bearerToken, callerUnknown } from './bearer-token.ts';
import { isName } from './check-caller.ts';
import { issuerKeys } from './issuer-keys.ts';
import { httpsUrl } from './oidc-discovery.ts';

/** Signatures by a key that only the issuer has. `none`, and HS256 with its shared secret, are never accepted. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;
export type JwtAlgorithm = (typeof ALGORITHMS)[number];

export interface JwtAuthOptions {
  /** As it stands in `iss`. Its keys are found through OpenID Connect Discovery 1.0, section 4, unless `jwksUri` is given. */
  readonly issuer: string;
  /** What `aud` must name: this server. */
  readonly audience: string | readonly string[];
  /** Where the keys of the issuer are: https, or http on loopback. */
  readonly jwksUri?: string | undefined;
  /** Default: RS256 and ES256. */
  readonly algorithms?: readonly JwtAlgorithm[] | undefined;
  /** Names of claims. */
  readonly claims?:
    | {
        /** A token without it is refused, so that nobody asks for no tenant. Default: no claim is read. */
        readonly tenant?: string | undefined;
        /** A token without it is refused. Default: no claim is read. */
        readonly role?: string | undefined;
        /** A text with blanks between, or a list. Default: `scope`. */
        readonly scopes?: string | undefined;
      }
    | undefined;
  /** What further holds for a caller, by the claims of a token that was verified. */
  readonly rules?: ((claims: JWTPayload) => Pick<Caller, 'limits' | 'hide' | 'mask'>) | undefined;
  /** How far clocks may differ, in seconds. Default: 5. */
  readonly clockToleranceS?: number | undefined;
}

/**
 * Tokens of an issuer: JSON Web Tokens (RFC 7519) with a signature, `iss`, `aud`, `exp` and `sub`. Keys are read when the
 * first token comes, and again after ten minutes, or when one is signed by a key that is not known, at most every 30
 * seconds. While they cannot be read again, they hold for an hour.
 *
 * Its `authenticate` rejects with `CALLER_UNKNOWN` for a token that does not hold, and with `CALLER_UNCHECKED` where it
 * cannot be checked because the keys cannot be read.
 *
 * @throws AskemaError `CONFIG_INVALID`.
 */
export function jwtAuth(options: JwtAuthOptions): Authenticator {
  const { issuer, audience, jwksUri, claims = {}, rules } = options;
  const algorithms = checkedAlgorithms(options.algorithms ?? ['RS256', 'ES256']);
  const clockTolerance = checkNumber('jwtAuth.clockToleranceS', options.clockToleranceS ?? 5, 0, 300);
  if (!isName(issuer)) throw invalidOption('`jwtAuth.issuer` must be the `iss` of the tokens.');
  const audiences = [audience].flat();
  if (audiences.length === 0 || !audiences.every(isName))
    throw invalidOption('`jwtAuth.audience` must name this server as the `aud` of the tokens does.');
  const keySet = jwksUri === undefined ? undefined : httpsUrl('jwtAuth.jwksUri', jwksUri);
  if (keySet === undefined) httpsUrl('jwtAuth.issuer', issuer);
  const keys = issuerKeys(issuer, keySet);
  return {
    isOpen: false,
    async authenticate(request) {
      const token = bearerToken(request);
      const verifying = { issuer, audience: audiences, algorithms: [...algorithms], clockTolerance };
      const { payload } = await jwtVerify(token, keys, { ...verifying, requiredClaims: ['exp', 'sub'] }).catch(
        (thrown: unknown) => {
          throw isAskemaError(thrown) ? thrown : callerUnknown('The token is not accepted', thrown);
        },
      );
      return { ...callerOf(payload, claims), ...rules?.(payload) };
    },
  };
}

function checkedAlgorithms(algorithms: readonly JwtAlgorithm[]): readonly JwtAlgorithm[] {
  const unknown = algorithms.find((each) => !ALGORITHMS.includes(each));
  if (algorithms.length > 0 && unknown === undefined) return algorithms;
  throw invalidOption(
    `\`jwtAuth.algorithms\` ${unknown === undefined ? 'is empty' : `has ${JSON.stringify(unknown)}`}; take some of ${ALGORITHMS.join(', ')}.`,
  );
}

function callerOf(payload: JWTPayload, names: NonNullable<JwtAuthOptions['claims']>): Caller {
  const claim = (name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);
  const named = (name: string): string => {
    const value = claim(name);
    if (isName(value)) return value;
    throw callerUnknown(`The token has no claim ${JSON.stringify(name)} that names somebody`);
  };
  const scopes = claim(names.scopes ?? 'scope');
  return {
    subject: named('sub'),
    ...(names.tenant === undefined ? {} : { tenant: named(names.tenant) }),
    ...(names.role === undefined ? {} : { role: named(names.role) }),
    scopes: scopesOf(scopes),
  };
}

function scopesOf(claimed: unknown): readonly string[] {
  if (typeof claimed === 'string') return claimed.split(' ').filter((scope) => scope !== '');
  return Array.isArray(claimed) ? claimed.filter((scope) => typeof scope === 'string') : [];
}
