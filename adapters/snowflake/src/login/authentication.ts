import { type AskemaError, invalidOption, nearestNames } from '@askema/core';
import type { SnowflakeOptions } from '../snowflake-options.ts';

/** How to log in: what the driver is told, and the secrets that must never be shown. */
export interface Authentication {
  /** By the driver's names of options. */
  readonly driver: Readonly<Record<string, string>>;
  /** Upper case, or the URL of an identity provider. */
  readonly authenticator: string;
  /** Literal secrets, to be taken out of whatever a server answers. */
  readonly secrets: readonly string[];
  /** Each login opens a browser or uses up a code. */
  readonly needsPerson: boolean;
}

/** Snowflake's names of what a driver can log in with (developer-guide/node-js/nodejs-driver-options). */
const AUTHENTICATORS = [
  'SNOWFLAKE',
  'SNOWFLAKE_JWT',
  'OAUTH',
  'PROGRAMMATIC_ACCESS_TOKEN',
  'EXTERNALBROWSER',
  'USERNAME_PASSWORD_MFA',
  'OAUTH_AUTHORIZATION_CODE',
  'OAUTH_CLIENT_CREDENTIALS',
  'WORKLOAD_IDENTITY',
] as const;

type Credentials = Pick<
  SnowflakeOptions,
  | 'authenticator'
  | 'user'
  | 'password'
  | 'passcode'
  | 'privateKey'
  | 'privateKeyPath'
  | 'privateKeyPassphrase'
  | 'token'
  | 'driverOptions'
>;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveAuthentication(options: Credentials): Authentication {
  const { user, password, passcode, privateKey, privateKeyPath, privateKeyPassphrase, token } = options;
  for (const name of [
    'password',
    'passcode',
    'privateKey',
    'privateKeyPath',
    'privateKeyPassphrase',
    'token',
  ] as const) {
    const value: unknown = options[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw invalidOption(
        `\`${name}\` is ${value === '' ? 'empty' : `a ${typeof value}`}; give a text or leave it out.`,
      );
  }
  if (privateKey !== undefined && privateKeyPath !== undefined)
    throw invalidOption('Give either `privateKey` or `privateKeyPath`, not both.');
  const authenticator = nameOf(options);
  checkCredentials(authenticator, options);
  const driver: Record<string, string> = { authenticator };
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined) driver[name] = value;
  };
  set('username', user);
  set('password', password);
  set('passcode', passcode);
  set('privateKey', privateKey);
  set('privateKeyPath', privateKeyPath);
  set('privateKeyPass', privateKeyPassphrase);
  set('token', token);
  const further = Object.entries(options.driverOptions ?? {})
    .filter(([name]) => /secret|password|token/i.test(name))
    .map(([, value]) => value);
  const secrets = [password, passcode, privateKey, privateKeyPassphrase, token, ...further].filter(
    (secret): secret is string => typeof secret === 'string' && secret !== '',
  );
  const needsPerson =
    authenticator === 'EXTERNALBROWSER' || authenticator === 'OAUTH_AUTHORIZATION_CODE' || passcode !== undefined;
  return { driver, authenticator, secrets, needsPerson };
}

function nameOf({ authenticator, privateKey, privateKeyPath, token, password }: Credentials): string {
  if (authenticator === undefined) {
    if (privateKey !== undefined || privateKeyPath !== undefined) return 'SNOWFLAKE_JWT';
    if (token !== undefined && password === undefined) return 'PROGRAMMATIC_ACCESS_TOKEN';
    return 'SNOWFLAKE';
  }
  if (typeof authenticator !== 'string') throw invalidOption('`authenticator` must be a text.');
  if (/^https:\/\//i.test(authenticator)) return authenticator;
  const name = authenticator.toUpperCase();
  if ((AUTHENTICATORS as readonly string[]).includes(name)) return name;
  const near = nearestNames(name, AUTHENTICATORS);
  throw invalidOption(
    `\`authenticator\` is ${JSON.stringify(authenticator)}; it must be one of ${AUTHENTICATORS.join(', ')}, or the https:// URL of Okta.${near.length === 0 ? '' : ` Did you mean \`${near[0]}\`?`}`,
  );
}

/** What each way to log in cannot do without. */
function checkCredentials(authenticator: string, options: Credentials): void {
  const { user, password, privateKey, privateKeyPath, token } = options;
  const missing = (what: string): AskemaError => invalidOption(`The login by ${authenticator} needs ${what}.`);
  const needsUser = ['SNOWFLAKE', 'SNOWFLAKE_JWT', 'USERNAME_PASSWORD_MFA'].includes(authenticator);
  if (needsUser && user === undefined) throw missing('`user`');
  switch (authenticator) {
    case 'SNOWFLAKE':
    case 'USERNAME_PASSWORD_MFA':
      if (password === undefined)
        throw missing(
          '`password`. Other ways: `privateKeyPath` (a key pair), `token`, `authenticator: "EXTERNALBROWSER"`',
        );
      return;
    case 'SNOWFLAKE_JWT':
      if (privateKey === undefined && privateKeyPath === undefined) throw missing('`privateKeyPath` or `privateKey`');
      if (privateKey !== undefined && !/-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(privateKey))
        throw missing('a `privateKey` in PEM form (-----BEGIN PRIVATE KEY-----)');
      return;
    case 'OAUTH':
      if (token === undefined) throw missing('`token`');
      return;
    case 'PROGRAMMATIC_ACCESS_TOKEN':
      if (token === undefined && password === undefined) throw missing('`token`');
      return;
    default:
      return;
  }
}
