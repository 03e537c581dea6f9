import { roleRefused } from '@askema/adapter-kit';
import { AskemaError, certificateProblem } from '@askema/core';
import type { HttpFailure } from '../errors/driver-error.ts';
import type { ResolvedOptions } from '../options.ts';
import type { DriverFailure } from './driver-error.ts';

type Place = Pick<ResolvedOptions, 'account' | 'accessUrl' | 'user' | 'role' | 'isRoleOfScope' | 'authentication'>;

/** Why a login failed. */
export function loginError(failure: DriverFailure, place: Place): AskemaError {
  if (failure.http !== undefined) return connectionError(failure.http, place, 'The login');
  const { code, message } = failure;
  const details = { vendorCode: code };
  const why = `(${code === undefined ? '' : `${code}: `}${message.trim()})`;
  if (place.isRoleOfScope && ROLE_CODES.has(code ?? '')) return roleRefused(message.trim());
  const advice = code === undefined ? undefined : LOGIN_ADVICE[code]?.(place);
  if (!failure.refused)
    return new AskemaError(
      'CONFIG_INVALID',
      `The login to the Snowflake account ${place.account} could not be prepared ${why}. Check the ${credentialOf(place)}.`,
      { details },
    );
  return new AskemaError(
    'CONFIG_INVALID',
    `Snowflake refused the login to the account ${place.account} ${why}. ${advice ?? `Check the ${credentialOf(place)}.`}`,
    { details },
  );
}

/** The role does not exist, or is not granted to the user. */
const ROLE_CODES = new Set(['390186', '390189']);

/** By the codes that Snowflake answers a login with; the recorded ones, and those of its documentation on logging in. */
const LOGIN_ADVICE: Readonly<Record<string, (place: Place) => string>> = {
  '390100': ({ user }) => `User${user === undefined ? '' : ` ${user}`} or password is wrong.`,
  '390101': () => 'The user is disabled; an administrator can enable it: ALTER USER … SET DISABLED = FALSE.',
  '390102': () => 'The user is locked after wrong passwords; wait 15 minutes, or let an administrator unlock it.',
  '390114': () => 'The login has expired: log in again, or bring a new token.',
  '390144': ({ user }) =>
    `The key pair does not fit: the account wants the public key of this private key at the user${user === undefined ? '' : ` ${user}`} (ALTER USER … SET RSA_PUBLIC_KEY = '…'), and the clock of this machine must be right.`,
  '390186': ({ role }) =>
    `The role${role === undefined ? '' : ` ${role}`} is not granted to the user, or does not exist.`,
  '390189': ({ role }) =>
    `The role${role === undefined ? '' : ` ${role}`} does not exist or is not granted to the user: GRANT ROLE … TO USER ….`,
  '390195': () => 'The stored login of the browser is no longer valid; log in again.',
  '390201': () =>
    'The database, the schema or the warehouse of the connection does not exist, or the role may not use it.',
  '390303': () => 'The OAuth token is not valid; get a new one.',
  '390318': () => 'The OAuth token has expired; get a new one.',
  '390420': () => 'The network policy of the account does not let this address in.',
  '394400': () =>
    'The programmatic access token is not valid: it was revoked, has expired, or belongs to another account.',
};

function credentialOf({ authentication }: Place): string {
  switch (authentication.authenticator) {
    case 'SNOWFLAKE_JWT':
      return 'private key and its passphrase';
    case 'OAUTH':
    case 'PROGRAMMATIC_ACCESS_TOKEN':
      return 'token';
    case 'SNOWFLAKE':
    case 'USERNAME_PASSWORD_MFA':
      return 'user and the password';
    default:
      return `settings of the login by ${authentication.authenticator}`;
  }
}

/** Why a request did not come through. `what` begins the sentence: "The statement". */
export function connectionError(
  { status, network, attempts }: HttpFailure,
  { account, accessUrl }: Place,
  what: string,
): AskemaError {
  const where = `the Snowflake account ${account}${accessUrl === undefined ? '' : ` (${accessUrl})`}`;
  const tries = attempts === 1 ? '' : `, ${attempts} times`;
  const details = {
    ...(status === undefined ? {} : { status }),
    ...(network === undefined ? {} : { vendorCode: network }),
  };
  if (status === 403 || status === 404)
    return new AskemaError(
      'DATABASE_NOT_FOUND',
      `${what} reached no account: HTTP ${status} from ${where}. Check the account identifier (organization-account), and whether a network policy lets this address in.`,
      { details },
    );
  if (status !== undefined)
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      `${what} failed: HTTP ${status} from ${where}${tries}. Try again later; https://status.snowflake.com says more.`,
      { details, retryable: status >= 500 || status === 408 || status === 429 },
    );
  if (network === 'ENOTFOUND')
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      `${what} failed: the host of ${where} has no address (ENOTFOUND). Check the account identifier and the network.`,
      { details },
    );
  const certificate = certificateProblem(network);
  if (certificate !== undefined)
    return new AskemaError('CONFIG_INVALID', `${what} failed: ${where} was not trusted (${network}). ${certificate}`, {
      details,
    });
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `${what} failed: the connection to ${where} broke (${network}${tries}). Check the network, proxies and firewalls, and try again.`,
    { details, retryable: true },
  );
}
